package session_test

import (
	"errors"
	"go/version"
	"runtime"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// TestHints checks messages with their positions and, after an arrow, their hints. Only their beginnings are compared.
func TestHints(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("count := 1\nfunc half(x float32) float32 { return x / 2 }\ntype shape interface{ area() float64 }")
	cut := "2:15: cannot use strings.Cut(\"a\", \"b\") (value of type bool) as int value in assignment"
	if version.Compare(runtime.Version(), "go1.27") >= 0 {
		cut = "2:15: cannot use 3rd function result (value of type bool) as int value in multiple assignment"
	}
	for _, tc := range []struct {
		cell string
		want []string
	}{
		{"func f() {\n\tx := 1\n}", []string{"2:2: declared and not used: x → Go wants each variable of a func or block to be used: use it, remove it, or write _ for it"}},
		{"func f() int {\n\tfor { break }\n}", []string{"3:1: missing return → a func with results must end in return, or panic, on every path"}},
		{"if count > 0 {\n\tcount := 2\n}", []string{"2:2: declared and not used: count → this makes another count, which hides that of cell[1]: write = instead of := to set that one"}},
		{"func f() (n int) {\n\tn = 2\n\tif n > 0 {\n\t\tn := 3\n\t}\n\treturn\n}", []string{"4:3: declared and not used: n → this makes another n, which hides the one of line 1: write = instead of := to set that one"}},
		{"func f(a int) { a := 2; _ = a }", []string{"1:19: no new variables on left side of := → all of these names are declared already: use = to assign to them"}},
		{"x = 3\nfor i = 0; i < 2; i++ {}", []string{
			"1:1: undefined: x → write := instead of = to declare it", "2:5: undefined: i → write := instead of = to declare it",
		}},
		{"x := strconv.Atoi(\"1\")\ny, z := os.Getwd, os.Getwd()", []string{
			"1:6: multiple-value strconv.Atoi(\"1\") (value of type (int, error)) in single-value context → the last value is an error: write v, err := …, or must(…) around the call for the value alone",
			"2:19: multiple-value os.Getwd() (value of type (dir string, err error)) in single-value context",
		}},
		{"var s, v string\ns, v, count = strings.Cut(\"a\", \"b\")\ns = strings.Cut(v, \"b\")", []string{cut, "3:5: assignment mismatch: 1 variable but strings.Cut returns 3 values → write 3 names on the left, _ for values that you do not need"}},
		{"var f float64\nfunc g() { var n int; n = strconv.Atoi(\"1\"); _ = n }", []string{"2:27: assignment mismatch: 1 variable but strconv.Atoi returns 2 values → the last value is an error: give it a name too (v, err := …), or write must(…) around the call for the rest"}},
		{"y := 2.5\nz := count * (y + 1)", []string{"2:6: invalid operation: count * (y + 1) (mismatched types int and float64) → Go converts no numbers by itself: write float64(count) * (y + 1)"}},
		{"y := 2.5\nhalf(y)", []string{"2:6: cannot use y (variable of type float64) as float32 value in argument to half (parameter x) → Go converts no numbers by itself: write float32(y)"}},
		{"var i int = 2.5\nvar s string = 5\nvar j int = \"5\"\nvar b int8 = 300", []string{"1:13: cannot use 2.5 (untyped float constant) as int value in variable declaration (truncated) → int holds no fractions", "2:16: cannot use 5 (untyped int constant) as string value in variable declaration → text stands in double quotes: \"5\"", "3:13: cannot use \"5\" (untyped string constant) as int value in variable declaration → numbers stand without quotes: 5", "4:14: cannot use 300"}},
		{"s := \"n = \" + count", []string{"1:6: invalid operation: \"n = \" + count (mismatched types untyped string and int) → make text of the number: fmt.Sprint(n), or strconv.Itoa(n) for an int"}},
		{"strings.toUpper(\"a\")\nfmt.Printline(1)\nnowhere.F()", []string{"1:9: undefined: strings.toUpper (but have ToUpper)", "2:5: undefined: fmt.Printline → did you mean fmt.Println?", "3:1: undefined: nowhere → no cell declares it and no package of the standard library has this name: import a package of another module by its whole path"}},
		{"var f float = 3\nx := None\nconut + 1", []string{"1:7: undefined: float → in Go that is float64, or float32, which is what CUDA calls float", "2:6: undefined: None → in Go that is nil", "3:1: undefined: conut → did you mean count?"}},
		{"type sq struct{}\nfunc (s *sq) area() float64 { return 1 }\nvar sh shape = sq{}", []string{"3:16: cannot use sq{} (value of struct type sq) as shape value in variable declaration: sq does not implement shape (method area has pointer receiver) → the methods belong to the pointer: write & before the value"}},
		{"m := map[string]struct{ a int }{}\nm[\"k\"].a = 3", []string{"2:1: cannot assign to struct field m[\"k\"].a in map → what is in a map can't be changed in place"}},
		{"var e error = \"x\"\nif count { }\nreturn 1", []string{"1:15: cannot use \"x\" (constant of type string) as error value", "2:4: non-boolean condition in if statement → write a comparison", "3:8: too many return values\n\thave (number)\n\twant () → a cell returns nothing: the value of its last expression is shown"}},
		{"var x int\n\nfunc x() {}", []string{"3:6: x redeclared in this block → the other one is in line 1"}},
		{"if true {\n}\nelse {\n}", []string{"3:1: expected statement, found 'else' → else stands on the line of the brace before it: } else {"}},
		{"for i := range 3\n{\n}", []string{"2:1: unexpected { → the brace stands on the line of what it belongs to, the one above"}},
		{"s := 'hello'\nx := a ? 1 : 2", []string{"1:6: illegal rune literal → strings stand in double quotes: \"text\"", "2:8: illegal character U+003F '?' → Go has no ? : operator: use if"}},
		{"while count < 3 { count++ }", []string{"1:7: expected ';', found count → Go's only loop is for: for condition { … }"}},
		{"x := []int{\n\t1,\n\t2\n}", []string{"3:3: missing ',' before newline in composite literal → a list that goes on in the next line needs a comma at the end of each, also the last"}},
		{"f := func() {}\n\nfmt.Println(1,", []string{"3:12: this ( is never closed → a ) is missing"}},
		{"x := 1\n\nimport \"encoding/jsno\"", []string{"3:8: package encoding/jsno is not in the standard library"}},
		{"def f(x):\n\treturn x", []string{"1:5: expected ';', found f → a function begins with func: func name(x int) int { … }"}},
		{"int n = 3", []string{"1:5: expected ';', found n → the type comes after the name: var x int = 1, or x := 1"}},
		{"defer recover", []string{"1:14: expression in defer must be function call → put () after it"}},
	} {
		_, err := n.cell(tc.cell)
		var list *session.CompileError
		if !errors.As(err, &list) {
			t.Errorf("%s\nerror %v", tc.cell, err)
			continue
		}
		var got []string
		for _, p := range list.Problems {
			text := strings.TrimPrefix(p.String(), p.Pos.Filename+":")
			if p.Hint != "" {
				text += " → " + p.Hint
			}
			got = append(got, text)
		}
		ok := len(got) == len(tc.want)
		for i := 0; ok && i < len(got); i++ {
			ok = strings.HasPrefix(got[i], tc.want[i])
		}
		if !ok {
			t.Errorf("%s\nproblems\n\t%s\nwant\n\t%s", tc.cell, strings.Join(got, "\n\t"), strings.Join(tc.want, "\n\t"))
		}
	}
	if got := n.mustRun("count").result(); got != "1" {
		t.Errorf("count is %s", got)
	}
}
