package e2e

import (
	"strings"
	"testing"
)

const (
	squareKernel = `%%cuda
__global__ void square(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * x[i];
}`
	squaresRight = `func squares(x []float32) ([]float32, error) {
	out := gpu.Zeros[float32](len(x))
	err := square.Launch(gpu.For(len(x), 256), gpu.ToDevice(x), out, len(x))
	return out.ToHost(), err
}`
	squaresInGo = `func squares(x []float32) (out []float32, err error) {
	for _, v := range x {
		out = append(out, v*v)
	}
	return out, nil
}`
	checkSquare = `verify.Run("square", 256, func(c *verify.Case) error {
	x := c.Float32s(c.N)
	out := verify.Output[float32](c, c.N, func(i int) float64 { return float64(x[i]) * float64(x[i]) })
	return square.Launch(gpu.For(c.N, 256), verify.Input(c, x), out, c.N)
}, verify.Sizes(1, 300))`
	checkSquares = `verify.Function("squares", func(c *verify.Case) (got, want []float32, err error) {
	x := c.Float32s(c.N)
	for _, v := range x {
		want = append(want, v*v)
	}
	got, err = squares(x)
	return got, want, err
})`
	checkEqual = `verify.Equal("squares", must(squares([]float32{1, 2})), []float32{1, 4})`
)

// TestChecksAreNotFooled checks that submitted cells can't make a grader's later checks pass.
func TestChecksAreNotFooled(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, c := range []struct {
		name  string
		cells []string // the last one must fail, and no other
		want  string
	}{
		{"os.Exit(0)", []string{squareKernel, "func squares([]float32) ([]float32, error) { os.Exit(0); return nil, nil }", checkEqual}, "not graded here: os.Exit(0) ended the cell before its checks were done"},
		{"flag.ExitOnError with -h", []string{"func squares([]float32) ([]float32, error) { flag.NewFlagSet(\"\", flag.ExitOnError).Parse([]string{\"-h\"}); return nil, nil }", checkEqual}, "not graded here: os.Exit(0) ended the cell"},
		{"a variable verify", []string{"type T struct{}\nfunc (T) Equal(...any) error { return nil }\nvar verify T", squaresInGo, checkEqual}, "not graded here: verify means something else"},
		{"a package verify", []string{
			"%%writefile go.mod\nmodule cheat\n\ngo 1.26\n", "!mkdir -p verify", "%%writefile verify/verify.go\npackage verify\nfunc Equal(...any) error { return nil }\n",
			"import \"cheat/verify\"\n_ = verify.Equal", squaresInGo, checkEqual,
		}, "not graded here: verify means something else"},
		{"another name for a package", []string{"import verify \"fmt\"\n_ = verify.Sprint()", squaresInGo, checkEqual}, "not graded here: verify means something else"},
		{"a variable gpu", []string{squareKernel, "gpu := 1\n_ = gpu", checkSquare}, "not graded here: gpu means something else"},
		{"must", []string{squaresInGo, "func must(...any) []float32 { return []float32{1, 4} }", checkEqual}, "not graded here: must means something else"},
		{"append", []string{squaresInGo, "func append(s []float32, _ ...float32) []float32 { return s }", checkSquares}, "not graded here: append means something else"},
		{"a Go value in place of the kernel", []string{`type kernel struct{}
func (kernel) Launch(_ gpu.Launch, x, out *gpu.Buffer[float32], n int) error {
	y := x.ToHost()
	for i, v := range y {
		y[i] = v * v
	}
	return out.CopyFrom(y)
}
var square kernel`, checkSquare}, "the result does not come from a kernel"},
		{"another Launch of the kernel", []string{squareKernel, `square.Launch = func(_ gpu.Launch, x, out gpu.Ptr[float32], n int) error {
	y := x.(*gpu.Buffer[float32]).ToHost()
	for i, v := range y {
		y[i] = v * v
	}
	return out.(*gpu.Buffer[float32]).CopyFrom(y)
};`, checkSquare}, "the result does not come from a kernel"},
		{"computed in Go", []string{squaresInGo, checkSquares}, "the result does not come from a kernel"},
		{"recover", []string{squareKernel, "func squares([]float32) (x []float32, err error) { defer func() { recover() }(); panic(1) }", checkEqual}, "Nothing was returned"},
		{"a finalizer that exits", []string{`func squares([]float32) ([]float32, error) {
	runtime.SetFinalizer(new([64]int), func(*[64]int) { os.Exit(0) })
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	return nil, nil
}`, checkEqual}, "the Go session ended"},
		{"a goroutine that exits", []string{"func squares([]float32) ([]float32, error) { go os.Exit(0); select {} }", checkEqual}, "not graded here: os.Exit(0) ended the cell"},
		{"a func that runs before each cell", []string{"func init_cheat() { if squares != nil { os.Exit(0) } }\nvar squares func([]float32) ([]float32, error)", "squares = func([]float32) ([]float32, error) { return nil, nil };", checkEqual}, "Nothing was returned"},
		{"a module in place of gopherwarp's", []string{
			"%%writefile go.mod\nmodule cheat\n\ngo 1.26\n\nrequire github.com/gopherwarp/gopherwarp v0.0.0\n\nreplace github.com/gopherwarp/gopherwarp => ./fake\n",
			"!mkdir -p fake/verify", "%%writefile fake/go.mod\nmodule github.com/gopherwarp/gopherwarp\n", "%%writefile fake/verify/verify.go\npackage verify\nfunc Equal(...any) error { return nil }\n",
			"func squares([]float32) ([]float32, error) { return nil, nil }", checkEqual,
		}, "Nothing was returned"},
		{"the kernel before", []string{squareKernel, squaresRight, checkSquare, strings.Replace(squareKernel, "int n", "int n,", 1), checkSquare}, "cell["},
	} {
		t.Run(c.name, func(t *testing.T) {
			n.t = t
			n.run("%reset")
			last := len(c.cells) - 1
			for i, cell := range c.cells[:last] {
				if o := n.cell(cell); (o.reply.Status != "ok") != (c.name == "the kernel before" && i == last-1) {
					t.Fatalf("cell %d: %s: %s", i, o.reply.Name, o.reply.Value)
				}
			}
			n.fails(c.cells[last], c.want)
		})
	}
}

// TestChecksKeepTheirState checks that the state of package verify is not accessible by the names of its variables.
func TestChecksKeepTheirState(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.fails("import _ \"unsafe\"\n\n//go:linkname disprove github.com/gopherwarp/gopherwarp/verify.disprove\nfunc disprove(name string)\n\ndisprove(\"x\")", "missing function body")
}

// TestChecksOfOutdated checks that checks do not grade the previous declarations if a cell did not compile.
func TestChecksOfOutdated(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(squareKernel)
	n.run(squaresRight)
	n.run(checkSquares)
	n.run("func launchSquare(x []float32) []float32 { return must(squares(x)) }")
	n.fails(strings.Replace(squaresRight, "return out", "return nothing", 1), "undefined: nothing")
	n.fails(checkSquares, "not graded here: cell[6] declares squares, and did not compile")
	n.fails(`verify.Equal("by a helper", launchSquare([]float32{2}), []float32{4})`, "declares squares")
	n.run("squares([]float32{2})") // not a check
	n.run(squaresRight)
	n.run(checkSquares)
	n.fails(strings.Replace(squareKernel, "x[i];", "x[i]", 1), "expected")
	n.fails(checkSquare, "declares square, and did not compile")
	n.fails(checkSquares, "declares square, and did not compile")
}
