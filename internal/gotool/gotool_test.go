package gotool_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

var tool = gotool.Tool{Name: "server", Package: "example.com/tools/cmd/serve", Version: "v1.2.3", Env: "GOTOOL_TEST_SERVER"}

func TestFind(t *testing.T) {
	cache, bin, path := t.TempDir(), t.TempDir(), t.TempDir()
	own := filepath.Join(cache, "server", "v1.2.3", "serve")
	installed, other := filepath.Join(path, "bin", "serve"), filepath.Join(bin, "serve")
	t.Setenv("PATH", bin)
	t.Setenv("GOBIN", "")
	t.Setenv("GOPATH", path)
	t.Setenv(tool.Env, "")
	check := func(want string) {
		t.Helper()
		if got := tool.Find(cache); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	write := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	check("")
	write(installed)
	check(installed)
	write(other)
	check(other)
	write(own)
	check(own)
	t.Setenv(tool.Env, "/a/server")
	check("/a/server")
	t.Setenv(tool.Env, "off")
	check("")
	path, err := tool.Install(t.Context(), t.TempDir(), gotool.Go{}, func() { t.Error("it is built although it is off") })
	if path != "" || err != nil {
		t.Errorf("installed %q, %v", path, err)
	}
}

func TestInstallFails(t *testing.T) {
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin, cache := t.TempDir(), t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	// A proxy, a cache and a PATH that contain only go.
	t.Setenv("GOPROXY", "file://"+t.TempDir())
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPATH", t.TempDir())
	t.Setenv("PATH", bin)
	t.Setenv(tool.Env, "")
	started := false
	_, err = tool.Install(t.Context(), cache, gotool.Go{}, func() { started = true })
	for _, want := range []string{"build server v1.2.3", "as serve on the PATH", tool.Env, tool.Package + "@v1.2.3"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
	if !started {
		t.Error("nobody was told that it takes a while")
	}
	if got := tool.Find(cache); got != "" {
		t.Errorf("found %q", got)
	}
}

// A damaged program is built again. It is from a module in the directory of a proxy.
func TestDamagedTool(t *testing.T) {
	cache := t.TempDir()
	own := filepath.Join(cache, "server", "v1.2.3", "serve")
	proxy(t)
	t.Setenv(tool.Env, "")
	t.Setenv("GOBIN", "")
	t.Setenv("GOPATH", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOTOOLCHAIN", "local")
	install := func(wantBuilt bool) {
		t.Helper()
		built := false
		path, err := tool.Install(t.Context(), cache, gotool.Go{}, func() { built = true })
		if err != nil || path != own || built != wantBuilt {
			t.Fatalf("installed %q, built %v, %v", path, built, err)
		}
		if out, err := exec.Command(own).CombinedOutput(); err != nil || string(out) != "served" {
			t.Fatalf("it prints %q, %v", out, err)
		}
	}
	install(true)
	install(false)
	for _, size := range []int64{0, 1000} {
		if err := os.Truncate(own, size); err != nil {
			t.Fatal(err)
		}
		if got := tool.Find(cache); got != "" {
			t.Errorf("found %q, which has %d bytes", got, size)
		}
		install(true)
	}
	info, err := os.Stat(own)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(own, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte("changed"), info.Size()/2)
	if err := errors.Join(err, f.Close(), os.Chtimes(own, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{own + " has been changed", ""} {
		wrong, err := tool.Repair(t.Context(), cache, gotool.Go{}, func() {})
		if err != nil || wrong != want {
			t.Errorf("repaired %q, %v, want %q", wrong, err, want)
		}
	}
	install(false)
}

// proxy makes the module of the tool available to go commands.
func proxy(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	versions := filepath.Join(dir, "example.com", "tools", "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		t.Fatal(err)
	}
	const mod = "module example.com/tools\n\ngo 1.26\n"
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{"go.mod": mod, "cmd/serve/main.go": "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"served\") }\n"} {
		w, err := z.Create("example.com/tools@v1.2.3/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"list": "v1.2.3\n", "v1.2.3.info": `{"Version":"v1.2.3"}`, "v1.2.3.mod": mod, "v1.2.3.zip": archive.String()} {
		if err := os.WriteFile(filepath.Join(versions, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOPROXY", "file://"+dir)
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
}
