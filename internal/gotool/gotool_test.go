package gotool_test

import (
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
	// A proxy, a cache and a PATH with nothing in them but go.
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
