package gokernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

// A program of its own module has kernels that call another of its packages.
var generated = map[string]string{
	"geometry/geometry.go": `package geometry

import "github.com/gopherwarp/gopherwarp/gpu"

type Point struct{ X, Y float32 }

var halves = [3]float32{0.5, 1.5, 2.5}

func (p Point) Moved(by Point) Point { return Point{p.X + by.X, p.Y + by.Y} }

func Half(i int) float32 { return gpu.ToFloat16(halves[i]).Mul(gpu.ToFloat16(1)).Float32() }
`,
	"main.go": `package main

import (
	"fmt"
	"os"

	"generated/geometry"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
)

//gpu:kernel
func move(x, y []float32, dx, dy float32) {
	i := gpu.GlobalID()
	if i < len(x) {
		p := geometry.Point{x[i], y[i]}.Moved(geometry.Point{dx, dy})
		x[i], y[i] = p.X, p.Y+geometry.Half(i%3)
	}
}

func main() {
	device.Serve()
	x, y := []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}
	if err := runMove(gpu.For(4, 32), x, y, 10, 20); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(x, y)
	x, y = []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}
	if err := launchMove(gpu.For(4, 32), gpu.InOut(x), gpu.InOut(y), 10, 20); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(x, y)
}
`,
}

// module writes the files of a module that uses this one, and returns its directory.
func module(t *testing.T, texts map[string]string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(ours), "\n")
	files := map[string]string{
		"go.mod": "module generated\n" + requirements + "\nrequire github.com/gopherwarp/gopherwarp v0.0.0\nreplace github.com/gopherwarp/gopherwarp => " + root + "\n",
		"go.sum": string(sums),
	}
	dir := t.TempDir()
	for _, list := range []map[string]string{files, texts} {
		for name, text := range list {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	return dir
}

func TestGenerate(t *testing.T) {
	dir := module(t, generated)
	written, err := gokernel.Generate(dir, "./...")
	if err != nil || len(written) != 1 || filepath.Base(written[0]) != gokernel.GeneratedFile {
		t.Fatalf("written %v, error %v", written, err)
	}
	if again, err := gokernel.Generate(dir, "./..."); err != nil || len(again) != 0 {
		t.Errorf("nothing has changed, but %v was written, error %v", again, err)
	}
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	out, err := run.CombinedOutput()
	const want = "[11 12 13 14] [25.5 27.5 29.5 28.5]\n"
	if err != nil || string(out) != want+want {
		t.Errorf("error %v, output\n%s\nwant twice\n%s", err, out, want)
	}
}
