package completion

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCell splits any text. The text before the cursor must stay the same.
func FuzzCell(f *testing.F) {
	for _, text := range []string{
		"x := 1\nx‸", "fmt.Println(x.‸\ny := 2", "for i := 0; i < 3; i++ { a‸ }", "// c‸\nvar x = `a\n", "import (\n\"fm‸t\"\n)",
		"// doc\nx, err := f(‸", "type t struct{ a int }; t{‸}", "func (t t) m() { t.‸ }", "x, y := 1‸", "/* a */ b := 2 /* ‸ */", "L:\nfor {\nbreak ‸L\n}",
		"{[(‸", "/*a‸", "/* \r */ x‸", "a := `‸", "x := 'ф'; ‸ф := \"日本\"",
	} {
		before, after, _ := strings.Cut(text, "‸")
		f.Add(before+after, len(before))
	}
	f.Fuzz(func(t *testing.T, text string, offset int) {
		if offset < 0 || offset > len(text) || !utf8.ValidString(text) || offset < len(text) && !utf8.RuneStart(text[offset]) {
			t.Skip()
		}
		if named, at := NameAt(text, offset); at > len(named) || at >= 0 && NameLength(named[at:]) == 0 {
			t.Errorf("%q at %d: no name at %d of %q", text, offset, at, named)
		}
		c := newCell(text, offset)
		if c.text[:offset] != strings.ReplaceAll(text[:offset], "\r", " ") {
			t.Fatalf("%q has become %q", text, c.text)
		}
		start, word := c.word()
		if start+len(word) != offset {
			t.Errorf("%q at %d: the word %q begins at %d", text, offset, word, start)
		}
		lit, inside := c.literal()
		if inside && (lit.start >= offset || lit.end < offset) {
			t.Errorf("%q at %d: not in %+v", text, offset, lit)
		}
		if inside {
			return // the other checks do not apply
		}
		source, at := c.source()
		if p := c.pieces[len(c.pieces)-1]; p.decl && strings.HasPrefix(c.text[p.first:], "import") {
			return // it has no cursor in the source
		}
		if before := source[:at]; !strings.HasSuffix(before, word) {
			t.Errorf("%q at %d: %q before the place in\n%s", text, offset, before, source)
		}
	})
}
