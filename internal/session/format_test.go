package session_test

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

func TestFormat(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"statements":         {"x:=1\nif x>0{\nx++ // more\n}", "x := 1\nif x > 0 {\n\tx++ // more\n}"},
		"a statement, funcs": {"import   \"fmt\"\nx:=1 // one\n\n// twice doubles.\nfunc  twice(n int)int{\nreturn 2*n}\n// of all\nfmt.Println( twice(x) )\n", "import \"fmt\"\nx := 1 // one\n\n// twice doubles.\nfunc twice(n int) int {\n\treturn 2 * n\n}\n// of all\nfmt.Println(twice(x))\n"},
		"types and values":   {"type pair struct{\na int\nlonger string}\nvar p   pair\np.a=2", "type pair struct {\n\ta      int\n\tlonger string\n}\nvar p pair\np.a = 2"},
		"groups of types":    {"type (\na int\nlonger string\n)\nfunc f(){}", "type (\n\ta      int\n\tlonger string\n)\n\nfunc f() {}"},
		"indented":           {"\n\n\tx := 1\n\tif true {\n\t}", "\n\nx := 1\nif true {\n}"},
		"raw strings":        {"s:=`a\n  b\n\tc`\nfor i:=range 2{\nt:=`\n x`\n}", "s := `a\n  b\n\tc`\nfor i := range 2 {\n\tt := `\n x`\n}"},
		"only a comment":     {"  // nothing\n", "// nothing\n"},
		"nothing":            {"\n", "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := session.Format(tc.text)
			if err != nil || got != tc.want {
				t.Errorf("%q, %v\nwant %q", got, err, tc.want)
			}
			if again, err := session.Format(got); err != nil || again != got {
				t.Errorf("formatted again: %q, %v", again, err)
			}
		})
	}
	if got, err := session.Format("x := 1\ny := (2"); err == nil || !strings.Contains(err.Error(), "cell:2") {
		t.Errorf("wrong text: %q, %v", got, err)
	}
}
