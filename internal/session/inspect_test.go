package session_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

func TestSourceOfVariable(t *testing.T) {
	const cell = `import "fmt"
x, y := 1, 2; z := 3
// limits of it
var (
	low, high float64
)
fmt.Println(x)
x = 4
for i := range 3 { k := i }
`
	for name, want := range map[string]string{
		"y":    "x, y := 1, 2",
		"z":    "z := 3",
		"high": "// limits of it\nvar (\n\tlow, high float64\n)",
		"k":    "",
		"fmt":  "",
	} {
		if got := session.SourceOfVariable(cell, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestDeclared(t *testing.T) {
	n := newNotebook(t)
	for _, text := range []string{
		"// point is a place.\ntype point struct{ x, y int }\nconst limit = 3\nfunc norm(p *point) float64 { return 0 }",
		"p := &point{}\nfunc (p *point) move(dx int) { p.x += dx }",
	} {
		if _, err := n.cell(text); err != nil {
			t.Fatal(err)
		}
	}
	want := []session.Declared{
		{Name: "limit", Kind: "const", Type: "untyped int", Cell: "cell[1]", Source: "const limit = 3"},
		{Name: "norm", Kind: "func", Type: "func(p *point) float64", Cell: "cell[1]", Source: "func norm(p *point) float64 { return 0 }"},
		{Name: "p", Kind: "var", Type: "*point", Cell: "cell[2]", Variable: cell.Variable{Cell: 2, Name: "Ͼp"}},
		{
			Name: "point", Kind: "type", Type: "struct{x int; y int}", Cell: "cell[1]",
			Source: "// point is a place.\ntype point struct{ x, y int }\n\nfunc (p *point) move(dx int) { p.x += dx }",
		},
	}
	got := n.Declared()
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	n.Forget("point", "limit")
	if _, err := n.cell("limit"); err == nil {
		t.Error("a forgotten name is known")
	}
	if r, err := n.cell("norm(p)"); err != nil || r.result() != "0" {
		t.Errorf("a function of a forgotten type: %q, %v", r.result(), err)
	}
	if _, err := n.cell("func norm(p *point) float64 { return 1 }"); err == nil {
		t.Error("a forgotten type is known")
	}
	if _, err := n.cell("type point struct{ z int }\nq := point{z: 1}"); err != nil {
		t.Errorf("a forgotten type can't be declared again: %v", err)
	}
}
