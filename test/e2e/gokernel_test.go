package e2e

import (
	"strings"
	"testing"
)

// TestGoKernels runs kernels in Go from cells.
func TestGoKernels(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim")
	n.run("type pair struct{ a, b float32 }\nfunc (p pair) sum() float32 { return p.a + p.b }\nconst half = 0.5\nfunc scaled(v float32) float32 { return v * half }\nhidden := 3")
	const kernel = `//gpu:kernel
func k(x []float32, c float32, n int, on bool, u uint32) {
	i := gpu.GlobalID()
	if on && i < n {
		x[i] = scaled(c) + pair{1, 2}.sum() + float32(math.Sqrt(float64(u)))
	}
}
x := gpu.Zeros[float32](4)
k.Launch(gpu.For(4, 32), x, 4, 3, true, 16)`
	n.run(kernel)
	n.gives("x.ToHost()", "[9 9 9 0]")
	n.run("y := make([]float32, 4)\nk.Run(gpu.For(4, 32), y, 4, 3, true, 16)")
	n.gives("y", "[9 9 9 0]")
	n.gives(`strings.Contains(k.CUDA(), "scaled(c)")`, "true")

	// Functions of packages that a cell imports, and of one that changes.
	n.run("!mkdir -p shapes")
	n.run("%%writefile go.mod\nmodule notebook\n\ngo 1.26")
	n.run("%%writefile shapes/shapes.go\npackage shapes\n\ntype Square struct{ Side float32 }\n\nfunc (s Square) Area() float32 { return s.Side * s.Side }")
	const areas = "//gpu:kernel\nfunc areas(x []float32) {\n\tfor i := range x {\n\t\tx[i] = shapes.Square{x[i]}.Area()\n\t}\n\tslices.Reverse(x)\n}\nsides := []float32{1, 2, 3}\n" +
		"must(0, areas.Launch(gpu.For(1, 1), gpu.InOut(sides)))"
	n.run("import (\"notebook/shapes\"; \"slices\")\n" + areas)
	n.gives("sides", "[9 4 1]")
	n.run("%%writefile shapes/shapes.go\npackage shapes\n\ntype Square struct{ Side float32 }\n\nfunc (s Square) Area() float32 { return 10 * s.Side * s.Side }")
	n.run(areas)
	n.gives("sides", "[90 40 10]")
	o := n.fails("//gpu:kernel\nfunc k(x []float32) {\n\tslices.Sort(x)\n}", "slices.Sort cannot be translated, because of slices/zsortordered.go")
	if !strings.Contains(o.reply.Value, ":3:") {
		t.Errorf("got %s, want line 3", o.reply.Value)
	}

	// Wrong ones change nothing.
	n.fails("//gpu:kernel\nfunc k(x []float32) {\n\tx[0] = float32(hidden)\n}", "undefined: hidden in a kernel: it is a variable of cell[3], so pass it as an argument")
	n.fails("//gpu:kernel\nfunc k(x []float32) {\n\tx = append(x, 1)\n}", "a kernel cannot append")
	n.fails("//gpu:kernel\nfunc k(x []float32) {\n\tvar s int = 1.5\n}", "cannot use 1.5")
	n.fails("//gpu:kernel\nfunc k(x []float32 {\n}", "")
	o = n.fails("//gpu:kernel\nfunc k(x []float32) {\n\tgo f()\n}\nfunc f() {}", "a kernel cannot start goroutines")
	if !strings.Contains(o.reply.Value, ":3:") {
		t.Errorf("got %s, want line 3", o.reply.Value)
	}
	n.run("k.Launch(gpu.For(4, 32), x, 6, 4, true, 0)")
	n.gives("x.ToHost()", "[6 6 6 6]")

	// What panics says where, and memory is kept.
	n.run("//gpu:kernel\nfunc past(x []float32) {\n\tx[gpu.GlobalID()] = 1\n}")
	n.fails("past.Launch(gpu.For(40, 32), x)", "index out of range [")
	n.fails("must(0, past.Run(gpu.For(30, 32), y))", "index out of range [4] with length 4")
	n.gives("x.ToHost()[3]", "1")

	// Check mode names the line of the cell, and lists the cell.
	n.run("//gpu:kernel\nfunc race(x []float32) {\n\tif i := gpu.GlobalID(); i > 0 && i < len(x) {\n\t\tx[i] = x[i-1]\n\t}\n}")
	n.run("r, _ := check.Run(func() error { return race.Launch(gpu.For(4, 32), x) })")
	n.gives("r.Findings[0].Line", "4")
	n.gives(`strings.Contains(r.Listing(), "   4          x[i] = x[i-1]")`, "true")

	// A barrier works in plain Go.
	n.run(`//gpu:kernel
func turn(x []int32) {
	tile := gpu.Shared[[64]int32]()
	t := gpu.ThreadIdx().X
	tile[t] = x[t]
	gpu.SyncThreads()
	x[t] = tile[63-t]
}
z := make([]int32, 64)
for i := range z { z[i] = int32(i) }
must(0, turn.Run(gpu.For(64, 64), z))`)
	n.gives("z[:3]", "[63 62 61]")
	n.run("must(0, turn.Launch(gpu.For(64, 64), gpu.InOut(z)))")
	n.gives("z[:3]", "[0 1 2]")
}

// TestRaces tests kernels in Go under the race detector: it must report those that race, with the cell's lines, and no others.
func TestRaces(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim")
	n.run(`hidden := 3
const two = 2
type pair struct{ a, b float32 }
func (p pair) sum() float32 { return p.a + p.b }
// shift reads what another thread writes.
//
//gpu:kernel
func shift(x []float32) {
	if i := gpu.GlobalID(); i > 0 && i < len(x) {
		x[i] = x[i-1] + pair{1, 2}.sum()
	}
}
//gpu:kernel
func turn(x []int32) {
	tile := gpu.Shared[[64]int32]()
	t := gpu.ThreadIdx().X
	tile[t] = x[t]
	x[t] = tile[63-t]
}
//gpu:kernel
func same(x []int32) { x[0] = 1 }
//gpu:kernel
func swap(p []pair, by pair) {
	i := gpu.GlobalID()
	p[i], p[1-i] = pair{p[1-i].b, by.sum()}, p[i]
}
//gpu:kernel
func right(x, total []float32) {
	tile := gpu.Shared[[64]float32]()
	sums := gpu.Shared[[1]float32]()
	t, i := gpu.ThreadIdx().X, gpu.GlobalID()
	if t == 0 {
		sums[0] = 0
	}
	tile[t] = x[i] * two
	gpu.SyncThreads()
	v := tile[63-t]
	for mask := 16; mask > 0; mask /= 2 {
		v += gpu.ShuffleXor(v, mask)
	}
	if gpu.LaneID() == 0 {
		gpu.AtomicAdd(&sums[0], v)
	}
	gpu.SyncThreads()
	if t == 0 {
		gpu.AtomicAdd(&total[0], sums[0])
	}
	x[i] = v
}`)
	n.run("%env GOMAXPROCS=1") // nor may it order blocks or threads that they run one after the other
	for name, c := range map[string]struct{ call, line string }{
		"threads of a block": {"shift.Run(gpu.For(64, 64), make([]float32, 64))", "cell[3]:10 "},
		"blocks":             {"shift.Run(gpu.For(3, 1), make([]float32, 3))", "cell[3]:10 "},
		"shared memory":      {"turn.Run(gpu.For(64, 64), make([]int32, 64))", "cell[3]:18 "},
		"structs":            {"swap.Run(gpu.For(2, 2), make([]pair, 2), pair{})", "cell[3]:25 "},
		"many blocks":        {"same.Run(gpu.For(20000, 256), make([]int32, 1))", "cell[3]:21 "},
	} {
		o := n.fails("func TestRace(t *testing.T) { must(0, "+c.call+") }\n%test -race", "TestsFailed: the tests: exit status 1")
		if o.stderr != "" || !strings.Contains(o.stdout, "DATA RACE") || !strings.Contains(o.stdout, c.line) || strings.Contains(o.stdout, "gothread") {
			t.Errorf("%s: printed %s%s, want a race at %s", name, o.stdout, o.stderr, c.line)
		}
	}
	n.run("%env GOMAXPROCS=4")
	o := n.run(`func TestRight(t *testing.T) {
	for range 5 {
		x, total := make([]float32, 4096), make([]float32, 1)
		for i := range x {
			x[i] = 1
		}
		must(0, right.Run(gpu.For(4096, 64), x, total))
		if x[0] != 64 || total[0] != 8192 {
			t.Error(x[0], total)
		}
	}
	x := []float32{1, 1}
	must(0, shift.Launch(gpu.For(2, 32), gpu.InOut(x)))
	t.Log(x)
}
func TestNot(t *testing.T) { t.Error("it runs") }
func TestOfVariable(t *testing.T) { t.Error(hidden) }
func ExampleTwo() {
	fmt.Println(two)
	// Output: 2
}
%test -race -run Right|Two`)
	for _, want := range []string{"--- PASS: TestRight", "[1 4]", "--- PASS: ExampleTwo"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("printed %s%s, want %s", o.stdout, o.stderr, want)
		}
	}
	n.fails("func TestHidden(t *testing.T) { t.Log(hidden) }\n%test -race", ":1:39: undefined: hidden under the race detector, whose tests run in a program without the session's variables: hidden is a variable of cell[3], so declare one in the test")
	n.fails("func TestAny(t *testing.T) {}\n%test -race -nonsense", "TestsFailed")
	n.run("//gpu:kernel\nfunc same(x []int32) { gpu.AtomicAdd(&x[0], 1) }\nfunc TestSame(t *testing.T) { must(0, same.Run(gpu.For(20000, 256), make([]int32, 1))) }\n%test -race")
}

// TestGoAndCUDA calls functions of CUDA cells from kernels in Go, and functions of Go from CUDA cells.
func TestGoAndCUDA(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim")
	n.run("%%cuda\n\n__device__ float smooth(float x) { return x * x * (3 - 2 * x); }\n__device__ int low(float x) { return (int)x; }\n__device__ void past(float *x) { x[1 << 30] = 1; }")
	const smooth = "//gpu:cuda\nfunc smooth(x float32) float32 { return x * x * (3 - 2*x) }\n"
	n.run(smooth + "//gpu:kernel\nfunc k(x []float32) {\n\tif i := gpu.GlobalID(); i < len(x) {\n\t\tx[i] = smooth(x[i])\n\t}\n}\n" +
		"a, b := []float32{0.25, 0.5}, []float32{0.25, 0.5}\nmust(0, k.Launch(gpu.For(2, 32), gpu.InOut(a)))\nmust(0, k.Run(gpu.For(2, 32), b))")
	n.gives("fmt.Sprint(a, b)", `"[0.15625 0.5] [0.15625 0.5]"`)

	// The newest cell counts, and a file where the comment names one.
	n.run("%%cuda\n__device__ float smooth(float x) { return -x; }")
	n.run(smooth + "//gpu:kernel\nfunc k(x []float32) { x[0] = smooth(x[0]) }\nmust(0, k.Launch(gpu.For(1, 1), gpu.InOut(a)))")
	n.gives("a[0]", "-0.15625")
	n.run("%%writefile smooth.cuh\n__device__ float smooth(float x) { return 7; }")
	n.run(strings.Replace(smooth, "cuda", "cuda smooth.cuh", 1) + "//gpu:kernel\nfunc k(x []float32) { x[0] = smooth(x[0]) }\nmust(0, k.Launch(gpu.For(1, 1), gpu.InOut(a)))")
	n.gives("a[0]", "7")

	// Errors say where.
	o := n.fails("//gpu:cuda\nfunc low(x float64) int32 { return int32(x) }\n//gpu:kernel\nfunc k2(y []int32) { y[0] = low(1.5) }", "low has other types in CUDA C++: Go's int is long long")
	if !strings.Contains(o.reply.Value, ":2:") {
		t.Errorf("got %s, want line 2", o.reply.Value)
	}
	n.fails("//gpu:cuda\nfunc none() {}\n//gpu:kernel\nfunc k2(y []int32) { none() }", "no %%cuda cell has a __device__ function none: write one")
	n.fails("//gpu:cuda\nfunc past(x *float32) {}\n//gpu:kernel\nfunc k3(x []float32) { past(&x[0]) }\nmust(0, k3.Launch(gpu.For(1, 1), gpu.InOut(a)))", "cell[3].cu:5")

	n.run("type pair struct{ a, b float32 }\nfunc (p pair) sum() float32 { return p.a + p.b }\nfunc added(a, b float32) float32 { return pair{a, b}.sum() }\n" +
		"func gcd(a, b int32) int32 {\n\tfor b != 0 {\n\t\ta, b = b, a%b\n\t}\n\treturn a\n}\nfunc clock(x int32) int32 { return x }")
	n.run("%%cuda --go gcd,added --go=smooth\n__global__ void g(int *x, float *f) {\n\tx[0] = gcd(x[0], x[1]);\n\tf[0] = added(f[0], smooth(f[1]));\n}")
	n.run("x := []int32{12, 18}\nmust(0, g.Launch(gpu.For(1, 1), gpu.InOut(x), gpu.InOut(b)))")
	n.gives("fmt.Sprint(x, b)", `"[6 18] [7.15625 0.5]"`)
	n.fails("%%cuda --go gcd\n\n__global__ void g(int *x) {\n\tx[0] = gcd(x[0], 0)\n}", ":4:21")
	n.fails("%%cuda --go clock\n__global__ void g(int *x) {}", "clock means something else in CUDA C++: rename the function")
	n.fails("%%cuda --go nothing\n__global__ void g(int *x) {}", "--go nothing: no cell has a function nothing in Go")
	n.run("must(0, g.Launch(gpu.For(1, 1), gpu.InOut(x), gpu.InOut(b)))")
}
