package cxx

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestLex(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"operators are single characters", "a<<=b::c", "a|<|<|=|b|::|c"},
		{"comments", "a/* b\n*/c // d\\\n e\nf", "a|c|f"},
		{"line join", "ab\\\ncd", "ab|cd"},
		{"numbers", "1e-3+0x1p+4 1'000u .5 x.y", "1e-3|+|0x1p+4|1'000u|.5|x|.|y"},
		{"literals", `"a\"b" 'c' u8"d" L'e' f"g"`, `"a\"b"|'c'|u8"d"|L'e'|f|"g"`},
		{"raw strings", "R\"x(a\n)\" b)x\" uR\"(c)\" R'd'", "R\"x(a\n)\" b)x\"|uR\"(c)\"|R|'d'"},
		{"directives", " # define A(x) \"//\" /* b */ x \\\n c // d\ne # f", `# define A(x) "//"   x   c|e|#|f`},
		{"header names", "#include <a//b.h>\n#if a <b//c>\nd", "#include <a//b.h>|#if a <b|d"},
		{"directive after a comment", "/* a */ #b\nc", "#b|c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			toks, err := Lex(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, tok := range toks {
				texts = append(texts, tok.Text)
				if tok.Kind != Directive && tt.source[tok.Begin:tok.End] != tok.Text {
					t.Errorf("%q stands at %q", tok.Text, tt.source[tok.Begin:tok.End])
				}
				if line := 1 + strings.Count(tt.source[:tok.Begin], "\n"); tok.Line != line {
					t.Errorf("%q is on line %d, want %d", tok.Text, tok.Line, line)
				}
			}
			if got := strings.Join(texts, "|"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A literal or comment that is not closed is an error of Lex, and All continues after it.
func TestUnclosed(t *testing.T) {
	tests := []struct {
		source string
		line   int
		msg    string
		rest   string // what All has after the first token
	}{
		{"a\n/* b\nc", 2, "*/ is missing", ""},
		{"a \"b\nc", 1, "not closed on its line", "c"},
		{"a 'b\\", 1, "never closed", ""},
		{"a R\"x(b)\"\nc", 1, `)x" is missing`, "c"},
		{"a R\"12345678901234567(\nc", 1, "no opening parenthesis", "c"},
		{"a\n#b\\\n/* c\nd", 3, "*/ is missing", ""},
	}
	for _, tt := range tests {
		_, err := Lex(tt.source)
		var e *Error
		if !errors.As(err, &e) || e.Line != tt.line || !strings.Contains(e.Msg, tt.msg) {
			t.Errorf("%q: got %v, want line %d: %s", tt.source, err, tt.line, tt.msg)
		}
		toks := slices.Collect(All(tt.source))
		var rest []Token
		if i := slices.IndexFunc(toks, func(t Token) bool { return t.Problem != "" }); i >= 0 {
			rest = toks[i+1:]
		}
		if got := Join(rest); got != tt.rest {
			t.Errorf("%q: after the problem come %q, want %q", tt.source, got, tt.rest)
		}
	}
}

func TestGroups(t *testing.T) {
	toks, err := Lex("f<(a > b), {c, d}>(e[1, 2], g) , h")
	if err != nil {
		t.Fatal(err)
	}
	if got := Join(toks[SkipAngles(toks, 1):]); got != "(e[1, 2], g) , h" {
		t.Errorf("after the angles stands %q", got)
	}
	parts := Split(toks)
	if len(parts) != 2 || Join(parts[1]) != "h" {
		t.Errorf("got %d parts", len(parts))
	}
	if i := TopLevel(toks, "c"); i != -1 {
		t.Errorf("c is at %d", i)
	}
	if !Has(toks, "c") || Has(toks, "x") {
		t.Error("c is there, and x is not")
	}
}

// FuzzAll reads any text. The tokens must be in order, with only white space between them.
func FuzzAll(f *testing.F) {
	for _, s := range []string{"a/*b*/#c\n\"d", "R\"(x)\"", "#include <a", "1'0 'x", "\\\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		at := 0
		for tok := range All(src) {
			if tok.Begin < at || tok.End <= tok.Begin || tok.End > len(src) {
				t.Fatalf("token %+v after %d", tok, at)
			}
			if gap := strings.NewReplacer("\\\r\n", "", "\\\n", "").Replace(src[at:tok.Begin]); strings.Trim(gap, " \t\r\n\f\v") != "" {
				t.Fatalf("%q is left out", gap)
			}
			at = tok.End
		}
	})
}
