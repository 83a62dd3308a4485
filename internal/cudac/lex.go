package cudac

import (
	"fmt"
	"strings"
)

// Error is a failure to read a source at one of its lines.
type Error struct {
	Line int // from 1
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

type tokenKind uint8

const (
	tokIdent tokenKind = iota
	tokNumber
	tokString // string or character literal, with its quotes
	tokPunct
	tokDirective // a whole preprocessor line, comments removed and lines joined
)

type token struct {
	kind tokenKind
	text string
	line int
	// glued: nothing stands between this token and the one before, so that text can
	// be put together again the way it was written.
	glued bool
	// end is where the text after the token begins, in bytes.
	end int
	// unsure: the token stands under a condition that could not be decided.
	unsure bool
	// file is the included file that the token stands in, "" for the source itself.
	file string
}

func (t token) is(text string) bool { return t.kind != tokString && t.text == text }

// A lexer turns source text into tokens. Comments and line joins vanish; preprocessor
// lines stay whole, for the next stage to act on.
type lexer struct {
	src       string
	pos, line int
	toks      []token
	lineStart bool // only white space so far on this line
	gap       bool // white space or a comment since the last token
}

func lex(src string) ([]token, error) {
	l := &lexer{src: src, line: 1, lineStart: true, gap: true}
	for l.pos < len(l.src) {
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return l.toks, nil
}

func (l *lexer) rest() string { return l.src[l.pos:] }

func (l *lexer) add(kind tokenKind, text string, line int) {
	l.toks = append(l.toks, token{kind: kind, text: text, line: line, glued: !l.gap, end: l.pos})
	l.gap, l.lineStart = false, false
}

// advance moves over n bytes and counts the lines in them.
func (l *lexer) advance(n int) string {
	s := l.src[l.pos : l.pos+n]
	l.line += strings.Count(s, "\n")
	l.pos += n
	return s
}

func (l *lexer) next() error {
	c := l.src[l.pos]
	line := l.line
	switch {
	case c == '\n':
		l.advance(1)
		l.lineStart, l.gap = true, true
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.advance(1)
		l.gap = true
	case joinLen(l.rest()) > 0:
		l.advance(joinLen(l.rest()))
		l.gap = true
	case strings.HasPrefix(l.rest(), "//"):
		l.advance(lineCommentLen(l.rest()))
		l.gap = true
	case strings.HasPrefix(l.rest(), "/*"):
		end := strings.Index(l.rest()[2:], "*/")
		if end < 0 {
			return &Error{line, "this comment is never closed: */ is missing"}
		}
		l.advance(end + 4)
		l.gap = true
	case c == '#' && l.lineStart:
		return l.directive()
	case c == '"' || c == '\'':
		n, err := quotedLen(l.rest(), line)
		if err != nil {
			return err
		}
		l.add(tokString, l.advance(n), line)
	case isDigit(c) || c == '.' && len(l.rest()) > 1 && isDigit(l.rest()[1]):
		l.add(tokNumber, l.advance(numberLen(l.rest())), line)
	case isIdentStart(c):
		n := 1
		for n < len(l.rest()) && isIdentPart(l.rest()[n]) {
			n++
		}
		if raw, ok, err := rawStringLen(l.rest(), n, line); err != nil {
			return err
		} else if ok {
			l.add(tokString, l.advance(raw), line)
			return nil
		}
		if n < len(l.rest()) && isEncodingPrefix(l.rest()[:n]) && (l.rest()[n] == '"' || l.rest()[n] == '\'') {
			q, err := quotedLen(l.rest()[n:], line)
			if err != nil {
				return err
			}
			l.add(tokString, l.advance(n+q), line)
			return nil
		}
		l.add(tokIdent, l.advance(n), line)
	case strings.HasPrefix(l.rest(), "::"):
		l.add(tokPunct, l.advance(2), line)
	default:
		l.add(tokPunct, l.advance(1), line)
	}
	return nil
}

// directive reads a preprocessor line with its continuation lines.
func (l *lexer) directive() error {
	line := l.line
	var b strings.Builder
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		r := l.rest()
		switch {
		case joinLen(r) > 0:
			l.advance(joinLen(r))
			b.WriteByte(' ')
		case strings.HasPrefix(r, "//"):
			l.advance(lineCommentLen(r))
		case strings.HasPrefix(r, "/*"):
			end := strings.Index(r[2:], "*/")
			if end < 0 {
				return &Error{l.line, "this comment is never closed: */ is missing"}
			}
			l.advance(end + 4)
			b.WriteByte(' ')
		case r[0] == '"':
			// An apostrophe may stand alone in #error text; a quote in a definition
			// must not hide a comment sign.
			n, err := quotedLen(r, l.line)
			if err != nil {
				n = 1
			}
			b.WriteString(l.advance(n))
		default:
			b.WriteString(l.advance(1))
		}
	}
	l.toks = append(l.toks, token{kind: tokDirective, text: strings.TrimSpace(b.String()), line: line, end: l.pos})
	l.gap = true
	return nil
}

// joinLen is the length of a line join (a backslash at the end of a line) at the start of s.
func joinLen(s string) int {
	switch {
	case strings.HasPrefix(s, "\\\n"):
		return 2
	case strings.HasPrefix(s, "\\\r\n"):
		return 3
	}
	return 0
}

// lineCommentLen is the length of the // comment at the start of s, without its last newline.
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

func quotedLen(s string, line int) (int, error) {
	for n := 1; n < len(s); n++ {
		switch {
		case joinLen(s[n:]) > 0:
			n += joinLen(s[n:]) - 1
		case s[n] == '\\':
			n++
		case s[n] == '\n':
			return 0, &Error{line, "this string or character is not closed on its line"}
		case s[n] == s[0]:
			return n + 1, nil
		}
	}
	return 0, &Error{line, "this string or character is never closed"}
}

func isEncodingPrefix(s string) bool { return s == "u8" || s == "u" || s == "U" || s == "L" }

// rawStringLen tells whether the identifier of n bytes at the start of s is the R of a
// raw string, and how long that string is.
func rawStringLen(s string, n, line int) (int, bool, error) {
	prefix, isRaw := strings.CutSuffix(s[:n], "R")
	if !isRaw || prefix != "" && !isEncodingPrefix(prefix) || n >= len(s) || s[n] != '"' {
		return 0, false, nil
	}
	open := strings.IndexByte(s[n:], '(')
	if open < 0 || open > 17 { // the standard allows delimiters of 16 characters
		return 0, false, &Error{line, "this raw string has no opening parenthesis"}
	}
	closing := ")" + s[n+1:n+open] + `"`
	end := strings.Index(s[n+open:], closing)
	if end < 0 {
		return 0, false, &Error{line, "this raw string is never closed: " + closing + " is missing"}
	}
	return n + open + end + len(closing), true, nil
}

// numberLen follows C's preprocessing numbers, which include 1e-3, 0x1p+4 and 1'000.
func numberLen(s string) int {
	n := 1
	for n < len(s) {
		c := s[n]
		switch {
		case isIdentPart(c) || c == '.':
		case c == '\'' && n+1 < len(s) && isIdentPart(s[n+1]):
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
func isIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) }
