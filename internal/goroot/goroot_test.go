package goroot

import (
	"archive/zip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"
)

// toolchain makes a directory that looks like a toolchain. Its go command prints the same as "go env -json".
func toolchain(t *testing.T, version string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "go")
	write(t, root, "VERSION", version+"\ntime 2026-11-01T00:00:00Z\n")
	write(t, root, "bin/go", fmt.Sprintf("#!/bin/sh\necho '{\"GOROOT\": %q, \"GOVERSION\": %q}'\n", root, version))
	write(t, root, "src/runtime/runtime.go", "package runtime\n")
	write(t, root, "pkg/tool/"+runtime.GOOS+"_"+runtime.GOARCH+"/compile", "")
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// alone removes everything about Go from this machine's environment.
func alone(t *testing.T, path string) {
	t.Helper()
	for _, name := range []string{"GOROOT", "GOTOOLCHAIN", "GOPATH", "GOMODCACHE", "GOWORK", Env} {
		t.Setenv(name, "")
	}
	t.Setenv("GOPROXY", "off")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("PATH", path)
}

func TestFind(t *testing.T) {
	old, good, next := toolchain(t, "go1.25.3"), toolchain(t, "go1.26.1"), toolchain(t, "go1.26.7")
	unknown := toolchain(t, "go1.99.0")
	experiment := toolchain(t, "go1.26.2 X:jsonv2")
	bare := toolchain(t, "go1.26.4")
	if err := os.RemoveAll(filepath.Join(bare, "src")); err != nil {
		t.Fatal(err)
	}
	broken := toolchain(t, "go1.26.5")
	write(t, broken, "bin/go", "#!/bin/sh\necho 'cannot do that' >&2\nexit 1\n")
	module := func(text string) string {
		dir := t.TempDir()
		write(t, dir, "go.mod", "module m\n\n"+text+"\n")
		return filepath.Join(dir, "inner")
	}
	work := t.TempDir()
	write(t, work, "go.work", "go 1.26.6\n\nuse ./m\n")
	write(t, work, "m/go.mod", "module m\n\ngo 1.20\n")
	for _, tt := range []struct {
		name     string
		path     string // the toolchain on the PATH
		places   []string
		dir      string
		env      string // GOPHERWARP_GO
		rejected map[string]string
		root     string
		says     []string // the notice, or the error if root is empty
	}{
		{"the one of the PATH", good, []string{next}, "", "", nil, good, nil},
		{"with an experiment", experiment, nil, "", "", nil, experiment, nil},
		{"an unknown one", unknown, []string{good, old, next, bare}, "", "", nil, next, []string{"go1.99.0 in " + unknown + " is not one of the releases that this gopherwarp supports (1.26 or 1.27)", "cells use go1.26.7 in " + next}},
		{"an old one", old, []string{good}, "", "", nil, good, []string{"go1.25.3 in", "cells use go1.26.1"}},
		{"no sources", bare, []string{good}, "", "", nil, good, []string{"go1.26.4 in", "without the standard library's sources", "cells use go1.26.1"}},
		{"broken", broken, []string{good}, "", "", nil, good, []string{"does not run (cannot do that)", "cells use go1.26.1"}},
		{"rejected", good, []string{good, next}, "", "", map[string]string{good: "it fails the self-test"}, next, []string{"go1.26.1 in", "it fails the self-test", "cells use go1.26.7"}},
		{"none", "", []string{next}, "", "", nil, next, []string{"there is no Go on this machine's PATH", "cells use go1.26.7"}},
		{"none at all, offline", "", []string{}, "", "", nil, "", []string{"there is no Go", "GOPROXY=off forbids it", "go.dev/dl", Env}},
		{"unknown alone, offline", unknown, []string{unknown}, "", "", nil, "", []string{"go1.99.0", "GOPROXY=off forbids it", "Install Go 1.26 or 1.27"}},
		{"fetching is forbidden", unknown, []string{}, "", "off", nil, "", []string{"go1.99.0", Env + "=off forbids fetching", "unset " + Env}},
		{"named by folder", good, []string{}, "", next, nil, next, nil},
		{"named by program", good, []string{}, "", filepath.Join(next, "bin/go"), nil, next, nil},
		{"named and unknown", good, []string{next}, "", unknown, nil, "", []string{Env + "=" + unknown, "go1.99.0", "unset the variable"}},
		{"named and nowhere", good, []string{next}, "", "/nowhere/go", nil, "", []string{Env + "=/nowhere/go", "does not run"}},
		{"a module that asks for no more", good, []string{next}, module("go 1.26.1"), "", nil, good, nil},
		{"a module that asks for more", good, []string{next}, module("go 1.26.7"), "", nil, next, []string{"go.mod:3 asks for Go 1.26.7", "go1.26.1 in", "is older", "cells use go1.26.7"}},
		{"a module that asks for what there is not", good, []string{next}, module("go 1.99"), "", nil, next, []string{"asks for Go 1.99", "cells use go1.26.7"}},
		{"a module that asks for what there is not, and nothing newer", next, []string{good}, module("go 1.99"), "", nil, next, nil},
		{"a workspace", good, []string{next}, filepath.Join(work, "m"), "", nil, next, []string{"go.work:1 asks for Go 1.26.6"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			alone(t, filepath.Join(tt.path, "bin"))
			if tt.path == "" && Command() != "" {
				t.Skip("SKIPPED: this machine has a Go where installers put it")
			}
			t.Setenv(Env, tt.env)
			if tt.dir != "" {
				if err := os.MkdirAll(tt.dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			got, err := Find(t.Context(), Options{
				places: tt.places, Dir: tt.dir, Cache: t.TempDir(), Rejected: tt.rejected, Fetch: true, Progress: func(string) {},
			})
			text := got.Notice
			if err != nil {
				text = err.Error()
			}
			if got.Root != tt.root || (err != nil) != (tt.root == "") {
				t.Errorf("found %+v, %v, want %s", got, err, tt.root)
			}
			if len(tt.says) == 0 && text != "" {
				t.Errorf("it says %q", text)
			}
			for _, part := range tt.says {
				if !strings.Contains(text, part) {
					t.Errorf("it says %q, which lacks %q", text, part)
				}
			}
		})
	}
}

// fakeZip writes a module zip of a toolchain that has the required files.
func fakeZip(t *testing.T, dir, version string) (sum string) {
	t.Helper()
	file := filepath.Join(dir, modulePath, "@v", "v0.0.1-"+version+"."+runtime.GOOS+"-"+runtime.GOARCH+".zip")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	prefix := modulePath + "@" + strings.TrimSuffix(filepath.Base(file), ".zip") + "/"
	for name, text := range map[string]string{
		"VERSION": version + "\n", "bin/go": "#!/bin/sh\n", "src/runtime/runtime.go": "package runtime\n",
		"pkg/tool/" + runtime.GOOS + "_" + runtime.GOARCH + "/compile": "",
	} {
		part, err := w.Create(prefix + name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(part, text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if sum, err = dirhash.HashZip(file, dirhash.Hash1); err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestFetch(t *testing.T) {
	release := newestUsable()
	files := t.TempDir()
	sum := fakeZip(t, files, release.Toolchain)
	server := httptest.NewServer(http.FileServer(http.Dir(files)))
	defer server.Close()
	failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }))
	defer failing.Close()
	for _, tt := range []struct {
		name, proxy, sum string
		err              string
	}{
		{"by HTTP", server.URL, sum, ""},
		{"of a folder", "file://" + files, sum, ""},
		{"of the second, as the first does not have it", "file://" + t.TempDir() + "," + server.URL, sum, ""},
		{"of the second, as the first fails", failing.URL + "|" + server.URL, sum, ""},
		{"not of the second after a failure", failing.URL + "," + server.URL, sum, "403 Forbidden"},
		{"other content", server.URL, "h1:AAAA=", "has the checksum " + sum},
		{"nowhere", "file://" + t.TempDir() + ",off", sum, "not there"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			alone(t, t.TempDir())
			t.Setenv("GOPROXY", tt.proxy)
			cache := t.TempDir()
			var told []string
			o := Options{Cache: cache, checksum: tt.sum, Progress: func(s string) { told = append(told, s) }}
			root, err := o.fetch(t.Context(), release, "there is no Go")
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				if left, _ := filepath.Glob(filepath.Join(cache, "go", "*")); len(left) != 1 || filepath.Base(left[0]) != "lock" {
					t.Errorf("it left %v", left)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if v := Version(root); v != release.Toolchain {
				t.Errorf("the folder %s has version %q", root, v)
			}
			if info, err := os.Stat(filepath.Join(root, "bin", "go")); err != nil || info.Mode()&0o111 == 0 {
				t.Errorf("bin/go can't be run: %v", err)
			}
			if len(told) == 0 || !strings.Contains(told[0], "there is no Go: fetching "+release.Toolchain) {
				t.Errorf("it told %q", told)
			}
			t.Setenv("GOPROXY", "off")
			if again, err := o.fetch(t.Context(), release, ""); err != nil || again != root {
				t.Errorf("the second time it is %s, %v", again, err)
			}
		})
	}
}

func TestGuess(t *testing.T) {
	good, unknown := toolchain(t, "go1.26.3"), toolchain(t, "go1.99.1")
	links := t.TempDir()
	if err := os.Symlink(filepath.Join(good, "bin/go"), filepath.Join(links, "go")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, asked, named, want string }{
		{good + "/bin", "", "", "go1.26.3"},
		{links, "local", "", "go1.26.3"},
		{good + "/bin", "go1.26.2+auto", "", "go1.26.2"},
		{good + "/bin", "go1.99.2", "", "go1.26.3"},
		{unknown + "/bin", "", good, "go1.26.3"},
		{unknown + "/bin", "", good + "/bin/go", "go1.26.3"},
	} {
		alone(t, tt.path)
		t.Setenv("GOTOOLCHAIN", tt.asked)
		t.Setenv(Env, tt.named)
		if got := Guess(t.TempDir()); got != tt.want {
			t.Errorf("%+v: guessed %s", tt, got)
		}
	}
	alone(t, unknown+"/bin")
	if got := Guess(t.TempDir()); !strings.HasPrefix(got, "go1.2") {
		t.Errorf("with an unknown release alone: guessed %s", got)
	}
}
