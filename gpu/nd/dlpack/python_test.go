package dlpack

import (
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
)

var withPython = flag.Bool("python", false, "share arrays with the libraries that Python has, which builds a library of all of Go's packages")

// TestPythonSharesArrays lets NumPy, and on a GPU PyTorch and CuPy, use an array and export one.
func TestPythonSharesArrays(t *testing.T) {
	if !*withPython {
		t.Skip("SKIPPED: arrays are shared with Python's libraries by go test -python, which takes a minute; C is asked in any case")
	}
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	kind, wanted := "1", []string{"numpy", "torch"}
	if !d.Properties().Simulated {
		kind, wanted = "2", []string{"torch", "cupy"}
	}
	file := filepath.Join(t.TempDir(), "shared.so")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", file, "./testdata/shared")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, python := range []string{"../../../.venv/bin/python", "python3"} {
		args := []string{"testdata/share.py", file, kind}
		for _, module := range wanted {
			if exec.Command(python, "-c", "import "+module).Run() == nil {
				args = append(args, module)
			}
		}
		if len(args) == 3 {
			continue
		}
		out, err := exec.Command(python, args...).CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		t.Log(strings.TrimSpace(string(out)))
		return
	}
	t.Skip("SKIPPED: no python has any of ", wanted)
}
