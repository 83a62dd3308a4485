package cxx

import (
	"iter"
	"strings"
)

// Lex returns the tokens of a source, without its comments. The error is an *Error.
func Lex(src string) ([]Token, error) {
	var toks []Token
	for t := range All(src) {
		switch {
		case t.Problem != "":
			return nil, &Error{t.Line, t.Problem}
		case t.Kind != Comment:
			toks = append(toks, t)
		}
	}
	return toks, nil
}

// All iterates over the tokens of any text, including its comments. A literal that is not closed ends
// with its line, a comment with the text; both have a Problem.
func All(src string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		l := &lexer{src: src, line: 1, lineStart: true, gap: true}
		for {
			l.space()
			if l.pos == len(l.src) || !yield(l.next()) {
				return
			}
		}
	}
}

// A lexer is a position between two tokens of src.
type lexer struct {
	src       string
	pos, line int
	lineStart bool // only white space and comments so far on this line
	gap       bool // white space or a comment since the last token
}

func (l *lexer) rest() string { return l.src[l.pos:] }

// advance skips n bytes and counts the lines in them.
func (l *lexer) advance(n int) string {
	s := l.src[l.pos : l.pos+n]
	l.line += strings.Count(s, "\n")
	l.pos += n
	return s
}

// space skips everything before the next token.
func (l *lexer) space() {
	for l.pos < len(l.src) {
		n := joinLen(l.rest())
		switch c := l.src[l.pos]; {
		case n > 0:
		case c == '\n':
			n, l.lineStart = 1, true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			n = 1
		default:
			return
		}
		l.advance(n)
		l.gap = true
	}
}

// next returns the token that begins here.
func (l *lexer) next() Token {
	t := Token{Line: l.line, Begin: l.pos, Glued: !l.gap}
	rest := l.rest()
	if rest[0] == '#' && l.lineStart {
		l.directive(&t)
		t.End, t.Glued, l.gap = l.pos, false, true
		return t
	}
	var n int
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "//"):
		t.Kind, n = Comment, lineCommentLen(rest)
	case strings.HasPrefix(rest, "/*"):
		t.Kind = Comment
		n, t.Problem = commentLen(rest)
	case c == '"' || c == '\'':
		t.Kind = String
		n, t.Problem = quotedLen(rest)
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		t.Kind, n = Number, numberLen(rest)
	case isIdentStart(c):
		t.Kind, n, t.Problem = word(rest)
	case strings.HasPrefix(rest, "::"):
		t.Kind, n = Punct, 2
	default:
		t.Kind, n = Punct, 1
	}
	t.Text = l.advance(n)
	t.End = l.pos
	l.gap = t.Kind == Comment
	l.lineStart = l.lineStart && t.Kind == Comment
	return t
}

// directive reads a preprocessor line with its continuation lines.
func (l *lexer) directive(t *Token) {
	t.Kind = Directive
	var b strings.Builder
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		rest := l.rest()
		switch {
		case joinLen(rest) > 0:
			l.advance(joinLen(rest))
			b.WriteByte(' ')
		case strings.HasPrefix(rest, "//"):
			l.advance(lineCommentLen(rest))
		case strings.HasPrefix(rest, "/*"):
			n, problem := commentLen(rest)
			if problem != "" {
				t.Line, t.Problem = l.line, problem
			}
			l.advance(n)
			b.WriteByte(' ')
		case rest[0] == '"':
			// An apostrophe may be unpaired in #error text; a quote in a definition
			// must not hide a comment sign.
			n, problem := quotedLen(rest)
			if problem != "" {
				n = 1
			}
			b.WriteString(l.advance(n))
		case rest[0] == '<' && isInclude(b.String()):
			// The slashes of <a//b.h> are not a comment either.
			b.WriteString(l.advance(headerLen(rest)))
		default:
			b.WriteString(l.advance(1))
		}
	}
	t.Text = strings.TrimSpace(b.String())
}

// isInclude reports whether a header's name follows in a directive that begins like this.
func isInclude(begin string) bool {
	word := strings.TrimSpace(strings.TrimPrefix(begin, "#"))
	return word == "include" || word == "include_next"
}

// headerLen returns the length of the <name> at the start of s, or 1 if it is not closed.
func headerLen(s string) int {
	if n := strings.IndexAny(s, ">\n"); n > 0 && s[n] == '>' {
		return n + 1
	}
	return 1
}

// word reads an identifier, or the literal of which it is the prefix.
func word(s string) (kind Kind, n int, problem string) {
	n = 1
	for n < len(s) && IsIdentPart(s[n]) {
		n++
	}
	if n == len(s) || s[n] != '"' && s[n] != '\'' {
		return Ident, n, ""
	}
	prefix, raw := strings.CutSuffix(s[:n], "R")
	switch {
	case prefix != "" && !isEncodingPrefix(prefix):
		return Ident, n, ""
	case raw && s[n] == '"':
		n, problem = rawStringLen(s, n)
		return String, n, problem
	case raw:
		return Ident, n, ""
	}
	quoted, problem := quotedLen(s[n:])
	return String, n + quoted, problem
}

func isEncodingPrefix(s string) bool { return s == "u8" || s == "u" || s == "U" || s == "L" }

// joinLen returns the length of a line join (a backslash at the end of a line) at the start of s.
func joinLen(s string) int {
	switch {
	case strings.HasPrefix(s, "\\\n"):
		return 2
	case strings.HasPrefix(s, "\\\r\n"):
		return 3
	}
	return 0
}

// lineCommentLen returns the length of the // comment at the start of s, without its last newline.
func lineCommentLen(s string) int {
	n := 2
	for n < len(s) && s[n] != '\n' {
		if j := joinLen(s[n:]); j > 0 {
			n += j
		} else {
			n++
		}
	}
	return n
}

// commentLen returns the length of the /* comment at the start of s.
func commentLen(s string) (n int, problem string) {
	end := strings.Index(s[2:], "*/")
	if end < 0 {
		return len(s), "this comment is never closed: */ is missing"
	}
	return end + 4, ""
}

// quotedLen returns the length of the literal at the start of s. A literal that is not closed ends
// before the end of its line.
func quotedLen(s string) (n int, problem string) {
	for n = 1; n < len(s); n++ {
		switch {
		case joinLen(s[n:]) > 0:
			n += joinLen(s[n:]) - 1
		case s[n] == '\\' && n+1 < len(s):
			n++
		case s[n] == '\n':
			return n, "this string or character is not closed on its line"
		case s[n] == s[0]:
			return n + 1, ""
		}
	}
	return len(s), "this string or character is never closed"
}

// rawStringLen returns the length of the raw string at the start of s, whose quote is at n. A raw
// string that is not closed ends before the end of its line.
func rawStringLen(s string, n int) (length int, problem string) {
	line := len(s)
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		line = end
	}
	open := strings.IndexByte(s[n:], '(')
	if open < 0 || open > 17 { // the standard allows delimiters of 16 characters
		return line, "this raw string has no opening parenthesis"
	}
	closing := ")" + s[n+1:n+open] + `"`
	end := strings.Index(s[n+open:], closing)
	if end < 0 {
		return line, "this raw string is never closed: " + closing + " is missing"
	}
	return n + open + end + len(closing), ""
}

// numberLen returns the length of the preprocessing number at the start of s.
func numberLen(s string) int {
	n := 1
	for n < len(s) {
		c := s[n]
		switch {
		case IsIdentPart(c) || c == '.':
		case c == '\'' && n+1 < len(s) && IsIdentPart(s[n+1]):
		case (c == '+' || c == '-') && strings.IndexByte("eEpP", s[n-1]) >= 0:
		default:
			return n
		}
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isIdentStart(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// IsIdentPart reports whether a byte can be part of an identifier.
func IsIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) }
