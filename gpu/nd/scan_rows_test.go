package nd_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// scanOf is a scan, and how it goes from one number to the next, of floats and of integers, which wrap around.
type scanOf[T nd.Real] struct {
	name   string
	scan   func(a *nd.Array[T], axis ...int) *nd.Array[T]
	floats func(so, x float64) float64
	whole  func(so, x int64) int64
}

func scansOf[T nd.Real]() []scanOf[T] {
	return []scanOf[T]{
		{"Cumsum", nd.Cumsum[T], func(so, x float64) float64 { return so + x }, func(so, x int64) int64 { return so + x }},
		{"Cumprod", nd.Cumprod[T], func(so, x float64) float64 { return so * x }, func(so, x int64) int64 { return so * x }},
		{"Cummax", nd.Cummax[T], func(so, x float64) float64 { return max(so, x) }, func(so, x int64) int64 { return max(so, x) }},
		{"Cummin", nd.Cummin[T], func(so, x float64) float64 { return min(so, x) }, func(so, x int64) int64 { return min(so, x) }},
	}
}

// scannedOn reports whether the device has kernels for rows that scan.
func scannedOn() bool { return !nd.Described() }

// rowsOf returns the elements of an array as numbers of float64, by rows.
func rowsOf[T nd.Real](a *nd.Array[T]) [][]float64 {
	list := nd.AsType[float64](a).ToHost()
	return slices.Collect(slices.Chunk(list, a.Shape()[a.NDim()-1]))
}

// TestScansWithinRows compares scans of expressions, and the largest and the sum of such scans, with those of the host.
func TestScansWithinRows(t *testing.T) {
	checks := withinRows[float32](t, 2e-6, [][]int{{67, 132}, {64, 1040}, {64, 101}})
	if !testing.Short() {
		checks = append(checks, withinRows[float32](t, 2e-6, [][]int{{64, 64}, {3, 40, 192}, {64, 1024}, {64, 16384}, {64, 20_000}})...)
		some := [][]int{{64, 2064}}
		checks = slices.Concat(checks, withinRows[float64](t, 1e-12, some), withinRows[int32](t, 0, some), withinRows[int8](t, 0, some),
			withinRows[uint16](t, 0, some), withinRows[int64](t, 0, some), withinRows[nd.Float16](t, 2e-3, some), withinRows[nd.BFloat16](t, 2e-2, some))
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

// withinRows returns functions that compute scans, and then maybe compare them.
func withinRows[T nd.Real](t *testing.T, tolerance float64, shapes [][]int) (checks []func(compare bool)) {
	inputs := map[string]*nd.Array[T]{
		"padded": scanElements[T](66, 160).Slice(nd.All, nd.To(151)), // rows that end within a vector
	}
	for _, shape := range shapes {
		inputs[fmt.Sprint(shape)] = scanElements[T](shape...)
	}
	one := num[T](1)
	for where, x := range inputs {
		mapped := func() *nd.Array[T] { return x.Mul(x).Sub(x).AddScalar(one) }
		in := rowsOf(mapped())
		for _, s := range scansOf[T]() {
			checks = append(checks, func(compare bool) {
				all := s.scan(mapped(), -1).Eval()
				again := s.scan(mapped(), -1)
				largest, sum := again.Max(-1), nd.SumAs[float64](again, -1)
				nd.Eval(largest, sum)
				if compare {
					compareScans(t, fmt.Sprintf("%s of %s, %v", s.name, where, x.DType()), in, s, all, largest, sum, tolerance)
				}
			})
		}
	}
	return checks
}

// scanElements returns 0, 1 and 2, in no order.
func scanElements[T nd.Real](shape ...int) *nd.Array[T] {
	list := make([]float64, product(shape))
	for i := range list {
		list[i] = float64((i*7919 + i/13*i) % 3)
	}
	return nd.AsType[T](nd.FromSlice(list, shape...)).Eval()
}

func product(list []int) int {
	n := 1
	for _, v := range list {
		n *= v
	}
	return n
}

// compareScans compares a scan of rows, and its maxima and sums, with those of the host.
func compareScans[T nd.Real](t *testing.T, what string, in [][]float64, s scanOf[T], all, largest *nd.Array[T], sum *nd.Array[float64], tolerance float64) {
	t.Helper()
	got, most, sums := rowsOf(all), nd.AsType[float64](largest).ToHost(), sum.ToHost()
	for r, row := range in {
		scanned := s.of(row)
		want, total := nd.AsType[float64](scanned).ToHost(), nd.SumAs[float64](scanned).Item() // integers wrap around in it
		top := math.Inf(-1)
		for i, w := range want {
			top = max(top, w)
			if !near(got[r][i], w, tolerance*max(math.Abs(w), 1), true) {
				t.Fatalf("%s: element %d of row %d is %v, want %v", what, i, r, got[r][i], w)
			}
		}
		if !near(most[r], top, tolerance*max(math.Abs(top), 1), true) {
			t.Fatalf("%s: the largest of row %d is %v, want %v", what, r, most[r], top)
		}
		if !near(sums[r], total, max(tolerance, 1e-6)*max(math.Abs(total), 1), true) {
			t.Fatalf("%s: the sum of row %d is %v, want %v", what, r, sums[r], total)
		}
	}
}

// of returns the scan of a row of numbers.
func (s scanOf[T]) of(row []float64) *nd.Array[T] {
	if dt := nd.DTypeOf[T](); dt == nd.F16 || dt == nd.BF16 || dt == nd.F32 || dt == nd.F64 {
		return nd.AsType[T](nd.FromSlice(soFar(row, s.floats)))
	}
	whole := make([]int64, len(row))
	for i, v := range row {
		whole[i] = int64(v)
	}
	return nd.AsType[T](nd.FromSlice(soFar(whole, s.whole)))
}

// soFar returns the list joined up to each of its elements.
func soFar[N int64 | float64](list []N, join func(so, x N) N) []N {
	out := slices.Clone(list)
	for i := 1; i < len(out); i++ {
		out[i] = join(out[i-1], out[i])
	}
	return out
}

// scanCase is an expression with scans of the rows of x. now is called with each scan and each reduction.
type scanCase[T nd.Float] struct {
	name string
	f    func(x *nd.Array[T], now func(*nd.Array[T]) *nd.Array[T]) *nd.Array[T]
}

func scanCases[T nd.Float]() []scanCase[T] {
	type array = *nd.Array[T]
	type step = func(array) array
	small, half, one := num[T](0.01), num[T](0.5), num[T](1)
	return []scanCase[T]{
		{"walk", func(x array, now step) array {
			steps := nd.Where(x.LessScalar(half), nd.Scalar(-one), nd.Scalar(one))
			return now(nd.Cumsum(steps, -1)).Max(-1)
		}},
		{"of an expression", func(x array, now step) array { return now(nd.Cumsum(nd.Tanh(x), -1)) }},
		{"then an expression", func(x array, now step) array { return nd.Tanh(now(nd.Cummax(x, -1)).MulScalar(small)) }},
		{"part of the total", func(x array, now step) array {
			return now(nd.Cumsum(nd.Abs(x), -1)).Div(now(nd.Abs(x).Sum(-1)).ExpandDims(-1))
		}},
		{"distribution of a softmax", func(x array, now step) array {
			e := nd.Exp(x.Sub(now(x.Max(-1)).ExpandDims(-1)))
			return now(nd.Cumsum(e.Div(now(e.Sum(-1)).ExpandDims(-1)), -1))
		}},
		{"loss since the maximum", func(x array, now step) array {
			c := now(nd.Cumsum(x, -1))
			return now(now(nd.Cummax(c, -1)).Sub(c).Max(-1))
		}},
		{"two scans and a reduction of both", func(x array, now step) array {
			return now(nd.Cummax(x, -1)).Sub(now(nd.Cummin(x, -1))).Sum(-1)
		}},
		{"of a scan, times its mean", func(x array, now step) array {
			c := now(nd.Cumsum(now(nd.Cumsum(x.MulScalar(small), -1)), -1))
			return c.Mul(now(nd.Mean(c, -1)).ExpandDims(-1))
		}},
		{"products", func(x array, now step) array {
			return now(nd.Cumprod(x.MulScalar(small).AddScalar(one), -1)).Min(-1)
		}},
		{"place of the largest sum", func(x array, now step) array {
			return x.Sub(now(nd.AsType[T](nd.Argmax(now(nd.Cumsum(x, -1)), -1))).ExpandDims(-1))
		}},
		{"of indices", func(x array, now step) array {
			return now(nd.Cumsum(nd.AsType[T](nd.Arange(int32(x.Shape()[x.NDim()-1]))).MulScalar(small).Add(x), -1)).Max(-1)
		}},
	}
}

// TestScanKernels compares expressions with scans of rows, each computed by one kernel, with those computed in steps.
func TestScanKernels(t *testing.T) {
	all := scanCases[float32]()
	checks := scanKernels(t, 2e-5, all, [][]int{{67, 128}})
	if !testing.Short() {
		checks = slices.Concat(checks, scanKernels(t, 2e-5, all, [][]int{{3, 40, 72}, {64, 1500}, {64, 8200}}),
			scanKernels(t, 2e-5, all[:5], [][]int{{64, 16384}}), // a block has no room for two scans
			scanKernels(t, 1e-10, scanCases[float64](), [][]int{{64, 2048}}))
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

func scanKernels[T nd.Float](t *testing.T, tolerance float64, cases []scanCase[T], shapes [][]int) (checks []func(compare bool)) {
	inputs := map[string]*nd.Array[T]{}
	for _, shape := range shapes {
		inputs[fmt.Sprint(shape)] = rowElements[T](false, shape...)
		inputs[fmt.Sprint(shape, " with NaN")] = rowElements[T](true, shape...)
	}
	for where, x := range inputs {
		for _, c := range cases {
			checks = append(checks, func(compare bool) {
				before := nd.Stats().Launches
				got := c.f(x, func(r *nd.Array[T]) *nd.Array[T] { return r }).Eval()
				n := nd.Stats().Launches - before
				want := c.f(x, func(r *nd.Array[T]) *nd.Array[T] { return r.Eval() }).Eval()
				if !compare {
					return
				}
				what := fmt.Sprintf("%s, %s, %v", c.name, where, x.DType())
				if scannedOn() && n != 1 {
					t.Errorf("%s: %d launches, want 1", what, n)
				}
				closeTo(t, what, got, want, tolerance)
			})
		}
	}
	return checks
}

// TestScansThatNoKernelHas has scans of rows that are too long, not aligned, or of another shape than what is made of them.
func TestScansThatNoKernelHas(t *testing.T) {
	square := rowElements[float64](false, 64, 64)
	for name, f := range map[string]func(now step64) *nd.Array[float64]{
		"too long": func(now step64) *nd.Array[float64] {
			x := rowElements[float64](false, 64, 20_000)
			return now(nd.Cumsum(x.Square(), 1)).Max(1)
		},
		"not aligned": func(now step64) *nd.Array[float64] {
			x := rowElements[float64](false, 70, 101).Slice(nd.All, nd.From(1))
			return now(nd.Cumsum(x.Square(), 1)).Sub(now(x.Sum(1)).ExpandDims(1))
		},
		"by columns": func(now step64) *nd.Array[float64] { return now(nd.Cumsum(square.T().Square(), 1)).Sum(1) },
		"along columns": func(now step64) *nd.Array[float64] {
			return now(nd.Cumsum(square.Square(), 0)).Sum(1)
		},
		"repeated": func(now step64) *nd.Array[float64] {
			return now(nd.Cumsum(square.Square(), 1)).Mul(nd.Ones[float64](3, 1, 64)).Sum(2)
		},
		"of repeated rows": func(now step64) *nd.Array[float64] {
			return now(nd.Cumsum(square.Slice(nd.At(3)).BroadcastTo(64, 64), 1)).Sum(1)
		},
		"of repeated elements": func(now step64) *nd.Array[float64] {
			return now(nd.Cumsum(square.Slice(nd.All, nd.R(3, 4)).BroadcastTo(64, 64).Square(), 1)).Sum(1)
		},
		"backward": func(now step64) *nd.Array[float64] {
			return now(nd.Cumsum(square.Flip(1).Square(), 1)).Max(1)
		},
		"a part": func(now step64) *nd.Array[float64] {
			c := now(nd.Cumsum(square.Square(), 1))
			return c.Div(c.Slice(nd.All, nd.From(-1)))
		},
		"transposed": func(now step64) *nd.Array[float64] { return now(nd.Cumsum(square.Square(), 1)).T().Sum(1) },
		"all":        func(now step64) *nd.Array[float64] { return now(nd.Cumsum(square.Square(), 1)).Sum() },
		"columns":    func(now step64) *nd.Array[float64] { return now(nd.Cumsum(square.Square(), 1)).Sum(0) },
		"taken": func(now step64) *nd.Array[float64] {
			return now(nd.Cumsum(nd.Take(square.Ravel(), nd.Arange[int64](64*64)).Reshape(64, 64), 1)).Max(1)
		},
		"of sums": func(now step64) *nd.Array[float64] {
			sums := now(nd.Ones[float64](64, 64, 64).Mul(square).Sum(2))
			return now(nd.Cumsum(nd.Sqrt(sums), 1)).Sub(sums)
		},
		"masked": func(now step64) *nd.Array[float64] {
			c := now(nd.Cumsum(square.Square(), 1))
			return nd.Mask(c.Ravel(), c.Ravel().GreaterScalar(5))
		},
		"masked by itself": func(now step64) *nd.Array[float64] {
			c := now(nd.Cumsum(square.Square(), 1))
			return nd.Mask(c, c.GreaterScalar(5))
		},
	} {
		got := f(func(r *nd.Array[float64]) *nd.Array[float64] { return r }).Eval()
		closeTo(t, name, got, f(func(r *nd.Array[float64]) *nd.Array[float64] { return r.Eval() }), 1e-12)
	}
}

// TestScansOfComplexNumbers has scans of types whose accumulators have several words.
func TestScansOfComplexNumbers(t *testing.T) {
	re, im := rowElements[float64](false, 64, 512), rowElements[float64](true, 64, 512)
	z := nd.ToComplex[complex128](re, im).Eval()
	f := func(now bool) (sums, products *nd.Array[complex128]) {
		sums, products = nd.Cumsum(z.Mul(z), 1), nd.Cumprod(nd.ToComplex[complex128](nd.Cos(re), nd.Sin(re)), 1)
		if now {
			sums.Eval()
			products.Eval()
		}
		return sums.MulScalar(2), products.Sub(z)
	}
	sums, products := f(false)
	wantSums, wantProducts := f(true)
	for name, pair := range map[string][2]*nd.Array[complex128]{"sums": {sums, wantSums}, "products": {products, wantProducts}} {
		closeTo(t, name, nd.RealPart[float64](pair[0]), nd.RealPart[float64](pair[1]), 1e-9)
		closeTo(t, name, nd.ImagPart[float64](pair[0]), nd.ImagPart[float64](pair[1]), 1e-9)
	}
}

// TestScansWait tests that what is put off is not seen otherwise, and what is computed when.
func TestScansWait(t *testing.T) {
	if !scannedOn() {
		t.Skip("SKIPPED: scans do not wait for kernels that are described")
	}
	x := rowElements[float32](false, 70, 128)
	want := nd.Cumsum(x, 1).ToHost()
	for name, c := range map[string]struct {
		want int
		f    func()
	}{
		"a scan":                   {1, func() { nd.Cumsum(x, 1) }},
		"a scan of an expression":  {1, func() { nd.Cumsum(nd.Exp(x), 1) }},
		"a scan that is kept":      {2, func() { c := nd.Cumsum(nd.Exp(x), 1); c.Max(1).Eval(); c.Eval() }},
		"a scan, computed first":   {2, func() { c := nd.Cumsum(nd.Exp(x), 1).Eval(); c.Max(1).Eval() }},
		"two reductions":           {1, func() { c := nd.Cumsum(nd.Exp(x), 1); nd.Eval(c.Max(1), c.Min(1)) }},
		"reductions that wait":     {1, func() { nd.Cumsum(nd.Exp(x), 1).Max(1) }},
		"an expression and a view": {2, func() { c := nd.Cumsum(nd.Exp(x), 1); c.Sub(c.Slice(nd.All, nd.From(-1))).Eval() }},
	} {
		if n := launches(c.f); n != c.want {
			t.Errorf("%s: %d launches, want %d", name, n, c.want)
		}
	}
	for name, change := range map[string]func(x *nd.Array[float32]){
		"Assign":         func(x *nd.Array[float32]) { x.Assign(nd.Scalar(float32(3))) },
		"Assign to part": func(x *nd.Array[float32]) { x.Slice(nd.To(5)).Fill(3) },
		"BufferOf":       func(x *nd.Array[float32]) { nd.BufferOf(x).Fill(3) },
		"Free": func(x *nd.Array[float32]) {
			if err := x.Free(); err != nil {
				t.Error(err)
			}
		},
	} {
		y := x.Copy()
		got := nd.Cumsum(y, 1)
		change(y)
		closeTo(t, name, got, nd.FromSlice(want, 70, 128), 0)
		y = x.Copy()
		got = nd.Cumsum(y.MulScalar(1), 1)
		got.Max(1).Eval()
		change(y)
		closeTo(t, name+", after its maximum", got, nd.FromSlice(want, 70, 128), 0)
	}
	got := nd.Cumsum(x, 1)
	if !got.Evaluated() {
		t.Error("a scan is said to be an expression")
	}
	got.Fill(6)
	if v := got.ToHost()[3]; v != 6 {
		t.Errorf("a scan that was written has %v", v)
	}
	if err := nd.Cumsum(x, 1).Free(); err != nil {
		t.Error(err)
	}
	if text := nd.Explain(nd.Tanh(nd.Cumsum(x, 1))); !strings.Contains(text, "rows_cumsum_tanh") {
		t.Errorf("Explain of an expression of a scan has\n%s", text)
	}
	if text := nd.Explain(nd.Cumsum(x, 1)); !strings.Contains(text, " scan_sum(") {
		t.Errorf("Explain of a scan has\n%s", text)
	}
	long := rowElements[float64](false, 64, 4096)
	for name, f := range map[string]func() *nd.Array[float64]{
		"a scan":         func() *nd.Array[float64] { return nd.Cumprod(nd.Sin(long.Flip(1)), 1) },
		"of another one": func() *nd.Array[float64] { return nd.Cummax(nd.Cummin(long.Flip(1).Neg(), 1), 1) },
	} {
		if text := nd.Explain(f()); !strings.Contains(text, "computed already") {
			t.Errorf("Explain of %s that no kernel for rows has is\n%s", name, text)
		}
		nd.Prepare(f())
	}
	if err := nd.Unsettled(nd.Tanh(nd.Cumsum(x, 1))); err == nil || !strings.Contains(err.Error(), "before it is computed") {
		t.Errorf("the error is %v", err)
	}
	nd.Prepare(nd.Cumsum(nd.Exp2(x), 1), nd.Cumsum(x, 1))
	zeros := nd.Zeros[float64](64, 64).Neg()
	for i, v := range nd.Cumsum(zeros.MulScalar(1), 1).ToHost() {
		if !math.Signbit(v) {
			t.Fatalf("sum %d of negative zeros is %v", i, v)
		}
	}
}

// TestManyScans makes scans whose operands have more memory than expressions may hold: those of one array, or that the program does not keep,
// are never stored, and of those that it keeps the oldest are.
func TestManyScans(t *testing.T) {
	if !scannedOn() {
		t.Skip("SKIPPED: scans do not wait for kernels that are described")
	}
	const steps = 40
	x := rowElements[float32](false, 70, 128)
	nd.Cumsum(x, 1).Max(1).Eval() // compiles
	want := nd.Cumsum(x, 1).ToHost()
	var kept []*nd.Array[float32]
	scan := func(x *nd.Array[float32], keep bool) {
		c := nd.Cumsum(x, 1)
		if keep {
			kept = append(kept, c)
		}
		c.Max(1).Eval()
	}
	for name, c := range map[string]struct {
		held     int // operands that expressions may hold
		launches int
		f        func(i int)
	}{
		"of one array":              {3, steps, func(int) { scan(x, false) }},
		"not kept":                  {3, 2 * steps, func(int) { scan(x.Copy(), false) }},
		"not kept, room for one":    {1, 2 * steps, func(int) { scan(x.Copy(), false) }},
		"kept of one array":         {3, steps, func(int) { scan(x, true) }},
		"kept":                      {3, 3*steps - 3, func(int) { scan(x.Copy(), true) }},
		"kept, room for one":        {1, 3*steps - 1, func(int) { scan(x.Copy(), true) }},
		"the first half, then none": {3, 2*steps + steps/2 - 2, func(i int) { scan(x.Copy(), i < steps/2) }},
	} {
		kept = nil
		runtime.GC()
		before := nd.SetMostHeld(c.held*x.Bytes() + 1)
		n := launches(func() {
			for i := range steps {
				c.f(i)
			}
		})
		nd.SetMostHeld(before)
		if n != c.launches {
			t.Errorf("%s: %d launches, want %d", name, n, c.launches)
		}
		for i, c := range kept {
			if !slices.Equal(c.ToHost(), want) {
				t.Errorf("%s: scan %d is another than that of its operand", name, i)
			}
		}
	}
}

// TestNotedScans tests that scans which the program has no more do not stay noted, as in a loop without end.
func TestNotedScans(t *testing.T) {
	if !scannedOn() {
		t.Skip("SKIPPED: scans do not wait for kernels that are described")
	}
	const steps = 40
	x := rowElements[float32](false, 70, 128)
	for range 10 {
		runtime.GC()
		for range steps {
			nd.Cumsum(x, 1).Max(1).Eval()
		}
	}
	if n := nd.Noted(); n > 6*steps {
		t.Errorf("%d scans are noted, of which the program had %d at once", n, steps)
	}
}

// TestScanGradients compares gradients of expressions with scans with those computed in steps.
func TestScanGradients(t *testing.T) {
	x := rowElements[float64](false, 65, 70)
	for _, c := range scanCases[float64]()[:5] {
		if c.name == "then an expression" {
			continue // the largest so far have no gradient
		}
		grad := func(now bool) *nd.Array[float64] {
			return nd.Grad(func(x *nd.Array[float64]) *nd.Array[float64] {
				return nd.Sin(c.f(x, func(r *nd.Array[float64]) *nd.Array[float64] {
					if now {
						return r.Eval()
					}
					return r
				})).Sum()
			})(x)
		}
		closeTo(t, c.name, grad(false), grad(true), 1e-9)
	}
}

// TestScansInLoops repeats a step with a scan.
func TestScansInLoops(t *testing.T) {
	f := func(loop func(n int, step func(), variables ...any)) *nd.Array[float64] {
		x := rowElements[float64](false, 64, 128)
		loop(12, func() {
			c := nd.Cumsum(nd.Sin(x), 1)
			x = c.Sub(c.Max(1).ExpandDims(1)).MulScalar(0.3)
		}, &x)
		return x
	}
	got := f(nd.Loop)
	closeTo(t, "a loop", got, f(func(n int, step func(), _ ...any) {
		for range n {
			step()
		}
	}), 1e-12)
}

// TestScansForGPU compiles kernels for rows with scans by NVIDIA's compiler, which needs no GPU.
func TestScansForGPU(t *testing.T) {
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	nd.Stats() // computes what waits
	z := nd.Empty[complex64](64, 512)
	for _, o := range []nd.Operand{
		nd.Cumsum(nd.Exp(nd.Empty[float32](64, 1<<14)), 1),
		nd.Tanh(nd.Cummin(nd.Empty[nd.BFloat16](64, 1000), 1)),
		nd.Cumprod(z.Mul(z), 1),
	} {
		texts, flags := nd.Programs(o)
		if len(texts) != 1 || !strings.Contains(texts[0], "nd_before<") {
			t.Fatalf("there is no kernel for rows that scans, but\n%s", strings.Join(texts, "\n"))
		}
		buildForGPU(t, texts[0], flags)
	}
}

// TestScansHaveNoRaces checks the accesses of kernels whose rows have a warp each, and those whose warps share one.
func TestScansHaveNoRaces(t *testing.T) {
	if !scannedOn() {
		t.Skip("SKIPPED: kernels that are described have no scans")
	}
	for _, length := range []int{200, 3000} {
		x := rowElements[float32](false, 65, length)
		report, err := check.Run(func() error {
			c := nd.Cumsum(nd.Exp(x), 1)
			c.Div(nd.Cummax(c, 1).Max(1).ExpandDims(1)).Eval()
			return nil
		})
		if err == nil {
			err = report.Err()
		}
		if err != nil {
			t.Errorf("rows of %d: %v", length, err)
		}
	}
}
