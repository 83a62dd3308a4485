package export_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/export"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// config is that of package session's tests, since building the session program takes long.
func config(dir string) session.Config {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return session.Config{
		Cache: filepath.Join(cache, "gopherwarp-test"), Sources: gopherwarp.Sources, Dir: dir,
		Packages: []string{session.ModulePath + "/gpu", session.ModulePath + "/display"},
	}
}

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIPPED: makes sessions; run the tests without -short")
		os.Exit(0)
	}
	if _, err := session.OpenToolchain(context.Background(), config(""), func(string) {}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// mayFail begins the text of a cell that is tagged raises-exception.
const mayFail = "// may fail\n"

// notebook returns a notebook with these code cells.
func notebook(t *testing.T, cells ...string) *nbformat.Notebook {
	t.Helper()
	list := []any{map[string]any{"cell_type": "markdown", "source": "# A notebook", "metadata": map[string]any{}}}
	for _, text := range cells {
		meta := map[string]any{}
		if strings.HasPrefix(text, mayFail) {
			meta["tags"] = []string{"raises-exception"}
		}
		list = append(list, map[string]any{"cell_type": "code", "source": text, "metadata": meta})
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 4, "metadata": map[string]any{}, "cells": list})
	if err != nil {
		t.Fatal(err)
	}
	nb, err := nbformat.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func exported(t *testing.T, cells ...string) (*export.Program, error) {
	t.Helper()
	dir := t.TempDir()
	sources, err := export.CheckReplace("../..")
	if err != nil {
		t.Fatal(err)
	}
	return export.Notebook(t.Context(), notebook(t, cells...), export.Options{
		Session: config(dir), Notebook: "test.ipynb", Dir: dir, Module: "test", Version: "v0.0.0", Replace: sources, Progress: t.Output(),
	})
}

// run builds a program and returns its output and exit status.
func run(t *testing.T, p *export.Program) (stdout, stderr string, status int) {
	t.Helper()
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", "program", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, p.Files["main.go"])
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "program"))
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + os.Getenv("HOME"), "GOPHERWARP_DEVICE=sim"}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestPrograms exports notebooks and compares what the programs print.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name   string
		cells  []string
		want   string
		errors string // on standard error, in this order
		status int
	}{
		{
			name: "values and errors",
			cells: []string{
				"x := []string{\"a\", \"b\"}\nx",
				"1 + 1;",
				"len(x)",
				"strconv.Atoi(\"12\")",
				"map[string]int{\"k\": len(x)}",
				"fmt.Println(1, 2)",
				"Display(x[0])\nmust(strconv.Atoi(\"3\"))",
				"import \"image\"\nimage.NewGray(image.Rect(0, 0, 2, 1))",
				mayFail + "must(strconv.Atoi(\"three\"))",
				"fmt.Println(\"goes on\")",
				"func fails() error { return errors.New(\"it failed\") }\nfails()",
				"fmt.Println(\"never\")",
			},
			want:   "[a b]\n2\n12\nmap[k:2]\n1 2\n\"a\"\n3\n*image.Gray of 2×1 pixels\ngoes on\n",
			errors: "parsing \"three\" panic: it failed",
			status: 2,
		},
		{
			name: "names",
			cells: []string{
				"func min(a, b int) int { return a - b }\nx := 1\nfmt.Println(min(5, 2), max(1, 2))",
				"import r \"math/rand\"\nfunc f() int { return min(x, 1) }\n_ = r.Int",
				"x := \"text\"\nfmt.Println(x, f())", // f keeps the x that it was compiled with
				"import r \"strings\"\nfmt.Println(r.ToUpper(x))",
				"func max(a, b int) int { return 100 }\nfmt.Println(max(1, 2))",
				"check, err := true, error(nil)\nstrconv.Itoa(1)\nerr = os.Setenv(\"A\", \"b\")\nos.Unsetenv(\"A\")\nfmt.Println(check, err)",
				"func show() { fmt.Println(check) }\nshow()\nfmt.Println(7)",
				"defer fmt.Println(\"deferred\")\nloop:\nfor i := range 3 {\n\tif i == 1 { break loop }\n\tfmt.Println(i)\n}",
				"loop:\nfor { break loop }\nconst (\n\tA = iota + 1\n\tB\n)\nfmt.Println(A, B)",
				"func main() { fmt.Println(\"main\", y) }\nfunc init() { fmt.Println(\"init\") }\nvar y = z + 1\nvar z = 2\nfmt.Println(\"statement\")",
				"type T struct{ n int }\nvar v any = 1\ntype E struct{ T }\ne := E{T{3}}\nfmt.Println(e.T.n, v)",
				"func (t T) Twice() int { return 2 * t.n }\nfmt.Println(e.Twice(), e.T.Twice())",
			},
			want: "3 2\ntext 0\nTEXT\n100\ntrue <nil>\ntrue\n7\n0\ndeferred\n1 2\ninit\nstatement\nmain 3\n3 1\n6 6\n",
		},
		{
			name: "methods that follow",
			cells: []string{
				"type P struct{ a int }\np := P{1}\nlist := []P{p}\nvar err error\np",
				"func (p P) Norm() int { return p.a }\nfunc (p P) Twice() int { return 2 * p.Norm() }\np.Twice()",
				"func (p P) String() string { return \"P!\" }\np",
				"func (p P) Norm() int { return 10 }\nlist = append(list, P{5})\nfmt.Println(p.Norm(), p.Twice(), list, err)",
				"type P struct{ a, b int }\nfunc norm(p P) int { return p.a + p.b }\nnorm(P{1, 2})",
			},
			want: "{a:1}\n2\nP!\n10 20 [P! P!] <nil>\n3\n",
		},
		{
			name: "kernels",
			cells: []string{
				"%%cuda\n// add adds.\nstruct pair { float a, b; };\n__global__ void add(float *x, pair p, int n) { if (threadIdx.x < n) x[threadIdx.x] += p.a + p.b; }\ntemplate <typename T> __global__ void fill(T *x, T v) { x[threadIdx.x] = v; }",
				"x := gpu.Zeros[float32](2)\nadd.Launch(gpu.For(2, 2), x, pair{1, 2}, 2)\nx.ToHost()",
				"%%cuda\n__global__ void add(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] += n; printf(\"thread %d\\n\", threadIdx.x); }",
				"add.Launch(gpu.For(2, 2), x, 2)",
				"x.ToHost()",
				"%gpu\n%time fmt.Println(\"timed\")\nx.Len()",
				"%%timeit_gpu\nx.Fill(0)",
				"must(fill.Of(\"float\")).Launch(gpu.For(2, 2), x, float32(7))\nx.ToHost()",
				"%%bash\nexit 1",
				"%env NAME=a value\nos.Getenv(\"NAME\")",
				"%args -n 3\nos.Args[1:]",
			},
			want: "[3 3]\nthread 0\nthread 1\n[5 5]\ntimed\n2\n[7 7]\n\"a value\"\n[-n 3]\n",
		},
		{
			name: "kernels in Go",
			cells: []string{
				"type pair struct{ a, b float32 }\nfunc (p pair) sum() float32 { return p.a + p.b }\nconst two = 2",
				"//gpu:kernel\nfunc add(x []float32, cfg float32) {\n\tif i := gpu.GlobalID(); i < len(x) {\n\t\tx[i] += pair{cfg, 1}.sum() * two\n\t}\n}\n" +
					"x := gpu.ToDevice([]float32{1, 2, 3})\nadd.Launch(gpu.For(3, 32), x, 4)\nx.ToHost()",
				"host := []float32{5, 6}\nadd.Run(gpu.For(2, 32), host, 0)\nfmt.Println(host, strings.Count(add.CUDA(), \"__global__\"))",
				"//gpu:kernel\nfunc add(x []float32) { x[gpu.GlobalID()] = 7 }\n%gpu\n//gpu:kernel\nfunc turn(x []int32) {\n\ttile := gpu.Shared[[64]int32]()\n\t" +
					"t := gpu.ThreadIdx().X\n\ttile[t] = x[t]\n\tgpu.SyncThreads()\n\tx[t] = tile[63-t]\n}\nadd.Launch(gpu.For(1, 1), x)\nx.ToHost()",
				"%%time\n//gpu:kernel\nfunc unused(x []int32) {}\nz := make([]int32, 64)\nfor i := range z { z[i] = int32(i) }\n" +
					"must(0, turn.Run(gpu.For(64, 64), z))\nfmt.Println(z[:2])\nmust(0, turn.Launch(gpu.For(64, 64), gpu.InOut(z)))\nz[:2]",
				"//gpu:kernel\nfunc sums(p []pair, by pair, out []float32) {\n\tif i := gpu.GlobalID(); i < len(p) {\n\t\tp[i].a += by.a\n\t\tout[i] = p[i].sum()\n\t}\n}\n" +
					"p, out := []pair{{1, 2}, {3, 4}}, make([]float32, 2)\nmust(0, sums.Run(gpu.For(2, 2), p, pair{1, 0}, out))\n" +
					"must(0, sums.Launch(gpu.For(2, 2), gpu.InOut(p), pair{1, 0}, gpu.InOut(out)))\nfmt.Println(p, out)",
				"must(0, add.Run(gpu.For(2, 1), host[:1]))",
			},
			want:   "[11 12 13]\n[7 8] 1\n[7 12 13]\n[63 62]\n[0 1]\n[{3 2} {5 4}] [5 9]\n",
			errors: "panic: block (1,0,0) index out of range [1] with length 1",
			status: 2,
		},
		{
			name: "Go and CUDA C++",
			cells: []string{
				"%%cuda\n__device__ float half_of(float x) { return x / 2; }",
				"//gpu:cuda\nfunc half_of(x float32) float32 { return x / 2 }\nfunc third(x float32) float32 { return x / 3 }",
				"%%cuda --go third,half_of\n__global__ void sixth(float *x) { x[0] = third(half_of(x[0])); }",
				"//gpu:kernel\nfunc quarter(x []float32) { x[0] = half_of(half_of(x[0])) }\n" +
					"x := []float32{12}\nmust(0, quarter.Launch(gpu.For(1, 1), gpu.InOut(x)))\nfmt.Println(x)",
				"must(0, sixth.Launch(gpu.For(1, 1), gpu.InOut(x)))\nx",
			},
			want: "[3]\n[0.5]\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := exported(t, c.cells...)
			if err != nil {
				t.Fatal(err)
			}
			stdout, stderr, status := run(t, p)
			if stdout != c.want || status != c.status {
				t.Errorf("status %d, want %d; printed\n%s\nwant\n%s\n%s\n%s", status, c.status, stdout, c.want, stderr, p.Files["main.go"])
			}
			rest := stderr
			for word := range strings.FieldsSeq(c.errors) {
				i := strings.Index(rest, word)
				if i < 0 {
					t.Fatalf("standard error should have %q in this order:\n%s", c.errors, stderr)
				}
				rest = rest[i:]
			}
		})
	}
}

// TestRefused exports notebooks that no program can replace.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string
		want  string // words, in this order
	}{
		{"no cells", nil, "no code"},
		{"only magics", []string{"%gpu", "%%bash\ntrue"}, "no Go and no kernels %gpu left out %%bash left out"},
		{"a cell that does not compile", []string{"x := 1", "undefinedName(x)"}, "cell 2 can't be exported cell[2]:1:1 undefined: undefinedName"},
		{"a syntax error", []string{"for {"}, "cell 1 can't be exported cell[1]:1"},
		{"an unknown magic", []string{"%nonsense"}, "cell 1 nonsense"},
		{"capture", []string{"%%capture out\nfmt.Println(1)"}, "cell 1 %%capture variable"},
		{"reset", []string{"x := 1", "%reset"}, "cell 2 %reset"},
		{"the end of a cell that is not the last", []string{"if len(os.Args) > 99 {\n\tos.Exit(0)\n}", "fmt.Println(1)"}, "cell[1]:2:2 os.Exit(0) would end the program"},
		{"C", []string{"// #include <math.h>\nimport \"C\"\nC.sqrt(2)"}, "cell 1 C code package of its own"},
		{"embed", []string{"import _ \"embed\"\n//go:embed x.txt\nvar x string"}, "cell 1 go:embed os.ReadFile"},
		{"a kernel in Go that no GPU can run", []string{"//gpu:kernel\nfunc k(x []float32) {\n\tx = append(x, 1)\n}"}, "cell 1 cell[1]:3:6 a kernel cannot append"},
		{"a kernel in Go that uses a variable", []string{"v := float32(2)", "//gpu:kernel\nfunc k(x []float32) {\n\tx[0] = v\n}"}, "cell 2 cell[2]:3:9 undefined: v cell[1] argument"},
		{"CUDA that does not parse", []string{"%%cuda\n__global__ void k(int x"}, "cell 1"},
		{
			"a value of an earlier type in an interface",
			[]string{"type T struct{ n int }\nvar v any = T{1}", "func (T) String() string { return \"T\" }\nvar t T\nfmt.Println(v, t)"},
			"type T is declared again v cell[1]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := exported(t, c.cells...)
			if err == nil {
				t.Fatalf("exported:\n%s", p.Files["main.go"])
			}
			rest := err.Error()
			for word := range strings.FieldsSeq(c.want) {
				i := strings.Index(rest, word)
				if i < 0 {
					t.Fatalf("the error should have %q in this order: %v", c.want, err)
				}
				rest = rest[i:]
			}
		})
	}
}

// TestText looks at the program of a notebook.
func TestText(t *testing.T) {
	p, err := exported(t, "// doc is documented.\nfunc doc() int { return 1 }\n\nn := doc() // the number\n\n// shown\nn", "%%script cat\nx", "%%cuda\n__global__ void k() {}", "type T int\nvar t T\nfunc f(T) {}\nf(t)", "func (T) M() {}\nt.M()\nf(t)")
	if err != nil {
		t.Fatal(err)
	}
	main := string(p.Files["main.go"])
	for _, want := range []string{
		"// doc is documented.\nfunc doc() int { return 1 }\n",
		"func cell1() {\n\tn := doc() // the number\n\n\t// shown\n\tdisplay.Print(n)\n}\n",
		"// Cell 2.\n//\n// %%script cat is left out: it has no meaning in a program\n",
		"//go:embed cell3.cu\nvar cell3Source string\n",
		"\tLaunch func(cfg gpu.Launch) error\n",
		"func (T) M() {}\n\nfunc cell5() {\n\tt.M()\n\tf(t)\n}\n",
	} {
		if !strings.Contains(main, want) {
			t.Errorf("the program should have\n%s", want)
		}
	}
	if strings.Count(main, "type T") != 1 || strings.Contains(main, "unsafe") {
		t.Error("a type with more methods in the next cell should be declared once")
	}
	if t.Failed() {
		t.Log(main)
	}
	if got := string(p.Files["cell3.cu"]); got != "// cell[3] of test.ipynb\n__global__ void k() {}\n" {
		t.Errorf("cell3.cu is %q", got)
	}
	if mod := string(p.Files["go.mod"]); !strings.Contains(mod, "require github.com/gopherwarp/gopherwarp v0.0.0") && !strings.Contains(mod, "github.com/gopherwarp/gopherwarp v0.0.0") {
		t.Errorf("go.mod is\n%s", mod)
	}
}

// TestPlainProgram exports a notebook that needs nothing of this module.
func TestPlainProgram(t *testing.T) {
	p, err := exported(t, "fmt.Println(1)")
	if err != nil {
		t.Fatal(err)
	}
	if p.Needs || strings.Contains(string(p.Files["go.mod"]), "gopherwarp") || p.Files["go.sum"] != nil {
		t.Errorf("it needs %v:\n%s", p.Needs, p.Files["go.mod"])
	}
}
