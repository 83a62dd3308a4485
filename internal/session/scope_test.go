package session_test

import "testing"

// TestScope declares names in statements that mention what the name denoted before.
func TestScope(t *testing.T) {
	runTable(t, map[string][]step{
		"a variable of an earlier cell on the right": {
			{cell: "x := 1"},
			{cell: "x := x + 1\nx", result: "2"},
			{cell: "x := x + 1\nx", result: "3"},
			{cell: "x := float64(x) / 2\nx", result: "1.5"},
			{cell: "x, err := strconv.Atoi(fmt.Sprint(x * 2))\nfmt.Println(x, err)", stdout: "3 <nil>\n"},
			{cell: "err = nil\nx, err := fmt.Sprint(x+1), err\nx", result: `"4"`},
			{cell: "xs := []int{1}"},
			{cell: "xs := append(xs, 2)\nxs", result: "[1 2]"},
			{cell: "a, b := 1, \"b\""},
			{cell: "a, b := b, a\nfmt.Println(a, b)", stdout: "b 1\n"},
			{cell: "var a = a + \"!\"\na", result: `"b!"`},
			{cell: "get := func() string { return a }\na := len(a)\nfmt.Println(get(), a)", stdout: "b! 2\n"},
			{cell: "n, err := 1, error(nil)\nm, n := n, 2.5", err: "cannot use 2.5 (untyped float constant) as int value"},
			{cell: "p, err := 1, error(nil)"},
			{cell: "q, err := 2, err\np, err := float64(p)+0.5, fmt.Errorf(\"%d %v\", p, q)\nfmt.Println(p, err)", stdout: "1.5 1 2\n"},
		},
		"a func that calls the earlier one of its name": {
			{cell: "h := func() int { return 1 }\nfunc call() int { return h() }\nkeep := func() int { return h() }"},
			{cell: "h := func() int { return h() + 1 }\nfmt.Println(h(), call(), keep())", stdout: "2 2 1\n"},
			{cell: "var h = func() int { return h() * 10 }\nfmt.Println(h(), call(), keep())", stdout: "20 20 1\n"},
		},
		"a func, a type, a package, a builtin": {
			{cell: "func f(n int) int { return n * 2 }\ntype T struct{ n int }"},
			{cell: "f := f(4)\nf", result: "8"},
			{cell: "T := T{3}\nT.n", result: "3"},
			{cell: "strings := strings.Fields(\"a b\")\nlen := len(strings)\nfmt.Println(strings, len)", stdout: "[a b] 2\n"},
			{cell: "max := max(len, 7)\nmax", result: "7"},
		},
		"before the declaration": {
			{cell: "fmt.Println(y)\ny := 4", err: "cell[1]:1:13: undefined: y\n\ty is declared in line 2: statements run in their order"},
			{cell: "z := z + 1", err: "cell[2]:1:6: undefined: z\n\tthis is what declares z, so it has no value yet"},
			{cell: "fib := func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }", err: "undefined: fib"},
			{cell: "func use() int { return y }\ny := 4\nuse()", result: "4"},
			{cell: "fmt.Println(y)\ny := \"text\"\nfmt.Println(y)", stdout: "use (cell[4]) keeps the earlier y: it does not compile with the new one\n4\ntext\n"},
			{cell: "v := struct{ w int }{1}\nfmt.Println(v.w)\nw := 2", stdout: "1\n"},
			{cell: "for i := range 2 { u := i; fmt.Print(u) }\nu := 3", stdout: "01"},
			{cell: "aa := bb\nbb := 1", err: "undefined: bb"},
			{cell: "k = 1\nvar k int", err: "cell[9]:1:1: undefined: k"},
		},
		"an import after a variable of that name": {
			{cell: "strings := []string{\"a\"}\nfunc first() string { return strings[0] }"},
			{cell: "import \"strings\"", stdout: "dropped: strings (import \"strings\" has taken the name)\n"},
			{cell: "strings.ToUpper(first())", result: `"A"`},
			{cell: "strings := 3\nstrings", result: "3"},
			{cell: "import strings \"slices\"\nstrings.Max([]int{1, 2})", stdout: "dropped: strings (import \"slices\" has taken the name)\n", result: "2"},
			{cell: "first()", result: `"a"`},
			{cell: "func sort() int { return 1 }\nimport _ \"sort\"\nsort()", result: "1"},
		},
		"variables that need each other": {
			{cell: "var aa = bb\nvar bb = aa", err: "initialization cycle"},
			{cell: "var aa = bb + 1\nvar bb = 1\naa", result: "2"},
			{cell: "var c = g()\nfunc g() int { return d }\nvar d = 3\nc", result: "3"},
			{cell: "var aa = aa + bb\nvar bb = 10\naa", result: "12"},
		},
	})
}
