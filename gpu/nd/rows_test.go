package nd_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// rowCase is an expression of the rows of x. now is called with the result of each reduction of it.
type rowCase[T nd.Float] struct {
	name     string
	launches int
	f        func(x *nd.Array[T], now func(*nd.Array[T]) *nd.Array[T]) *nd.Array[T]
}

func rowCases[T nd.Float]() []rowCase[T] {
	type array = *nd.Array[T]
	type step = func(array) array
	small := num[T](0.001)
	shifted := func(x array, now step) array { return x.Sub(now(x.Max(-1)).ExpandDims(-1)) }
	return []rowCase[T]{
		{"softmax", 1, func(x array, now step) array {
			e := nd.Exp(shifted(x, now))
			return e.Div(now(e.Sum(-1)).ExpandDims(-1))
		}},
		{"log of softmax", 1, func(x array, now step) array {
			s := shifted(x, now)
			return s.Sub(nd.Log(now(nd.Exp(s).Sum(-1))).ExpandDims(-1))
		}},
		{"layer norm", 1, func(x array, now step) array {
			mean, variance := now(nd.Mean(x, -1)), now(nd.Var(x, -1))
			gain := nd.AsType[T](nd.Arange(int32(x.Shape()[x.NDim()-1]))).MulScalar(small)
			return x.Sub(mean.ExpandDims(-1)).Mul(nd.Rsqrt(variance.ExpandDims(-1).AddScalar(small))).Mul(gain).Add(gain)
		}},
		{"norm", 1, func(x array, now step) array { return x.Div(now(nd.Norm(x, -1)).ExpandDims(-1)) }},
		{"mean of squares", 1, func(x array, now step) array {
			return x.Mul(nd.Rsqrt(now(nd.Mean(x.Square(), -1)).ExpandDims(-1).AddScalar(small)))
		}},
		{"place of the maximum", 1, func(x array, now step) array {
			return x.Sub(now(nd.AsType[T](nd.Argmax(x, -1))).ExpandDims(-1)).Add(now(x.Min(-1)).ExpandDims(-1))
		}},
		{"two reductions of the same values", 1, func(x array, now step) array {
			y := nd.Tanh(nd.Exp(x.MulScalar(small)))
			return y.Div(now(y.Sum(-1)).ExpandDims(-1)).Add(now(y.Max(-1)).ExpandDims(-1))
		}},
		{"any and all", 1, func(x array, now step) array {
			some, all := now(nd.AsType[T](x.Any(-1))), now(nd.AsType[T](x.All(-1)))
			return x.Mul(some.ExpandDims(-1)).Add(all.ExpandDims(-1))
		}},
		{"of no row", asMany, func(x array, now step) array { return nd.Exp(now(x.Sum(-1)).MulScalar(small)) }},
	}
}

// elements returns numbers, of which one is NaN and one infinite if wild is set.
func rowElements[T nd.Float](wild bool, shape ...int) *nd.Array[T] {
	n := 1
	for _, length := range shape {
		n *= length
	}
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]float64, n)
	for i := range list {
		list[i] = math.Round(r.NormFloat64()*64) / 32
	}
	if wild {
		list[n/2], list[n/3] = math.NaN(), math.Inf(1)
	}
	return nd.AsType[T](nd.FromSlice(list, shape...)).Eval()
}

// TestRowKernels compares expressions of rows, each computed by one kernel, with those computed in steps.
func TestRowKernels(t *testing.T) {
	var checks []func(count bool)
	checks = append(checks, rowChecks[float32](t, 1e-6)...)
	if !testing.Short() {
		checks = append(checks, rowChecks[float64](t, 1e-14)...)
		checks = append(checks, rowChecks[nd.Float16](t, 2e-3)...)
	}
	nd.Rehearse(func() {
		for _, check := range checks {
			check(false)
		}
	})
	for _, check := range checks {
		check(true)
	}
}

// asMany launches are those of a case in which each reduction is computed at once.
const asMany = -1

func rowChecks[T nd.Float](t *testing.T, tolerance float64) (list []func(count bool)) {
	inputs := map[string]*nd.Array[T]{
		"aligned":      rowElements[T](false, 100, 96),
		"odd":          rowElements[T](true, 67, 131),
		"three axes":   rowElements[T](true, 3, 40, 72),
		"middle":       rowElements[T](false, 64, 1500),
		"long":         rowElements[T](false, 64, 8200),
		"longer":       rowElements[T](false, 64, 16384), // 512 threads, which keep all of a row
		"longest":      rowElements[T](false, 64, 20_000),
		"not aligned":  rowElements[T](true, 70, 101).Slice(nd.All, nd.From(1)),
		"every second": rowElements[T](true, 70, 202).Slice(nd.All, nd.All.By(2)),
		"backward":     rowElements[T](true, 70, 100).Flip(),
		"expression":   rowElements[T](false, 80, 1).Mul(rowElements[T](false, 90)),
	}
	if testing.Short() || nd.DTypeOf[T]() != nd.F32 {
		inputs = map[string]*nd.Array[T]{"odd": inputs["odd"], "long": inputs["long"]}
	}
	for where, x := range inputs {
		for _, c := range rowCases[T]() {
			if where != "odd" && c.name != "softmax" && c.name != "layer norm" {
				continue // other arrangements of the same rows are read alike
			}
			list = append(list, func(count bool) {
				x.Eval()
				before := nd.Stats().Launches
				got := c.f(x, func(r *nd.Array[T]) *nd.Array[T] { return r }).Eval()
				between := nd.Stats().Launches
				want := c.f(x, func(r *nd.Array[T]) *nd.Array[T] { return r.Eval() }).Eval()
				launches := c.launches
				if launches == asMany {
					launches = nd.Stats().Launches - between
				}
				if n := between - before; count && n != launches {
					t.Errorf("%s, %s, %v: %d launches, want %d", c.name, where, got.DType(), n, launches)
				}
				if count {
					closeTo(t, fmt.Sprintf("%s, %s, %v", c.name, where, got.DType()), got, want, tolerance)
				}
			})
		}
	}
	return list
}

// closeTo compares the elements of two arrays.
func closeTo[T nd.Float](t *testing.T, what string, got, want *nd.Array[T], tolerance float64) {
	t.Helper()
	g, w := nd.AsType[float64](got).ToHost(), nd.AsType[float64](want).ToHost()
	if len(g) != len(w) {
		t.Errorf("%s: got %d elements, want %d", what, len(g), len(w))
		return
	}
	for i := range g {
		if !near(g[i], w[i], tolerance*max(math.Abs(w[i]), 1e-2), true) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g[i], w[i])
			return
		}
	}
}

// TestRowsOfIntegers has reductions of other types.
func TestRowsOfIntegers(t *testing.T) {
	x := nd.AsType[int32](rowElements[float32](false, 70, 75).MulScalar(32)).Eval()
	f := func(now bool) *nd.Array[int32] {
		sum, least, place := x.Sum(1), x.Min(1), nd.Argmin(x, 1)
		if now {
			sum, least, place = sum.Eval(), least.Eval(), place.Eval()
		}
		return x.Mul(sum.ExpandDims(1)).Sub(least.Reshape(70, 1)).Add(nd.AsType[int32](place).ExpandDims(1))
	}
	nd.ResetStats()
	got := f(false).Eval()
	if n := nd.Stats().Launches; n != 1 {
		t.Errorf("%d launches, want 1", n)
	}
	equal(t, "integers", got, f(true).ToHost()...)
	z := nd.ToComplex[complex128](rowElements[float64](false, 70, 75), rowElements[float64](false, 70, 75)).Eval()
	turned := z.Sub(nd.Mean(z, 1).ExpandDims(1)).Eval()
	if sum := turned.Sum().Item(); math.Hypot(real(sum), imag(sum)) > 1e-9 {
		t.Errorf("the sum of differences from the mean is %g", sum)
	}
}

// TestNumPyRows compares expressions of rows with NumPy.
func TestNumPyRows(t *testing.T) {
	s := newSuite(t)
	add := func(expr string, x *nd.Array[float64], index string, f func(x *nd.Array[float64]) *nd.Array[float64]) {
		_, in := given(x.ToHost(), x.Shape()...)
		in.Index = index
		expectFrom(s, expr, 1e6, func() *nd.Array[float64] { return f(x.Slice(nd.Idx(index)...)) }, in)
	}
	for _, x := range []*nd.Array[float64]{rowElements[float64](false, 66, 129), rowElements[float64](true, 2, 40, 70)} {
		for _, index := range []string{"...", "..., 1:", "..., ::-1"} {
			now := func(r *nd.Array[float64]) *nd.Array[float64] { return r }
			f := rowCases[float64]()
			add("np.exp(x0 - x0.max(-1, keepdims=True)) / np.exp(x0 - x0.max(-1, keepdims=True)).sum(-1, keepdims=True)", x, index,
				func(x *nd.Array[float64]) *nd.Array[float64] { return f[0].f(x, now) })
			add("(x0 - x0.mean(-1, keepdims=True)) / np.sqrt(x0.var(-1, keepdims=True) + 0.001) * (np.arange(x0.shape[-1]) * 0.001) + np.arange(x0.shape[-1]) * 0.001",
				x, index, func(x *nd.Array[float64]) *nd.Array[float64] { return f[2].f(x, now) })
		}
	}
	s.run()
}

// launches returns how many kernels f launches.
func launches(f func()) int {
	before := nd.Stats().Launches
	f()
	return nd.Stats().Launches - before
}

// TestLateReductions tests that what is put off is not seen otherwise.
func TestLateReductions(t *testing.T) {
	const rows, length = 70, 80
	make := func() *nd.Array[float32] { return rowElements[float32](false, rows, length) }
	sums := make().Sum(1).ToHost()
	softmax := func(x *nd.Array[float32]) (largest, sum, y *nd.Array[float32]) {
		largest = x.Max(1)
		e := nd.Exp(x.Sub(largest.ExpandDims(1)))
		sum = e.Sum(1)
		return largest, sum, e.Div(sum.ExpandDims(1))
	}

	for name, change := range map[string]func(x *nd.Array[float32]){
		"Assign":         func(x *nd.Array[float32]) { x.Assign(nd.Scalar(float32(3))) },
		"Assign to part": func(x *nd.Array[float32]) { x.Slice(nd.To(5)).Fill(3) },
		"Put":            func(x *nd.Array[float32]) { nd.Put(x, nd.Arange[int32](99), nd.FromSlice([]float32{3})) },
		"BufferOf":       func(x *nd.Array[float32]) { nd.BufferOf(x).Fill(3) },
		"RawOf":          func(x *nd.Array[float32]) { nd.RawOf(x).Memory.Fill(3) },
		"Packed":         func(x *nd.Array[float32]) { nd.Packed(x).Fill(3) },
		"Free": func(x *nd.Array[float32]) {
			if err := x.Free(); err != nil {
				t.Error(err)
			}
		},
	} {
		x := make()
		got := x.Sum(1)
		change(x)
		equal(t, name, got, sums...)
		x = make()
		_, _, y := softmax(x)
		y.Eval()
		got = y.Sum(1)
		change(y)
		for i, v := range got.ToHost() {
			if math.Abs(float64(v)-1) > 1e-5 {
				t.Errorf("%s: sum %d of a softmax is %v", name, i, v)
				break
			}
		}
	}

	x := make()
	memory := nd.BufferOf(x)
	got := x.Sum(1)
	memory.Fill(3)
	equal(t, "memory that was passed on before", got, sums...)
	x = nd.FromBuffer(gpu.ToDevice(make().ToHost()), rows, length)
	got = x.Sum(1)
	nd.BufferOf(x).Fill(3)
	equal(t, "memory of a buffer", got, sums...)

	x = make()
	if n := launches(func() { x.Sum(1) }); n != 1 {
		t.Errorf("a sum: %d launches, want 1", n)
	}
	got = x.Sum(1)
	if !got.Evaluated() {
		t.Error("a sum is said to be an expression")
	}
	view := got.Reshape(rows, 1).Slice(nd.From(1))
	got.Assign(nd.Scalar(float32(5)))
	if v := view.ToHost(); v[0] != 5 || len(v) != rows-1 {
		t.Errorf("a view of a sum did not change with it: %v", v)
	}
	got = x.Sum(1)
	got.ExpandDims(0).Fill(6)
	if v := got.ToHost()[3]; v != 6 {
		t.Errorf("a sum did not change with its view: %v", v)
	}
	got = x.Sum(1)
	old := got.ExpandDims(1).Add(x)
	got.Fill(0)
	closeTo(t, "an expression of a sum that is written", old, make().Add(nd.FromSlice(sums, rows, 1)), 0)
	got = x.Sum(1)
	if err := got.Free(); err != nil {
		t.Error(err)
	}

	largest, sum, y := softmax(x)
	if n := launches(func() { y.Eval() }); n != 1 {
		t.Errorf("softmax: %d launches, want 1", n)
	}
	if n := launches(func() { largest.Eval(); sum.Eval() }); n != 0 {
		t.Errorf("the softmax's maxima and sums, which its kernel had: %d launches", n)
	}
	closeTo(t, "maxima", largest, make().Max(1), 0)
	largest, _, y = softmax(x)
	x.Fill(0)
	closeTo(t, "softmax of what was overwritten", y.Sum(1), nd.Ones[float32](rows), 1e-5)
	closeTo(t, "maxima of what was overwritten", largest, make().Max(1), 0)

	x = make()
	var many []*nd.Array[float32]
	for i := range 11 {
		many = append(many, x.MulScalar(float32(i)).Sum(1))
	}
	for i, m := range many {
		closeTo(t, "many sums", m, nd.FromSlice(sums).MulScalar(float32(i)), 1e-5)
	}
	if n := launches(func() { nd.Var(nd.AsType[float64](x), 1).Eval() }); n != 1 {
		t.Errorf("a variance: %d launches, want 1", n)
	}
	x.Assign(second(softmax(x)))
	closeTo(t, "softmax in place", x, second(softmax(make())), 0)

	x = make()
	transposed := rowElements[float32](false, length, rows).T()
	_, _, y = softmax(transposed)
	closeTo(t, "softmax of a transposed array", y.Sum(1), nd.Ones[float32](rows), 1e-5)
	square := rowElements[float32](false, rows, rows)
	closeTo(t, "sums of rows along columns", square.Sub(square.Sum(1)), square.Sub(square.Sum(1).Eval()), 0)
	closeTo(t, "sums of rows in another order", square.Sub(square.Sum(1).Flip().ExpandDims(1)), square.Sub(square.Sum(1).Eval().Flip().ExpandDims(1)), 0)
	closeTo(t, "sums of another array", square.Sub(square.Mul(nd.Ones[float32](2, 1, 1)).Sum(2).Slice(nd.At(1)).ExpandDims(1)), square.Sub(square.Sum(1).Eval().ExpandDims(1)), 0)
	if text := nd.Explain(second(softmax(x))); !strings.Contains(text, "rows_max_sum") {
		t.Errorf("Explain of a softmax has\n%s", text)
	}
}

func second[T any](_, _, y T) T { return y }

// TestLateGradients compares gradients of expressions of rows with those computed in steps.
func TestLateGradients(t *testing.T) {
	x := rowElements[float64](false, 65, 70)
	weights := nd.Sin(nd.Arange[float64](65*70)).Reshape(65, 70).Eval()
	for _, c := range rowCases[float64]()[:4] {
		grad := func(now bool) *nd.Array[float64] {
			return nd.Grad(func(x *nd.Array[float64]) *nd.Array[float64] {
				return c.f(x, func(r *nd.Array[float64]) *nd.Array[float64] {
					if now {
						return r.Eval()
					}
					return r
				}).Mul(weights).Sum()
			})(x)
		}
		closeTo(t, c.name, grad(false), grad(true), 1e-9)
	}
}

// TestRowsForGPU compiles kernels for rows by NVIDIA's compiler, which needs no GPU.
func TestRowsForGPU(t *testing.T) {
	for i, c := range rowCases[float32]() {
		if c.launches == asMany {
			continue
		}
		lengths := []int{1501}
		if i == 0 || c.name == "layer norm" {
			lengths = []int{72, 1501, 1 << 14}
		}
		for _, length := range lengths {
			compileRows(t, c, length)
		}
	}
	compileRows(t, rowCases[nd.Float16]()[0], 1501)
	compileRows(t, rowCases[float64]()[2], 1501)
}

// compileRows compiles the kernel of an expression of rows of that length.
func compileRows[T nd.Float](t *testing.T, c rowCase[T], length int) {
	t.Helper()
	nd.Stats() // computes what waits: only a few reductions do
	texts, flags := nd.Programs(c.f(nd.Empty[T](64, length), func(r *nd.Array[T]) *nd.Array[T] { return r }))
	if len(texts) != 1 || !strings.Contains(texts[0], "nd_whole<") {
		t.Fatalf("%s of rows of %d elements is no kernel for rows, but\n%s", c.name, length, strings.Join(texts, "\n"))
	}
	buildForGPU(t, texts[0], flags)
}

// buildForGPU compiles a kernel by NVIDIA's compiler.
func buildForGPU(t *testing.T, text string, flags []string) {
	t.Helper()
	mod, err := gpu.Compile(text, gpu.WithName("rows.cu"), gpu.WithFlags(flags...))
	if err != nil {
		t.Fatal(err)
	}
	_, err = mod.Build()
	var missing *gpu.Error
	if errors.As(err, &missing) && missing.Name == "CUDA_ERROR_JIT_COMPILER_NOT_FOUND" && os.Getenv("GOPHERWARP_NEED_NVRTC") == "" {
		t.Skipf("SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

// Reductions that are computed together and share a value that takes long have the results of those computed alone.
func TestRowsShareValues(t *testing.T) {
	for _, shape := range [][2]int{{64, 64}, {3, 5000}, {700, 9}, {1, 1}, {5, 1025}} {
		x := nd.Arange(float32(shape[1])).MulScalar(0.37).Sub(nd.Arange(float32(shape[0])).ExpandDims(1)).Copy()
		results := func() []*nd.Array[float32] {
			weight := nd.Rsqrt(x.Square().AddScalar(0.25)).Div(x.Square().AddScalar(1))
			largest := nd.Exp(weight).Max(1)
			return []*nd.Array[float32]{
				x.Mul(weight).Sum(1).Square(), weight.Sum(1), weight.Max(1), x.Square().Mul(weight).Sum(1).Neg(),
				nd.Exp(weight.Sub(largest.ExpandDims(1))).Sum(1),
			}
		}
		together, alone := results(), results()
		nd.Eval(together[0], together[1], together[2], together[3], together[4])
		for i, want := range alone {
			if got, want := together[i].ToHost(), want.Copy().ToHost(); !slices.Equal(got, want) {
				t.Errorf("rows of shape %v, result %d: together %v, alone %v", shape, i, got[:min(4, len(got))], want[:min(4, len(want))])
			}
		}
	}
}

// Rows that are shorter than a block read an operand that is the same for all of them as it is now, not as it was in a launch before.
func TestRowsOfRepeatedOperands(t *testing.T) {
	for _, shape := range [][2]int{{64, 64}, {70, 64}, {9, 200}, {33, 90}, {300, 71}} {
		x := nd.Arange(float32(shape[0]*shape[1])).MulScalar(0.1).Mod(nd.Full[float32](7)).Reshape(shape[0], shape[1]).Eval()
		row := nd.Arange(float32(2 * shape[1])).MulScalar(0.25).Eval()
		sums := func(row *nd.Array[float32]) []float32 {
			half := nd.AsType[nd.Float16](row).Eval() // which is converted as it is read
			difference := x.Sub(row)
			a, b := difference.Square().Sum(1), nd.AsType[float32](half).Mul(difference).Sum(1)
			nd.Eval(a, b)
			return append(a.ToHost(), b.ToHost()...)
		}
		for step := range 3 {
			row.Assign(row.AddScalar(float32(step)))
			every := row.Slice(nd.All.By(2))
			want := every.BroadcastTo(shape[0], shape[1]).Copy()
			if got, want := sums(every), sums(want); !slices.Equal(got, want) {
				t.Errorf("%v, step %d: %v, want %v", shape, step, got[:4], want[:4])
			}
		}
	}
}
