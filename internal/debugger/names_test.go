package debugger

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

func TestUserText(t *testing.T) {
	for text, want := range map[string]string{
		"*main/c2.Ͼpoint {Ͼx: 1, Y: 2}":             "*main.point {x: 1, Y: 2}",
		"map[string]main/c12.Ͼpoint [\"c3.a\": {}]": "map[string]main.point [\"c3.a\": {}]",
		"domain/c1.txt":  "domain/c1.txt",
		"`main/c4`.Ͼx":   "main.x",
		"c2.(*Ͼtree).Ͼf": "c2.(*tree).f",
		"fmt.Println":    "fmt.Println",
	} {
		if got := userText(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestFuncName(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"c2.Ͼadd", "cell[1]", "add"},
		{"c2.Ͼadd.func1", "cell[1]", "add.func1"},
		{"c4.ϾϾcell", "cell[4]", "cell[4]"},
		{"c4.ϾϾcell.func1", "cell[4]", "cell.func1"},
		{"c2.(*Ͼtree).Ͼf", "cell[1]", "(*tree).f"},
		{"c2.Tree.Walk", "cell[1]", "Tree.Walk"},
		{"strings.Map", "/usr/local/go/src/strings/strings.go", "strings.Map"},
	} {
		if got := funcName(c.name, c.source); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.name, got, c.want)
		}
	}
}

// TestMurmur2 compares with results of JupyterLab and ipykernel.
func TestMurmur2(t *testing.T) {
	for text, want := range map[string]uint32{
		"": 3990065800, "a": 2167009006, "ab": 2805137849, "abc": 3350977461, "abcd": 804720481,
		"x := 3\n": 38349966, "Ͼ世界!": 1943215171,
	} {
		if got := murmur2([]byte(text), hashSeed); got != want {
			t.Errorf("the hash of %q is %d, want %d", text, got, want)
		}
	}
}

func TestDelveText(t *testing.T) {
	variables := []session.Symbol{{Name: "x", Package: "main/c1", Full: "Ͼx"}, {Name: "p", Package: "main/c2", Full: "Ͼp"}}
	for _, c := range []struct {
		text    string
		members bool
		want    string
	}{
		{"x + y*x", false, "`main/c1`.Ͼx + y*`main/c1`.Ͼx"},
		{"p.x.Y[i]", false, "`main/c2`.Ͼp.x.Y[i]"},
		{"p.x.Y[i]", true, "`main/c2`.Ͼp.Ͼx.Y[i]"},
		{"local.x", false, "local.x"},
		{"i", false, "i"},
	} {
		got, err := delveText(c.text, map[string]bool{"i": true}, append(variables, session.Symbol{Name: "i", Package: "main/c3", Full: "Ͼi"}), c.members)
		if err != nil || got != c.want {
			t.Errorf("%s becomes %s, %v, want %s", c.text, got, err, c.want)
		}
	}
	if got, err := delveText("call f(", nil, variables, false); err == nil {
		t.Errorf("what is no expression becomes %s", got)
	}
}
