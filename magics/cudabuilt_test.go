package magics

import "testing"

// What stands between backquotes is code in a page, and nothing is markup that was not.
func TestParagraph(t *testing.T) {
	d := &document{}
	d.paragraph("Run `pip install a<b`, or `c`")
	if got, want := d.page.String(), "<p>Run <code>pip install a&lt;b</code>, or <code>c</code></p>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := d.plain.String(), "Run `pip install a<b`, or `c`\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
