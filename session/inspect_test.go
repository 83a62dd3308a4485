package session_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/session"
)

func TestSourceOf(t *testing.T) {
	const cell = `import "fmt"
// point is a place.
type point struct{ x, y int }

func (p *point) move(dx int) { p.x += dx }
const (
	a = iota
	b
)
x, y := 1, 2; z := 3
func (s stack[T]) len() int { return len(s.items) }
fmt.Println(x)
x = 4
`
	for name, want := range map[string]string{
		"point": "// point is a place.\ntype point struct{ x, y int }\n\nfunc (p *point) move(dx int) { p.x += dx }",
		"b":     "const (\n\ta = iota\n\tb\n)",
		"y":     "x, y := 1, 2",
		"z":     "z := 3",
		"stack": "func (s stack[T]) len() int { return len(s.items) }",
		"move":  "",
		"fmt":   "",
	} {
		if got := session.SourceOf(cell, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
