package session_test

import (
	"maps"
	"slices"
	"testing"
)

func TestKnowledge(t *testing.T) {
	n := newNotebook(t)
	names := func() []string { return slices.Sorted(maps.Keys(n.Knowledge().Names)) }
	for _, step := range []struct {
		what string
		do   func() error
		want []string
	}{
		{"a cell", func() error {
			_, err := n.cell("x := 1\n// f is one.\nfunc f() float64 { return math.Abs(1) }\nconst a, b = 1, 2")
			return err
		}, []string{"a", "b", "f", "x"}},
		{"a cell that panics", func() error {
			if _, err := n.cell("y := 2\npanic(y)"); err == nil {
				t.Error("no panic")
			}
			return nil
		}, []string{"a", "b", "f", "x", "y"}},
		{"a cell that does not compile", func() error {
			if _, err := n.cell("z := nowhere"); err == nil {
				t.Error("no error")
			}
			return nil
		}, []string{"a", "b", "f", "x", "y"}},
		{"forgetting", func() error { n.Forget("y", "b"); return nil }, []string{"a", "f", "x"}},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if got := names(); !slices.Equal(got, step.want) {
			t.Errorf("after %s: %q, want %q", step.what, got, step.want)
		}
	}

	k := n.Knowledge()
	var texts []string
	for _, d := range k.Declarations {
		for _, p := range d.Parts {
			texts = append(texts, p.Text)
			if p.Imports["math"] != "math" && d.Names[0] == "f" {
				t.Errorf("imports of f: %v", p.Imports)
			}
		}
	}
	if want := []string{"const a, b = 1, 2", "// f is one.\nfunc f() float64 { return math.Abs(1) }"}; !slices.Equal(texts, want) {
		t.Errorf("declarations %q, want %q", texts, want)
	}
	// A Knowledge does not change.
	if _, err := n.cell("later := 1"); err != nil {
		t.Fatal(err)
	}
	if _, ok := k.Names["later"]; ok {
		t.Error("what was known before has changed")
	}
	if _, ok := n.Knowledge().Names["later"]; !ok {
		t.Error("the last cell is not known")
	}
}
