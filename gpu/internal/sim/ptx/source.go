package ptx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// An operand is one in the parentheses of an asm statement.
type operand struct {
	constraint string // "=r", "+l", "f" or "n"
	expr       string
}

// Edits returns what replaces the asm statements of a source whose text is PTX, those in macros included. One that cannot be
// translated is replaced by an error of the preprocessor, since it may stand behind a condition that leaves it out.
func Edits(source string) []cudac.Edit {
	if !strings.Contains(source, "asm") {
		return nil
	}
	return edits(source, 0, 1, "\n")
}

// edits does so for a part of the source that begins at an offset and a line, and has that between its lines.
func edits(source string, begin, line int, newline string) []cudac.Edit {
	var toks []cxx.Token
	for t := range cxx.All(source) {
		toks = append(toks, t)
	}
	var out []cudac.Edit
	for i, t := range toks {
		if t.Kind == cxx.Directive {
			out = append(out, inMacro(source, toks, i, begin, line)...)
			continue
		}
		if !t.Is("asm") && !t.Is("__asm__") && !t.Is("__asm") {
			continue
		}
		open := i + 1
		for open < len(toks) && (toks[open].Is("volatile") || toks[open].Is("__volatile__") || toks[open].Is("inline")) {
			open++
		}
		if open >= len(toks) || !toks[open].Is("(") {
			continue
		}
		end := cxx.SkipGroup(toks, open)
		if end <= open+1 || !toks[end-1].Is(")") {
			continue
		}
		text, parts := statement(source, uncommented(toks[open+1:end-1]))
		if !isPTX(text) {
			continue
		}
		code, err := translate(text, parts, line+t.Line-1)
		if err != nil {
			code = refusal(err)
		}
		span := source[t.Begin:toks[end-1].End]
		code += strings.Repeat(newline, strings.Count(span, "\n"))
		out = append(out, cudac.Edit{Begin: begin + t.Begin, End: begin + toks[end-1].End, Text: code})
	}
	return out
}

// refusal returns the directive that makes the compiler say why it refuses a statement.
func refusal(err error) string {
	reason := "the simulator cannot run assembly for a GPU (PTX) of this kind: " + err.Error()
	return "_Pragma(" + strconv.Quote("GCC error "+strconv.Quote(reason)) + ")"
}

// inMacro is edits for the definition of a macro.
func inMacro(source string, toks []cxx.Token, i, begin, line int) []cudac.Edit {
	from := 0
	if i > 0 {
		from = toks[i-1].End
	}
	text := source[from:toks[i].End]
	at := strings.Index(text, "define")
	if at < 0 || !strings.Contains(text, "asm") || begin > 0 {
		return nil
	}
	at += len("define")
	return edits(strings.ReplaceAll(text[at:], "\\\n", " \n"), begin+from+at, line+toks[i].Line-1, "\\\n")
}

// uncommented returns the tokens that are no comments.
func uncommented(toks []cxx.Token) []cxx.Token {
	return slices.DeleteFunc(slices.Clone(toks), func(t cxx.Token) bool { return t.Kind == cxx.Comment })
}

// statement returns the text of an asm statement and its outputs, inputs and clobbers.
func statement(source string, toks []cxx.Token) (text string, parts [][]operand) {
	i := 0
	for ; i < len(toks) && toks[i].Kind == cxx.String; i++ {
		if s, err := strconv.Unquote(toks[i].Text); err == nil {
			text += s
		}
	}
	for i < len(toks) {
		if toks[i].Is("::") {
			parts = append(parts, nil)
		} else if !toks[i].Is(":") {
			return "", nil
		}
		begin := i + 1
		depth := 0
		for i++; i < len(toks); i++ {
			switch {
			case toks[i].Is("("), toks[i].Is("["), toks[i].Is("{"):
				depth++
			case toks[i].Is(")"), toks[i].Is("]"), toks[i].Is("}"):
				depth--
			}
			if depth == 0 && (toks[i].Is(":") || toks[i].Is("::")) {
				break
			}
		}
		parts = append(parts, operands(source, toks[begin:i]))
	}
	return text, parts
}

func operands(source string, toks []cxx.Token) []operand {
	var out []operand
	// Operands may follow each other without a comma.
	for i := 0; i < len(toks); {
		if toks[i].Kind != cxx.String {
			i++
			continue
		}
		constraint, err := strconv.Unquote(toks[i].Text)
		if err != nil || i+1 >= len(toks) || !toks[i+1].Is("(") {
			i++
			continue
		}
		end := cxx.SkipGroup(toks, i+1)
		out = append(out, operand{constraint, expression(source, toks[i+1:end])})
		i = end
	}
	return out
}

// expression returns the text of tokens on one line, with a space for what stands between them.
func expression(source string, toks []cxx.Token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.Begin > toks[i-1].End {
			b.WriteByte(' ')
		}
		b.WriteString(source[t.Begin:t.End])
	}
	return b.String()
}

var (
	comments = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	// looksLikePTX matches an instruction or a declaration of PTX.
	looksLikePTX = regexp.MustCompile(`^(@!?%?\w+\s+)?(\.reg\b|\.pragma\b|[a-z][a-z0-9]*(\.[a-zA-Z0-9:_]+)+\b|(trap|exit|brkpt|ret)$)`)
	// modifier matches what looks like an operand with a modifier: a register such as %p1, if it stands beside operands.
	modifier = regexp.MustCompile(`(%[a-zA-Z])[0-9]`)
	// hostOnly are instructions of processors with a point in their names.
	hostOnly = regexp.MustCompile(`^(b|rep)\.`)
)

// isPTX reports whether the text of an asm statement is for a GPU.
func isPTX(text string) bool {
	for _, s := range strings.FieldsFunc(comments.ReplaceAllString(text, ""), func(r rune) bool { return r == ';' || r == '{' || r == '}' || r == '\n' }) {
		s = strings.TrimSpace(s)
		if m := label.FindStringSubmatch(s); m != nil {
			s = strings.TrimSpace(m[2])
		}
		if s != "" {
			return looksLikePTX.MatchString(s) && !hostOnly.MatchString(s)
		}
	}
	return false
}

// translate returns C++ for an asm statement.
func translate(text string, parts [][]operand, line int) (string, error) {
	if m := modifier.FindStringSubmatch(strings.ReplaceAll(text, "%%", "")); m != nil && len(parts) > 0 {
		return "", fmt.Errorf("%q is a modifier of an operand, which nvcc refuses: write %q for a register", m[1], "%"+m[1])
	}
	t := &translator{line: line, locals: map[string]string{}, labels: map[string]string{}, placed: map[string]bool{}}
	var begin, end strings.Builder
	for p, list := range parts[:min(2, len(parts))] {
		for _, o := range list {
			name := fmt.Sprintf("gw_%d", t.count)
			t.count++
			if p == 0 && !strings.HasPrefix(o.constraint, "+") {
				fmt.Fprintf(&begin, " ::gwptx::Reg %s;", name)
			} else {
				fmt.Fprintf(&begin, " ::gwptx::Reg %s = ::gwptx::in(%s);", name, o.expr)
			}
			if p == 0 {
				fmt.Fprintf(&end, " ::gwptx::out(%s, %s);", o.expr, name)
			}
		}
	}
	body := &strings.Builder{}
	for _, s := range strings.Split(comments.ReplaceAllString(text, " "), ";") {
		code, err := t.statement(strings.Join(strings.Fields(s), " "))
		if err != nil {
			return "", err
		}
		body.WriteString(code)
	}
	labels, err := t.localLabels()
	if err != nil {
		return "", err
	}
	return "do {" + labels + begin.String() + strings.Join(t.declared, "") + body.String() + end.String() + " } while (0)", nil
}
