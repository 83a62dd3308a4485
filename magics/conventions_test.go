package magics

import (
	"strings"
	"testing"
)

func TestLastWord(t *testing.T) {
	for _, tc := range []struct {
		line, typed, value string
		quoted             bool
	}{
		{"ls", "ls", "ls", false},
		{"ls a/b", "a/b", "a/b", false},
		{"ls ", "", "", false},
		{`cat My\ F`, `My\ F`, "My F", false},
		{`cat "My F`, "My F", "My F", true},
		{`cat 'a b' c`, "c", "c", false},
		{"sort <in>ou", "ou", "ou", false},
		{"X=~/d", "~/d", "~/d", false},
		{"a|b;c&d", "d", "d", false},
		{`a\`, `a\`, `a\`, false},
	} {
		if typed, value, quoted := lastWord(tc.line); typed != tc.typed || value != tc.value || quoted != tc.quoted {
			t.Errorf("%s: %q, %q, %v, want %q, %q, %v", tc.line, typed, value, quoted, tc.typed, tc.value, tc.quoted)
		}
	}
}

func TestInMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"__global__ functions and __x": "`__global__` functions and \\_\\_x",
		"a*b*c <b> [x](y) a|b $A $B":   `a\*b\*c \<b\> \[x\](y) a\|b \$A \$B`,
		"`code` ~~x~~ # & \\":          "\\`code\\` \\~\\~x\\~\\~ \\# \\& \\\\",
		"plain, with (parentheses).":   "plain, with (parentheses).",
	} {
		if got := inMarkdown(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestAsCell(t *testing.T) {
	for _, tc := range []struct{ file, want string }{
		{"// a\npackage main\n\nfunc main() {}\n", "// a\n            \n\nfunc main() {}\n"},
		{"package tools\n\nfunc main() {}\n", "             \n\nfunc main() {}\n"},
		{"package main; var x = 1", "            ; var x = 1"},
		{"package main\ntype t int\nfunc (t) main() {}", "            \ntype t int\nfunc (t) main() {}"},
	} {
		if got, err := asCell("a.go", tc.file); err != nil || got != tc.want {
			t.Errorf("%q: %q, %v, want %q", tc.file, got, err, tc.want)
		}
	}
	if _, err := asCell("a.go", "package main\nfunc {"); err == nil || !strings.Contains(err.Error(), "run a.go:2:6") {
		t.Errorf("a file that is not Go: %v", err)
	}
}
