package editing_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/editing"
)

func TestFindGopls(t *testing.T) {
	cache, bin := t.TempDir(), t.TempDir()
	own := filepath.Join(cache, "gopls", editing.GoplsVersion, "gopls")
	other := filepath.Join(bin, "gopls")
	t.Setenv("PATH", bin)
	t.Setenv(editing.GoplsEnv, "")
	check := func(want string) {
		t.Helper()
		if got := editing.FindGopls(cache); got != want {
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
	write(other)
	check(other)
	write(own)
	check(own)
	t.Setenv(editing.GoplsEnv, "/a/gopls")
	check("/a/gopls")
	t.Setenv(editing.GoplsEnv, "off")
	check("")
	if err := editing.InstallGopls(t.Context(), t.TempDir(), func(string) { t.Error("gopls is built although it is off") }); err != nil {
		t.Error(err)
	}
}

func TestInstallGoplsFails(t *testing.T) {
	t.Setenv(editing.GoplsEnv, "")
	cache := t.TempDir()
	// A proxy and a cache with nothing in them.
	t.Setenv("GOPROXY", "file://"+t.TempDir())
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("PATH", pathWithoutGopls(t))
	if err := editing.InstallGopls(t.Context(), cache, func(string) {}); err == nil || !strings.Contains(err.Error(), "golang.org/x/tools/gopls@v0.23.0") {
		t.Errorf("%v, want what could not be had", err)
	}
	if got := editing.FindGopls(cache); got != "" {
		t.Errorf("found %q", got)
	}
}

// pathWithoutGopls is a PATH with nothing but go.
func pathWithoutGopls(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(program, filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	return bin
}
