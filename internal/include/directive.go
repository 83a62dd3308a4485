package include

import (
	"iter"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A Directive is an #include in a text.
type Directive struct {
	Name   string // of the file; "" if a macro makes it
	Quoted bool   // the name stands in quotes
	Line   int
}

// Directives iterates over those of a text, which need not be whole.
func Directives(text string) iter.Seq[Directive] {
	return func(yield func(Directive) bool) {
		for t := range cxx.All(text) {
			if t.Kind != cxx.Directive {
				continue
			}
			if d, ok := parse(t); ok && !yield(d) {
				return
			}
		}
	}
}

// parse takes a directive apart; ok is false if it is no #include.
func parse(t cxx.Token) (d Directive, ok bool) {
	operand, ok := strings.CutPrefix(strings.TrimSpace(t.Text[1:]), "include")
	operand = strings.TrimPrefix(operand, "_next")
	if !ok || operand != "" && cxx.IsIdentPart(operand[0]) {
		return Directive{}, false
	}
	d.Line = t.Line
	operand = strings.TrimSpace(operand)
	for _, marks := range []string{`""`, "<>"} {
		if name, ok := strings.CutPrefix(operand, marks[:1]); ok {
			if name, _, closed := strings.Cut(name, marks[1:]); closed {
				d.Name, d.Quoted = name, marks == `""`
			}
		}
	}
	return d, true
}
