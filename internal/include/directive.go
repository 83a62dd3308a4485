package include

import (
	"iter"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A Directive is an #include directive.
type Directive struct {
	Name   string // of the file; "" if it is made by a macro
	Quoted bool   // the name is in quotes
	Line   int
}

// Directives iterates over the include directives of a text, which need not be complete.
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

// parse parses a directive; ok reports whether it is an #include.
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
