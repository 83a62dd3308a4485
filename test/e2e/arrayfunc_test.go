package e2e

import (
	"strings"
	"testing"
)

// TestArrayFunctions passes Go functions to package nd from cells.
func TestArrayFunctions(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim")
	n.run("const limit = 4\ntype point struct{ x, y float32 }\nfunc (p point) sum() float32 { return p.x + p.y }\nfunc larger[T float32 | int](a, b T) T { return max(a, b) }\nfunc plus(x, y float32) float32 { return point{x, y}.sum() }\nhidden := float32(3)")
	n.run("a, b := nd.Arange[float32](4).Eval(), nd.Full[float32](2, 4).Eval()")
	n.gives("nd.Map2(a, b, func(x, y float32) float32 { return x*x + y }).ToHost()", "[2 3 6 11]")
	n.run("nd.ResetStats()")
	n.run("c := nd.Map2(nd.Map(a.Add(b), func(x float32) float32 {\n\tif x > limit {\n\t\treturn limit\n\t}\n\treturn larger(x, 3)\n}), b.MulScalar(10), plus).AddScalar(1)\nfmt.Println(c.ToHost())")
	n.gives("nd.Stats().Launches", "1")
	n.gives("c.ToHost()", "[24 24 25 25]")
	n.gives("nd.Map[bool](a, func(x float32) bool { return x > 1 }).ToHost()", "[false false true true]")
	n.gives("nd.Reduce(a, func(x, y float32) float32 { return max(x, y) }, -1).Item()", "3")
	n.gives("nd.Accumulate(a, plus).ToHost()", "[0 1 3 6]")
	n.run("import arrays \"github.com/gopherwarp/gopherwarp/gpu/nd\"\nfunc twice(a *arrays.Array[float32]) *arrays.Array[float32] {\n\treturn arrays.Map(a, func(x float32) float32 { return 2 * x })\n}\nfor range 3 { a = twice(a) }")
	n.gives("a.ToHost()", "[0 8 16 24]")
	if text := n.run("%src twice").shown; !strings.Contains(text, "arrays.Map(a, func(x float32) float32 { return 2 * x })") {
		t.Errorf("%%src shows %s", text)
	}
	// Without a literal's own text at the call.
	n.run("func (p point) of(a *nd.Array[float32]) *nd.Array[float32] { return nd.Map2(a, nd.Scalar(p.x), plus) }")
	n.gives("point{1, 2}.of(a).ToHost()", "[1 9 17 25]")
	n.run("func sums(x int, a *nd.Array[float32]) *nd.Array[float32] {\n\treturn nd.Map(a, func(v float32) float32 { return point{x: v, y: 1}.sum() })\n}")
	n.gives("sums(1, a).ToHost()", "[1 9 17 25]")
	n.run("e := nd.Map2(a, a, plus)\nplus := 3") // the function is the earlier cell's
	n.run("func plus(x, y float32) float32 { return x - y }")
	n.gives("e.ToHost()", "[0 16 32 48]")

	for _, c := range []struct{ text, want string }{
		{"nd.Map(a, func(x float32) float32 { return x * hidden })", "cannot use the variable hidden of the host: make it an argument, with nd.Scalar(hidden)"},
		{"k := float32(2)\nnd.Map(a, func(x float32) float32 { return x * k })", "cannot use the variable k of the host"},
		{"limit := 2\nnd.Map(a, func(x float32) float32 { return x * float32(limit) })", "cannot use the variable limit of the host"},
		{"for i := range 3 {\n\t_ = nd.Map(a, func(x float32) float32 { return x * float32(i) })\n}", ":2:61: a function for nd.Map cannot use the variable i"},
		{"for i := range float32(3) {\n\t_ = nd.Reduce(a, func(x, y float32) float32 { return x * y * i }, 1)\n}", "make it a constant"},
		{"func f() {\n\tconst c = 2\n\tnd.Map(a, func(x float32) float32 { return x * c })\n}", "cannot use c, which is declared in a function"},
		{"nd.Map(a, func(x float32) float32 {\n\tgo println(x)\n\treturn x\n})", ":2:2: a kernel cannot start goroutines"},
		{"f := plus\nnd.Map2(a, a, f)", ":2:15: nd.Map2 translates the function for the device, so it must be a function literal"},
		{"nd.Map2(a, a, math.Pow)", "pass a function literal that calls math.Pow"},
		{"nd.Map2(a, a, larger[float32])", "must be a function literal, or the name of a function"},
		{"nd.Map2(a, a, func(x, y float32) float32 { return nothing(x) })", "undefined: nothing"},
		{"nd.Map2(a, a, func(x, y float32) float32 { return \"text\" })", "cannot use \"text\""},
		{"nd.Map2(a, a, func(x float64) float32 { return 1 })", ":1:15: in call to nd.Map2, type func(x float64) float32 of (func(x float64) float32 literal) does not match"},
		{"nd.Map2(a, a, func(x, y float32) float32 { return 1 ", ""},
	} {
		if o := n.fails(c.text, c.want); strings.Contains(o.reply.Value, "Translated") {
			t.Errorf("%s: %s", c.text, o.reply.Value)
		}
	}
	n.run("table := nd.Arange[int32](4)")
	n.run("past := nd.Map(table, func(i int32) int32 {\n\tlist := [3]int32{7, 8, 9}\n\treturn list[i]\n})")
	n.fails("past.ToHost()", "index out of range [3] with length 3")
	n.gives("a.ToHost()[1]", "8")

	// 16-bit floats and random numbers in a kernel and in plain Go.
	n.run(`//gpu:kernel
func noisy(x []gpu.Float16, y gpu.BFloat16, seed uint64) {
	if i := gpu.GlobalID(); i < len(x) {
		x[i] = x[i].Add(gpu.ToFloat16(gpu.RandomFloat32(seed, 0, i))).Mul(gpu.ToFloat16(y.Float32()))
	}
}
x, y := gpu.Zeros[gpu.Float16](30), make([]gpu.Float16, 30)
must(0, noisy.Launch(gpu.For(30, 32), x, gpu.ToBFloat16(1), 7))
must(0, noisy.Run(gpu.For(30, 32), y, gpu.ToBFloat16(1), 7))`)
	n.gives("slices.Equal(x.ToHost(), y) && y[9] == gpu.ToFloat16(random.New(7).Stream().Float32(9))", "true")
	n.gives("nd.Map(nd.FromSlice(y), func(h gpu.Float16) bool { return h.Float32() < 2 }).All().Item()", "true")
}
