package magics

import (
	"strings"
	"testing"
)

func TestSpot(t *testing.T) {
	e := &Engine{magics: all()}
	for _, tc := range []struct{ cell, language, text, line string }{
		{"x := 1\n‸x", "go", "x := 1\nx", ""},
		{"%gpu sim\nx‸", "go", "        \nx", ""},
		{"%gp‸u sim\nx", "", "", "%gp"},
		{"x\n%time f(‸x)\ny", "go", "x\n      f(x)\ny", ""},
		{"%timeit -n 3 -‸\n", "", "", "%timeit -n 3 -"},
		{"%timeit -n 3 f‸\n", "go", "             f\n", ""},
		{"%timeit ‸\n", "", "", "%timeit "},
		{"\n%%cuda -DN=3\nint‸ x;\n", "cuda", "\n            \nint x;\n", ""},
		{"%%cuda -D‸N=3\nint x;\n", "", "", "%%cuda -D"},
		{"%%bash\nls‸", "shell", "      \nls", ""},
		{"%%time\n!ls\r\nf(‸)", "go", "      \n   \r\nf()", ""},
		{"%%\nx‸", "go", "  \nx", ""},
		{"!ls \\\n  x‸\n", "", "", "  x"},
		{"s := `\n%gpu‸\n`", "go", "s := `\n%gpu\n`", ""},
		{"‸", "go", "", ""},
	} {
		before, after, _ := strings.Cut(tc.cell, "‸")
		s := e.spot(before+after, len(before))
		if s.language != tc.language || s.line != tc.line || tc.language != "" && s.text != tc.text {
			t.Errorf("%q: %q, text %q, line %q; want %q, %q, %q", tc.cell, s.language, s.text, s.line, tc.language, tc.text, tc.line)
		}
	}
}
