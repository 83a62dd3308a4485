package session_test

import "testing"

func TestLanguage(t *testing.T) {
	runTable(t, map[string][]step{
		"init order": {
			{cell: "var a = f()\nvar b = 1\nfunc f() int { n++; return b + 1 }\nvar n int"},
			{cell: "fmt.Println(a, b, n)", stdout: "2 1 1\n"},
			{cell: "var (\n\t_ = p(\"x\", d)\n\tc = p(\"c\", 0)\n\td = p(\"d\", c)\n)\nfunc p(s string, _ int) int { fmt.Print(s); return 1 }\nfunc init() { fmt.Print(\" init\", c+d) }\nfunc init() { fmt.Println(\" again\") }\nfmt.Println(\"then\")", stdout: "cdx init2 again\nthen\n"},
			{cell: "type t struct{}\nfunc (t) get() int { return later }\nvar first = t{}.get()\nvar later = 7"},
			{cell: "first", result: "7"},
			{cell: "var now = later + 1\nlater = 0\nvar later = 5\nnow", result: "8"},
			{cell: "var e = g()\nfunc g() int { return h() }\nfunc h() int { return e + k }\nvar k = 2\ne", result: "2"},
			{cell: "x := 1\nvar y = x + z\nx = 2\nvar z = x\nfmt.Println(y, z)", stdout: "1 2\n"},
		},
		"labels and goto": {
			{cell: "n := 0\nouter:\nfor i := 0; i < 3; i++ {\n\tfor j := 0; ; j++ {\n\t\tif j > i { continue outer }\n\t\tif i == 2 { break outer }\n\t\tn++\n\t}\n}\nn", result: "3"},
			{cell: "n = 0\nagain:\nn++\nif n < 5 { goto again }\nn", result: "5"},
			{cell: "one: two:\nfor i := 0; i < 2; i++ { if i == 1 { break two } }\nn", err: "label one declared and not used"},
			{cell: "func count(n int) (s int) {\nloop:\n\tif n == 0 { return }\n\ts += n\n\tn--\n\tgoto loop\n}\ncount(4)", result: "10"},
			{cell: "pick: switch x := n; { case x > 3: break pick; default: n = 0 }\nn", result: "5"},
		},
		"dot imports": {
			{cell: "import . \"strings\"\nToUpper(\"a\")", result: `"A"`},
			{cell: "func up(s string) string { return ToUpper(s) + mark }\nconst mark = \"!\""},
			{cell: "Repeat(\"ab\", 2) + up(\"c\")", result: `"ababC!"`},
			{cell: "Title := \"mine\"\nfunc Fields(s string) int { return len(s) }"},
			{cell: "fmt.Println(Title, Fields(\"a b\"), up(\"x\"))", stdout: "mine 3 X!\n"},
			{cell: "const mark = \"?\"\nup(Title)", result: `"MINE?"`},
			{cell: "import . \"strings\"\nFields(\"a b\")", result: "[a b]"},
		},
		"names that nobody can use": {
			{cell: "type _ struct{ n int }\nvar _ = 3\nconst _ = 4\nfunc _() {}\nfunc (t) _() {}\ntype t int"},
			{cell: "type _ struct{ n int }\nt(3)", result: "3"},
		},
		"names in stack traces and instances": {
			{cell: "type foo struct{ v int }\ntype box[T any] struct{ in T }\nfunc where() string { pc, _, line, _ := runtime.Caller(1); return fmt.Sprint(runtime.FuncForPC(pc).Name(), \" \", line) }"},
			{cell: "fmt.Printf(\"%T %T\\n\", box[foo]{}, map[foo]*box[box[foo]]{})", stdout: "main.box[main.foo] map[main.foo]*main.box[main.box[main.foo]]\n"},
			{cell: "func (foo) here() string { return where() }\nfoo{}.here()", result: `"main.foo.here 1"`},
			{cell: "strings.Contains(string(debug.Stack()), \"Ͼ\")", result: "false"},
			{cell: "var p *foo\nvar i interface{ here() string } = p\ni.here()", err: "value method main.foo.here called using nil *foo pointer"},
		},
	})
}
