package session

import "testing"

func TestEditList(t *testing.T) {
	const text = "for i := range n {}"
	type edits []edit
	for name, c := range map[string]struct {
		edits    edits
		from, to int
		want     string // or an error if empty
	}{
		"none":                         {nil, 0, len(text), text},
		"in any order":                 {edits{{15, 16, "m"}, {4, 5, "k"}}, 0, len(text), "for k := range m {}"},
		"insertions at one place":      {edits{{4, 4, "a"}, {4, 4, "b"}}, 0, len(text), "for abi := range n {}"},
		"before and after replacement": {edits{{4, 4, "("}, {4, 5, "k"}, {5, 5, ")"}}, 0, len(text), "for (k) := range n {}"},
		"outside of the part":          {edits{{4, 5, "k"}, {15, 16, "m"}}, 6, 16, ":= range m"},
		"at the ends of the part":      {edits{{6, 6, "("}, {16, 16, ")"}}, 6, 16, "(:= range n)"},
		"across the ends of the part":  {edits{{4, 7, "x"}, {15, 18, "y"}}, 6, 16, ":= range n"},
		"overlap":                      {edits{{4, 8, "x"}, {6, 10, "y"}}, 0, len(text), ""},
		"an insertion in replacement":  {edits{{4, 8, "x"}, {6, 6, "y"}}, 0, len(text), ""},
		"overlap outside of the part":  {edits{{4, 8, "x"}, {6, 6, "y"}}, 9, len(text), "range n {}"},
	} {
		got, err := editList(c.edits).apply(text, c.from, c.to)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
}
