package render

import "testing"

func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one", "one"},
		{" one  two\nthree ", "one two\nthree"},
		{"äöü äöü äö", "äöü äöü\näö"},
		{"a longer-than-it a", "a\nlonger-than-it\na"},
	} {
		if got := Wrap(c.text, 7); got != c.want {
			t.Errorf("Wrap(%q, 7) = %q, want %q", c.text, got, c.want)
		}
	}
}
