package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	homeMod = "module example.test/home\n\ngo 1.26\n\nrequire example.test/word v1.0.0\n\nreplace example.test/word => ./own/word\n"
	wordMod = "module example.test/word\n\ngo 1.26\n"
	greet   = "package greet\n\nimport \"example.test/word\"\n\nfunc Hello() string { return \"hello \" + word.Say() }\n"
)

// TestNotebookInModule runs a notebook in a module that replaces another one by a directory.
func TestNotebookInModule(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t, word("v1.0.0", "proxy"))
	w.file("go.mod", homeMod)
	w.file("greet/greet.go", greet)
	w.file("internal/secret/secret.go", "package secret\n\nconst Number = 42\n")
	w.file("own/word/go.mod", wordMod)
	w.file("own/word/word.go", "package word\n\nfunc Say() string { return \"own\" }\n")
	n := w.notebook("notebooks", "GOFLAGS=-mod=mod -modcacherw")
	n.gives("import \"example.test/home/greet\"\ngreet.Hello()", `"hello own"`)
	n.gives("import \"example.test/home/internal/secret\"\nsecret.Number", "42")
	if strings.Contains(n.pins(), "word") {
		t.Errorf("the session's go.mod is\n%s", n.pins())
	}
}

// TestWorkspace runs one in a workspace that replaces a module for all of its modules.
func TestWorkspace(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t, word("v1.0.0", "proxy"))
	w.file("go.work", "go 1.26\n\nuse (\n\t./home\n\t./other\n)\n\nreplace example.test/word => ./fork\n")
	w.file("home/go.mod", "module example.test/home\n\ngo 1.26\n\nrequire example.test/word v1.0.0\n")
	w.file("home/greet/greet.go", greet)
	w.file("other/go.mod", "module other\n\ngo 1.26\n")
	w.file("other/other.go", "package other\n\nimport \"example.test/home/greet\"\n\nvar Text = greet.Hello()\n")
	w.file("fork/go.mod", wordMod)
	w.file("fork/word.go", "package word\n\nfunc Say() string { return \"fork\" }\n")
	n := w.notebook("home/notebooks")
	n.gives("import \"other\"\nother.Text", `"hello fork"`)
	off := w.notebook("home/notebooks", "GOWORK=off")
	off.gives("import \"example.test/home/greet\"\ngreet.Hello()", `"hello PROXY"`)

	w.file("go.work", "go 1.26\n\nuse ./nowhere\n")
	broken := w.notebook("home")
	broken.fails("import \"other\"", "nowhere")
	broken.gives("strings.ToUpper(\"fine\")", `"FINE"`)
}

// TestEditedModule edits a module whose packages the session process has loaded.
func TestEditedModule(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t)
	w.file("go.mod", homeMod)
	w.file("greet/greet.go", greet)
	w.file("own/word/go.mod", wordMod)
	lib := func(body string) { w.file("own/word/word.go", "package word\n\n"+body+"\n") }
	lib("type Pair struct{ A, b int }\n\nfunc New() *Pair { return &Pair{1, 2} }\n\nfunc (p *Pair) Sum() int { return p.A + p.b }\n\nfunc Say() string { return \"old\" }")
	n := w.notebook("")
	n.gives("import (\n\t\"example.test/home/greet\"\n\t\"example.test/word\"\n)\nfunc both() string { return greet.Hello() + \" \" + word.Say() }\nfunc sum(p *word.Pair) int { return p.Sum() }\nkept := 7\np := word.New()\nboth()", `"hello old old"`)
	same := "greet.Hello()"
	n.gives(same, `"hello old"`)

	// The cell that is run again, declarations of other cells, and packages that import the edited one have the new code; a
	// variable of its type keeps its value.
	lib("type Pair struct{ A, b int }\n\nfunc New() *Pair { return &Pair{1, 2} }\n\nfunc (p *Pair) Sum() int { return 10 * (p.A + p.b) }\n\nfunc Say() string { return \"new\" }")
	n.gives(same, `"hello new"`)
	n.gives("both()", `"hello new new"`)
	n.gives("sum(p)", "30")
	n.gives("fmt.Sprintf(\"%T %+v %d\", p, *p, kept)", `"*word.Pair {A:1 b:2} 7"`)

	// Another layout drops the variable; a func that does not compile with it is kept.
	lib("type Pair struct{ A, B, C int }\n\nfunc (p *Pair) Total() int { return p.A }\n\nfunc Say() string { return \"newer\" }")
	r := n.gives("both()", `"hello newer newer"`)
	for _, want := range []string{"dropped: ", "p (its type *word.Pair changed)", "sum (cell[1]) keeps the earlier example.test/word"} {
		if !strings.Contains(r.stdout.String(), want) {
			t.Errorf("printed %q, want %q in it", r.stdout.String(), want)
		}
	}
	n.gives("kept", "7")
	n.gives("(&word.Pair{A: 3}).Total()", "3")

	// An error in a package concerns the cells that use it.
	lib("func Say() string { return 1 }")
	n.fails("word.Say()", "own/word/word.go:3:", "cannot use 1")
	n.gives("kept + 1", "8")
	lib("func Say() string { return \"mended\" }")
	n.gives(same, `"hello mended"`)

	// After a package was removed, others can still be edited.
	w.file("extra/extra.go", "package extra\n\nconst Number = 5\n")
	n.gives("import \"example.test/home/extra\"\nextra.Number", "5")
	if err := os.RemoveAll(filepath.Join(w.folder, "extra")); err != nil {
		t.Fatal(err)
	}
	lib("func Say() string { return \"last\" }")
	n.gives(same, `"hello last"`)

	// A new process has none of these packages loaded.
	if err := n.Reset(context.Background(), &recorder{}); err != nil {
		t.Fatal(err)
	}
	n.gives("import \"example.test/home/greet\"\n"+same, `"hello last"`)
}

// TestModuleWithC uses a package with C code, which can be loaded but not replaced.
func TestModuleWithC(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t)
	w.file("go.mod", "module example.test/home\n\ngo 1.26\n")
	root := func(constant string) {
		w.file("root/root.go", "package root\n\n// #cgo LDFLAGS: -lm\n// #include <math.h>\n// static int calls;\n// static double root(double x) { calls++; return "+constant+" * sqrt(x); }\n// static int count(void) { return calls; }\nimport \"C\"\n\nfunc Of(x float64) float64 { return float64(C.root(C.double(x))) }\n\nfunc Calls() int { return int(C.count()) }\n")
	}
	root("1")
	n := w.notebook("")
	n.gives("import \"example.test/home/root\"\nroot.Of(9)", "3")
	n.gives("root.Of(16)", "4")
	n.gives("import \"example.test/home/root\"\nfunc calls() int { return root.Calls() }\ncalls()", "2")
	root("2")
	n.fails("root.Of(9)", "example.test/home/root has changed", "C or assembly code", "%reset")
	n.gives("calls()", "2")
	if err := n.Reset(context.Background(), &recorder{}); err != nil {
		t.Fatal(err)
	}
	n.gives("import \"example.test/home/root\"\nroot.Of(9)", "6")
}

func TestModuleWithCXX(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t)
	w.file("go.mod", "module example.test/home\n\ngo 1.26\n")
	w.file("safe/safe.go", "package safe\n\n// int at(int i);\nimport \"C\"\n\nfunc At(i int) int { return int(C.at(C.int(i))) }\n")
	w.file("safe/safe.cpp", "#include <stdexcept>\n#include <vector>\nextern \"C\" int at(int i) {\n\tstd::vector<int> v{1, 2};\n\ttry { return v.at(i); } catch (const std::out_of_range &) { return -1; }\n}\n")
	n := w.notebook("")
	n.gives("import \"example.test/home/safe\"\nsafe.At(1)", "2")
	n.gives("safe.At(2)", "-1")
}
