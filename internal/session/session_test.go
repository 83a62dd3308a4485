package session_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// recorder keeps the output of cells.
type recorder struct {
	mu             sync.Mutex
	stdout, stderr strings.Builder
	results        []map[string]any
	displays       []map[string]any
}

func (r *recorder) Stream(name, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name == "stdout" {
		r.stdout.WriteString(text)
	} else {
		r.stderr.WriteString(text)
	}
}

func (r *recorder) Display(data, _ map[string]any, _ string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.displays = append(r.displays, data)
}

func (r *recorder) UpdateDisplay(data, m map[string]any, id string) { r.Display(data, m, id) }

func (r *recorder) Result(data, _ map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results = append(r.results, data)
}

func (r *recorder) ClearOutput(bool) {}

func (r *recorder) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("nobody to ask")
}

// result returns the text of the last result, or "".
func (r *recorder) result() string {
	if len(r.results) == 0 {
		return ""
	}
	return fmt.Sprint(r.results[len(r.results)-1]["text/plain"])
}

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		os.Exit(m.Run())
	}
	// The first session would build the session program, and print that in its first cell.
	config := session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources}
	if _, err := session.OpenToolchain(context.Background(), config, func(string) {}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// cacheDir returns the cache of all tests: building the session program takes long.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "gopherwarp-test")
}

// needSession skips a test that opens a session, which takes too long for -short.
func needSession(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: makes a session; run the tests without -short")
	}
}

type notebook struct {
	t *testing.T
	*session.Session
	n   int
	dir string
}

func newNotebook(t *testing.T) *notebook {
	t.Helper()
	return newNotebookIn(t, t.TempDir())
}

func newNotebookIn(t *testing.T, dir string) *notebook {
	t.Helper()
	needSession(t)
	s, err := session.New(session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &notebook{t: t, Session: s, dir: dir}
}

// cell runs a cell.
func (n *notebook) cell(text string) (*recorder, error) {
	n.n++
	r := &recorder{}
	err := n.Run(context.Background(), session.Source{Name: fmt.Sprintf("cell[%d]", n.n), Text: text}, r)
	return r, err
}

// A step is a cell and its expected output.
type step struct {
	cell   string
	stdout string
	result string
	err    string // part of the error; none if empty
}

func TestCells(t *testing.T) {
	runTable(t, map[string][]step{
		"unexported names cross cells and stay hidden": {
			{cell: "type node struct{ val int; next *node }"},
			{cell: "n := &node{val: 3}"},
			{cell: "n.next = &node{val: 4}"},
			{cell: `fmt.Printf("%+v\n", *n.next)`, stdout: "{val:4 next:<nil>}\n"},
			{cell: "json.Marshal(*n)", result: "[123 125]"},
			{cell: "string(must(json.Marshal(*n)))", result: `"{}"`},
			{cell: `fmt.Printf("%T %v", n, reflect.TypeOf(*n).PkgPath())`, stdout: "*main.node main"},
		},
		"interfaces of packages with unexported methods keep their package": {
			{cell: "import (\"go/ast\"; \"iter\")\ntype hidden interface{ mine() int }\ntype own struct{}\nfunc (own) mine() int { return 1 }\nvar _ iter.Seq[int]\nvar wide interface{ ast.Expr; String() string } = &ast.Ident{Name: \"x\"}"},
			{cell: `reflect.TypeFor[ast.Expr]().Method(2).PkgPath + " " + reflect.TypeFor[hidden]().Method(0).PkgPath`, result: `"go/ast main"`},
			{cell: "reflect.TypeFor[*ast.BadDecl]().Implements(reflect.TypeFor[ast.Decl]())", result: "true"},
			{cell: "var any2 any = own{}\n_, ok := any2.(hidden)\n_, ok2 := any2.(ast.Expr)\nfmt.Println(ok, ok2)", stdout: "true false\n"},
			{cell: "var narrow ast.Expr = wide\nnarrow == nil", result: "false"},
		},
		"a panic costs only the cell": {
			{cell: "n := 3\nvar a []int"},
			{cell: "n = 4\nfmt.Println(a[n])", err: "index out of range [4] with length 0"},
			{cell: "n", result: "4"},
		},
		"a returned error fails the cell": {
			{cell: `os.Remove("no such file")`, err: "no such file or directory"},
			{cell: `os.Open("no such file")`, err: "no such file or directory"},
			{cell: `f := must(os.Open("no such file"))`, err: "no such file or directory"},
			{cell: `_, err := os.Open("no such file")`},
			{cell: `err != nil`, result: "true"},
			{cell: `fmt.Sscan("17", new(int))`, result: "1"},
		},
		"a cell that does not compile changes nothing": {
			{cell: "x := 1"},
			{cell: "x := \"one\"\ny := undefinedName", err: "cell[2]:2:6: undefined: undefinedName"},
			{cell: "x", result: "1"},
			{cell: "x := = 2", err: "cell[4]:1:6: expected operand, found '='"},
			{cell: "x + 1", result: "2"},
		},
		"redeclared variables": {
			{cell: "x := 1\nfunc get() int { return x }"},
			{cell: "x := 2"},
			{cell: "get()", result: "2"},
			{cell: "x := 2.5", stdout: "get (cell[1]) keeps the earlier x: it does not compile with the new one\n"},
			{cell: "x", result: "2.5"},
			{cell: "get()", result: "2"},
			{cell: "a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"2\")\na + b", result: "3"},
		},
		"types made of types of earlier cells": {
			{cell: "type t struct{ p1 int }\ntype id int"},
			{cell: "type u t\ntype alias = t\ntype ids []id"},
			{cell: "p1 := u{3}\nvar a alias\na.p1 = p1.p1"},
			{cell: "fmt.Println(p1, a, ids{1, 2}, t(p1))", stdout: "{3} {3} [1 2] {3}\n"},
		},
		"embedded predeclared types": {
			{cell: "type num struct{ int; *string; bool }"},
			{cell: "n := num{1, nil, true}\nm := struct{ int }{2}"},
			{cell: "n.int + m.int", result: "3"},
			{cell: `fmt.Printf("%+v %+v", n, m)`, stdout: "{int:1 string:<nil> bool:true} {int:2}"},
		},
		"pasted programs": {
			{cell: "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hi\")\n}", stdout: "hi\n"},
			{cell: "//go:build ignore\n// +build ignore\n\n// Package main prints.\npackage main\n\nfunc main() { undefinedName() }", err: "cell[2]:7:15: undefined: undefinedName"},
			{cell: "// A comment.\n//go:build ignore\ntype T int", stdout: ""},
			{cell: "package a\nvar x = 1\n\n//go:build linux\n\npackage a_test\nx", result: "1"},
			{cell: "package main; x + 1", result: "2"},
			{cell: "package", err: "expected"},
		},
		"imports that Go refuses": {
			{cell: "\nimport \"internal/abi\"", err: "cell[1]:2:8: use of internal package internal/abi not allowed"},
			{cell: "import (\n\t\"fmt\"\n\t\"./local\"\n)", err: "cell[2]:3:2: relative import path ./local: packages are imported by their whole path"},
			{cell: "import \"../local\"", err: "cell[3]:1:8: relative import path ../local"},
			{cell: "import \"crypto/internal/fips140\"", err: "use of internal package"},
			{cell: "import \"github.com/gopherwarp/gopherwarp/internal/session\"", err: "use of internal package github.com/gopherwarp/gopherwarp/internal/session not allowed"},
		},
		"funcs that GoNB calls first": {
			{cell: "fmt.Println(\"statement\")\nfunc init_a() { fmt.Println(\"a\") }\nfunc init_b() { fmt.Println(\"b\") }\nfunc init_c(n int) {}\nfunc initial() {}", stdout: "a\nb\nstatement\n"},
			{cell: "func init_a() { fmt.Println(\"a\") }", stdout: "a\n"},
			{cell: "func init_a() { fmt.Println(\"again\") }\nfunc main() { fmt.Println(\"main\") }", stdout: "again\nmain\n"},
		},
		"the same import twice": {
			{cell: "import \"fmt\"\nimport \"fmt\"\nfmt.Println(\"twice\")", stdout: "twice\n"},
			{cell: "import (s \"strings\"; . \"math\"; \"strings\")\nimport (\"strings\"; s \"strings\"; . \"math\"; _ \"embed\"; _ \"embed\")\nfmt.Println(s.ToUpper(strings.ToLower(\"A\")), Sqrt(4))", stdout: "A 2\n"},
			{cell: "import \"text/template\"\nimport \"html/template\"", err: "template redeclared in this block"},
		},
		"the same cell again": {
			{cell: "n := 0"},
			{cell: "n++\nn", result: "1"},
			{cell: "n++\nn", result: "2"},
			{cell: "n := 10"},
			{cell: "n++\nn", result: "11"},
			{cell: "n := \"text\""},
			{cell: "n", result: `"text"`},
			{cell: "n := 1.5"},
			{cell: "n", result: "1.5"},
		},
		"generics, methods, closures, interfaces": {
			{cell: "type num interface{ ~int | ~float64 }\nfunc sum[T num](xs ...T) (s T) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n\treturn\n}"},
			{cell: "sum(1.5, 2, 3)", result: "6.5"},
			{cell: "type stack[T any] struct{ items []T }\nfunc (s *stack[T]) push(x T) { s.items = append(s.items, x) }"},
			{cell: "var s stack[string]\ns.push(\"a\")\ns.push(\"b\")"},
			{cell: "s", result: "{items:[a b]}"},
			{cell: "type shape interface{ area() float64 }\ntype square struct{ side float64 }\nfunc (s square) area() float64 { return s.side * s.side }"},
			{cell: "var sh shape = square{2}\nsh.area()", result: "4"},
			{cell: "any(square{3}).(interface{ area() float64 }).area()", result: "9"},
			{cell: "count := 0\ninc := func() int { count++; return count }"},
			{cell: "inc()\ninc()\ncount", result: "2"},
		},
		"goroutines and channels go on across cells": {
			{cell: "ch := make(chan int)\ngo func() { for i := range 3 { ch <- i * i } ; close(ch) }()"},
			{cell: "for v := range ch { fmt.Println(v) }", stdout: "0\n1\n4\n"},
		},
		"a panic in a goroutine fails the cell": {
			{cell: "x := 1"},
			{cell: "done := make(chan bool)\ngo func() { panic(\"in goroutine\") }()\n<-done", err: "in goroutine"},
			{cell: "x", result: "1"},
		},
		"a panic in a goroutine that runs a named function": {
			{cell: "type w struct{ n int }\nfunc (x w) fail(s string) { panic(s) }\nfunc div(a, b int) int { return a / b }\nfunc send[T any](c chan<- T, xs ...T) { for _, x := range xs { c <- x } }\nfunc two() (int, int) { return 1, 0 }"},
			{cell: "go w{1}.fail(\"in method\")\nselect {}", err: "in method"},
			{cell: "zero := 0\n\ngo div(\n\t1,\n\tzero)\nselect {}", err: "divide by zero"},
			{cell: "go div(two())\nselect {}", err: "divide by zero"},
			{cell: "go panic(\"direct\")\nselect {}", err: "direct"},
			{cell: "done := make(chan bool)\nf := func(ok bool, k uint8, x any) { if !ok || k != 8 || x != nil { panic(fmt.Sprint(ok, k, x)) }; done <- true }\nn := 3\ngo f(n > 2, 1<<n, nil)\n<-done", result: "true"},
			{cell: "c := make(chan float64, 4)\ngo send(c, 1, 2)\nxs := []float64{3, 4}\nfmt.Println(<-c + <-c)\ngo send(c, xs...)\nxs = nil\n<-c + <-c", stdout: "3\n", result: "7"},
			{cell: "type flag bool\ngo func(f flag) { done <- bool(f) }(n == 3)\n<-done", result: "true"},
			{cell: "go (func(f flag) { done <- bool(f) })(n != 3)\n<-done", result: "false"},
			{cell: "go close(done)\n_, open := <-done\nopen", result: "false"},
			{cell: "h := []func(){nil}\nm := map[string]w{}\nvar np *w\ngo np.fail(\"x\")", err: "nil pointer"},
			{cell: "var wg sync.WaitGroup\nsum := 0\nvar mu sync.Mutex\nadd := func(i int) { defer wg.Done(); mu.Lock(); sum += i; mu.Unlock() }\nfor i := range 10 {\n\twg.Add(1)\n\tgo add(i)\n}\nwg.Wait()\nsum", result: "45"},
		},
		"what ends a program ends the cell": {
			{cell: "x := 1\nfunc stop(code int) { defer func() { recover() }(); os.Exit(code) }"},
			{cell: "x = 2\nstop(3)\nx = 3", err: "os.Exit(3) ended the cell"},
			{cell: "x", result: "2"},
			{cell: "stop(0)\nx = 4"},
			{cell: "go func() { os.Exit(4) }()\nselect {}", err: "os.Exit(4)"},
			{cell: "log.SetOutput(os.Stdout)\nlog.SetFlags(log.Lshortfile)\n\nlog.Fatalf(\"bad %d\", x)", stdout: "cell[6]:4: bad 2\n", err: "log.Fatalf ended the cell"},
			{cell: "l := log.New(os.Stdout, \"p: \", 0)\nif x > 0 { l.Fatal(\"end\") }", stdout: "p: end\n", err: "Logger.Fatal ended the cell"},
			{cell: "quit := os.Exit\nx", result: "2"},
			{cell: "quit(5)", err: "os.Exit(5)"},
			{cell: "s := 0\nfor i := range 10 { s += i }\ns", result: "45"},
		},
		"what is shown": {
			{cell: `"text"`, result: `"text"`},
			{cell: "1 << 10", result: "1024"},
			{cell: "3;"},
			{cell: "len([]int{1, 2})", result: "2"},
			{cell: "float64(2)", result: "2"},
			{cell: "math.Max(1, 2)", result: "2"},
			{cell: "f := func() (int, string) { return 1, \"a\" }\nf()", result: `1, "a"`},
			{cell: `fmt.Println("printed")`, stdout: "printed\n"},
			{cell: "time.Duration(1500) * time.Millisecond", result: "1.5s"},
			{cell: "// only a comment\n"},
			{cell: ""},
		},
		"statements with headers": {
			{cell: "for i := 0; i < 2; i++ { fmt.Print(i) }; fmt.Println()", stdout: "01\n"},
			{cell: "if x := 3; x > 2 {\n\tfmt.Println(\"big\")\n} else {\n\tfmt.Println(\"small\")\n}", stdout: "big\n"},
			{cell: "switch x := 1; {\ncase x == 1:\n\tfmt.Println(\"one\")\n}", stdout: "one\n"},
			{cell: "func() { fmt.Println(\"called\") }()", stdout: "called\n"},
			{cell: "loop:\nfor {\n\tfor {\n\t\tbreak loop\n\t}\n}\nfmt.Println(\"out\")", stdout: "out\n"},
		},
		"declarations": {
			{cell: "const (\n\ta = iota\n\tb\n\tc\n)\nvar (\n\tp, q = 1, c\n\tr float32 = 2\n)"},
			{cell: "fmt.Println(a, b, c, p, q, r)", stdout: "0 1 2 1 2 2\n"},
			{cell: "func main() { fmt.Println(\"main runs\") }", stdout: "main runs\n"},
			{cell: "import str \"strings\"\nstr.ToUpper(\"x\")", result: `"X"`},
			{cell: "str.Repeat(\"ab\", 2)", result: `"abab"`},
			{cell: "import str \"strconv\"\nstr.Itoa(3)", result: `"3"`},
			{cell: "import \"strings\"\nstrings.ToLower(\"X\")", result: `"x"`},
			{cell: "import \"strings\"\nstrings.ToLower(\"Y\")", result: `"y"`},
			{cell: "var m map[string][]struct{ x, y int }\nm == nil", result: "true"},
			{cell: "m = map[string][]struct{ x, y int }{\"k\": {{1, 2}}}\nm", result: "map[k:[{x:1 y:2}]]"},
			{cell: "rand.IntN(1)", result: "0"},
		},
	})
}

// runTable runs notebooks of cells.
func runTable(t *testing.T, table map[string][]step) {
	for name, steps := range table {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newNotebook(t).steps(steps)
		})
	}
}

// steps runs cells and checks their output.
func (n *notebook) steps(steps []step) {
	t := n.t
	for _, s := range steps {
		r, err := n.cell(s.cell)
		switch {
		case s.err == "" && err != nil:
			t.Errorf("%s\nfailed: %v", s.cell, err)
		case s.err != "" && (err == nil || !strings.Contains(err.Error(), s.err)):
			t.Errorf("%s\nerror %v, want %q", s.cell, err, s.err)
		}
		if got := r.stdout.String(); got != s.stdout {
			t.Errorf("%s\nprinted %q, want %q", s.cell, got, s.stdout)
		}
		if got := r.result(); got != s.result {
			t.Errorf("%s\nresult %q, want %q", s.cell, got, s.result)
		}
		if got := r.stderr.String(); got != "" {
			t.Errorf("%s\nstandard error %q", s.cell, got)
		}
	}
}
