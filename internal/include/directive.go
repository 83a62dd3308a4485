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
			operand, ok := strings.CutPrefix(strings.TrimSpace(t.Text[1:]), "include")
			operand = strings.TrimPrefix(operand, "_next")
			if !ok || operand != "" && cxx.IsIdentPart(operand[0]) {
				continue
			}
			d := Directive{Line: t.Line}
			operand = strings.TrimSpace(operand)
			for _, marks := range []string{`""`, "<>"} {
				if strings.HasPrefix(operand, marks[:1]) {
					if name, _, closed := strings.Cut(operand[1:], marks[1:]); closed {
						d.Name, d.Quoted = name, marks == `""`
					}
				}
			}
			if !yield(d) {
				return
			}
		}
	}
}
