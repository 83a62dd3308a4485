package session_test

import (
	"go/parser"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// TestOutlineFindsImports imports packages for an outline that no cell has used. Packages of the same name are told apart by what is selected.
func TestOutlineFindsImports(t *testing.T) {
	n := newNotebook(t)
	o, err := n.Outline(t.Context(), session.Source{Name: "cell 1", Text: "func f() int { return 1 }"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"suffixarray", "suffixarray.New(nil)", "index/suffixarray"},
		{"template", "template.HTML(text)", "html/template"},
		{"template", "template.Must(nil, nil)", "text/template"},
		{"nothing", "nothing.New()", ""},
	} {
		in, err := parser.ParseExpr(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got := o.FindImport(c.name, in)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		if got == "" {
			continue
		}
		if _, err := o.Importer.Import(got); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
