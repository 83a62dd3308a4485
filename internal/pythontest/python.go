// Package pythontest finds a Python with the libraries that tests compare results with.
package pythontest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Need is the environment variable that makes a missing library a failure. `make test-go` sets it after installing
// install/requirements-test.txt.
const Need = "GOPHERWARP_NEED_NUMPY"

// Find returns a Python that can import the module: that of .venv at the root of the repository, or python3 of the PATH.
// Without one it skips the test, or fails it if GOPHERWARP_NEED_NUMPY is set.
func Find(t testing.TB, module string) string {
	t.Helper()
	for _, name := range []string{filepath.Join(root(t), ".venv", "bin", "python"), "python3"} {
		if exec.Command(name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	const missing = "no python3 can import %s, with which results are compared: install install/requirements-test.txt with pip"
	if os.Getenv(Need) != "" {
		t.Fatalf(missing, module)
	}
	t.Skipf("SKIPPED: "+missing, module)
	return ""
}

// root returns the nearest parent directory that contains go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "."
		}
		dir = parent
	}
}
