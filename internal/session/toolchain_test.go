package session_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// pretended makes a copy of the Go on the PATH that reports another version, and returns its directory. The copy consists of
// links where possible.
func pretended(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	real, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	parts := strings.Split(version, ".")
	parts[1] = "99"
	altered := strings.Join(parts, ".")
	root := t.TempDir()
	for _, name := range []string{"src", "pkg", "lib", "misc", "api"} {
		if err := os.Symlink(filepath.Join(real, name), filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile(filepath.Join(real, "bin", "go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(program, []byte(version)) {
		t.Skipf("SKIPPED: the go command does not hold its version %s as text", version)
	}
	if err := os.Mkdir(filepath.Join(root, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "bin", "go"), bytes.ReplaceAll(program, []byte(version), []byte(altered)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "VERSION"), []byte(altered+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestUnknownRelease checks that an unknown release compiles no cell: another Go on the machine does, and the first
// cell prints that.
func TestUnknownRelease(t *testing.T) {
	root := pretended(t)
	t.Setenv("PATH", filepath.Join(root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("GOTOOLCHAIN", "local")
	n := newNotebook(t)
	r := n.mustRun("import \"runtime\"\nfmt.Println(runtime.Version())")
	got := r.stdout.String()
	for _, part := range []string{"go1.99.", " in " + root + " is not one of the releases that this gopherwarp supports (1.26 or 1.27): cells use go1.2"} {
		if !strings.Contains(got, part) {
			t.Errorf("the first cell prints %q, which lacks %q", got, part)
		}
	}
	if !strings.HasPrefix(got[strings.LastIndex(strings.TrimSpace(got), "\n")+1:], "go1.2") {
		t.Errorf("the cell prints %q", got)
	}
	if got := n.mustRun("1 + 1").stdout.String(); got != "" {
		t.Errorf("the second cell prints %q", got)
	}
	t.Setenv("GOPHERWARP_GO", root)
	_, err := newNotebook(t).cell("1")
	if err == nil || !strings.Contains(err.Error(), "GOPHERWARP_GO="+root+" can't be used: go1.99.") || !strings.Contains(err.Error(), "unset the variable") {
		t.Errorf("error %v", err)
	}
}

// TestFlagsOfObjects checks that flags and variables that would make incompatible packages change nothing.
func TestFlagsOfObjects(t *testing.T) {
	for _, env := range []string{"GOFLAGS=-race -gcflags=all=-N -trimpath -ldflags=-s", "GOOS=", "GOROOT=/nowhere"} {
		needSession(t)
		s, err := session.New(session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources, Dir: t.TempDir(), Env: []string{env}})
		if err != nil {
			t.Fatal(err)
		}
		n := &notebook{t: t, Session: s}
		if got := n.mustRun("x := []int{1, 2}\nfmt.Sprint(x)").result(); got != `"[1 2]"` {
			t.Errorf("%s: result %s", env, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNewerModule checks the error of a module that requires a newer Go than there is.
func TestNewerModule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.test/new\n\ngo 1.99\n", "kw/kw.go": "package kw\n\nconst N = 1\n"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOTOOLCHAIN", "local")
	n := newNotebookIn(t, dir)
	n.mustRun("1 + 1") // cells that need no module work
	_, err := n.cell("import \"example.test/new/kw\"\nkw.N")
	for _, part := range []string{filepath.Join(dir, "go.mod") + " asks for Go 1.99 by its go line", "cells are compiled by go1.", "GOPHERWARP_GO"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, which lacks %q", err, part)
		}
	}
}

// TestStartAgain checks that the next cell repeats a start that failed.
func TestStartAgain(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(cache, []byte("in the way"), 0o644); err != nil {
		t.Fatal(err)
	}
	needSession(t)
	s, err := session.New(session.Config{Cache: cache, Sources: gopherwarp.Sources, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	n := &notebook{t: t, Session: s}
	t.Cleanup(func() { s.Close() })
	for range 2 {
		if _, err := n.cell("1 + 1"); err == nil || !strings.Contains(err.Error(), cache) {
			t.Fatalf("error %v, which lacks %s", err, cache)
		}
	}
	err = os.Remove(cache)
	if err == nil {
		err = os.Symlink(cacheDir(), cache)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := n.mustRun("1 + 1").result(); got != "2" {
		t.Errorf("result %s", got)
	}
}

// TestPaths runs cells in directories whose names are unusual.
func TestPaths(t *testing.T) {
	top := filepath.Join(t.TempDir(), `a b'c"d é:$x%s`)
	for _, dir := range []string{"tmp", "work"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(top, "cache")
	if err := os.Symlink(cacheDir(), cache); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
	needSession(t)
	s, err := session.New(session.Config{Cache: cache, Sources: gopherwarp.Sources, Dir: filepath.Join(top, "work")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	n := &notebook{t: t, Session: s}
	n.mustRun("import \"math/cmplx\"\nx := cmplx.Abs(3 + 4i)")
	if got := n.mustRun("func f() float64 { return x }\nf()").result(); got != "5" {
		t.Errorf("result %s", got)
	}
	if got := n.mustRun("// #include <stdlib.h>\nimport \"C\"\nint(C.abs(-3))").result(); got != "3" {
		t.Errorf("result %s", got)
	}

	t.Setenv("TMPDIR", filepath.Join(top, "line\nbreak"))
	if _, err := session.New(session.Config{Cache: cache, Sources: gopherwarp.Sources, Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "set TMPDIR to another folder") {
		t.Errorf("error %v", err)
	}
	t.Setenv("TMPDIR", "/tmp")
	config := session.Config{Cache: filepath.Join(top, "line\nbreak"), Sources: gopherwarp.Sources, Dir: t.TempDir()}
	if _, err := session.OpenToolchain(t.Context(), config, func(string) {}); err == nil || !strings.Contains(err.Error(), "set XDG_CACHE_HOME to another folder") {
		t.Errorf("error %v", err)
	}
}

// TestDamagedCache checks that damage in the cache is found and repaired: truncated and changed files at the start; changes
// that keep the modification time, as on a defective disk, after they made a cell fail.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds the session program anew")
	}
	cache := t.TempDir()
	config := session.Config{Cache: cache, Sources: gopherwarp.Sources}
	ctx := t.Context()
	unused := filepath.Join(cache, "session", "1.25.0-unused")
	if err := errors.Join(os.MkdirAll(unused, 0o755), os.Chtimes(unused, time.Time{}, time.Now().AddDate(0, 0, -31))); err != nil {
		t.Fatal(err)
	}
	if _, err := session.OpenToolchain(ctx, config, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unused); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a toolchain that was not used for a month is still there: error %v", err)
	}
	for _, tt := range []struct {
		pattern string
		damage  func(file string) error
		says    string // part of the first cell's output
	}{
		{"exports.json", halve, "exports.json has "},
		{"symbols", halve, "symbols has "},
		{"host/gopherwarp-session", empty, "gopherwarp-session has 0 of "},
		{"host/gopherwarp-session", flipUnseen, "gopherwarp-session has been changed"},
		{"link-cell", halve, "link-cell has "},
		{"slim/*.a", flipUnseen, ".a has been changed"},
		{"src/internal/cellruntime/cell/*.go", empty, ""},
	} {
		files, _ := filepath.Glob(filepath.Join(cache, "session", strings.TrimPrefix(runtime.Version(), "go")[:4]+"*", tt.pattern))
		if len(files) == 0 {
			t.Errorf("there is no %s", tt.pattern)
		}
		for _, file := range files {
			if err := tt.damage(file); err != nil {
				t.Fatal(err)
			}
		}
		config.Dir = t.TempDir()
		needSession(t)
		s, err := session.New(config)
		if err != nil {
			t.Fatal(err)
		}
		n := &notebook{t: t, Session: s}
		r := n.mustRun("import \"text/template\"\ntemplate.HTMLEscapeString(\"<\")")
		if got := r.result(); got != `"&lt;"` {
			t.Errorf("with %s damaged: result %s", tt.pattern, got)
		}
		if got := r.stdout.String(); !strings.Contains(got, tt.says) {
			t.Errorf("with %s damaged: the cell prints %q, which lacks %q", tt.pattern, got, tt.says)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v, %v", file, info, err)
			}
		}
	}

	// A full check needs no failure.
	files, _ := filepath.Glob(filepath.Join(cache, "session", "*", "slim", "*.a"))
	if err := flipUnseen(files[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{files[0] + " has been changed", ""} {
		damaged, _, err := session.Repair(ctx, config, func(string) {})
		if err != nil || strings.Join(damaged, "\n") != want {
			t.Errorf("repaired %q, %v, want %q", damaged, err, want)
		}
	}
}

func halve(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return os.Truncate(file, info.Size()/2)
}

func empty(file string) error { return os.Truncate(file, 0) }

// flip inverts bits at the beginning of a file, in the header of programs and archives.
func flip(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte("\x81\x82\x83"), 1)
	return errors.Join(err, f.Close())
}

// flipUnseen does the same and keeps the modification time, as a defective disk does.
func flipUnseen(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return errors.Join(flip(file), os.Chtimes(file, info.ModTime(), info.ModTime()))
}
