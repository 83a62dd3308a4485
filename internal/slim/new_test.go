package slim_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// TestRewriteNew empties what a program has of a package that it has not loaded, and nothing else.
func TestRewriteNew(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/p\n\ngo 1.26\n",
		"box/box.go": "package box\n\ntype Box[T any] struct{ V T }\n\n//go:noinline\nfunc (b *Box[T]) Get() T { return b.V }\n",
		"new/new.go": "package new\n\nimport \"example.com/p/box\"\n\nvar X any = &box.Box[int]{V: own()}\n\n//go:noinline\nfunc own() int { return 1 }\n",
		"p.go":       "package main\n\nimport (\n\t\"plugin\"\n\n\t\"example.com/p/box\"\n)\n\nvar X any = &box.Box[int]{}\n\nfunc main() { plugin.Open(\"\"); println(X.(interface{ Get() int }).Get()) }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("build", "-o", "p", ".")
	have, err := slim.ReadSymbols(filepath.Join(dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(run("list", "-export", "-buildmode=plugin", "-f", "{{.Export}}", "./new"))
	if err != nil {
		t.Fatal(err)
	}
	none, err := slim.RewriteNew(data, &slim.Symbols{})
	if err != nil {
		t.Fatal(err)
	}
	some, err := slim.RewriteNew(data, have)
	if err != nil {
		t.Fatal(err)
	}
	before, nothing, after := symbols(t, data), symbols(t, none), symbols(t, some)
	const get, own = "example.com/p/box.(*Box[go.shape.int]).Get", "example.com/p/new.own"
	if before[get] == "" || nothing[get] != before[get] || nothing[own] != before[own] || after[own] != before[own] {
		t.Errorf("with no symbols loaded, Get was %q and is %q, own was %q and is %q", before[get], nothing[get], before[own], nothing[own])
	}
	if after[get] == before[get] {
		t.Errorf("Get is %q, as before, although the program has it", after[get])
	}
	if bytes.Equal(none, some) {
		t.Error("nothing was emptied")
	}
}

func TestSameExports(t *testing.T) {
	a, b := archive(t, "errors"), archive(t, "strings")
	slimmed, err := slim.KeepMethods(a)
	if err != nil {
		t.Fatal(err)
	}
	if !slim.SameExports(a, slimmed) || slim.SameExports(a, b) || slim.SameExports(nil, nil) {
		t.Errorf("equal exports: %v, others: %v, none: %v, want true, false, false", slim.SameExports(a, slimmed), slim.SameExports(a, b), slim.SameExports(nil, nil))
	}
}
