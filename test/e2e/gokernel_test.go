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
	n.fails("must(0, past.Run(gpu.For(40, 32), y))", "index out of range [4] with length 4")
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
