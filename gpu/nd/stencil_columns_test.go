package nd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// columnsAlways makes threads of kernels for stencils compute several columns wherever they can, until the test ends.
func columnsAlways(t *testing.T) {
	before := nd.SetColumnsGain(0)
	t.Cleanup(func() { nd.SetColumnsGain(before) })
}

// TestStencilColumnsForm looks at the kernels' texts.
func TestStencilColumnsForm(t *testing.T) {
	weight := func(i int) float32 { return float32(i) }
	filter := func(k, w int) func() {
		return func() { filtered(ones[float32](64, w), k, weight).Eval() }
	}
	always := func(run func()) func() {
		return func() {
			defer nd.SetColumnsGain(nd.SetColumnsGain(0))
			run()
		}
	}
	inside := func(a *nd.Array[float32]) func() {
		return func() { a.Slice(nd.R(1, -1), nd.R(1, -1)).Assign(around(a)) }
	}
	type loads struct{ vectors, elements int }
	type stores struct{ vectors, width int }
	for _, c := range []struct {
		name   string
		loads  loads
		stores stores // of vectors
		run    func()
	}{
		{"filter of 5 by 5", loads{8 * 2, 0}, stores{4, 4}, filter(5, 512)},
		{"filter of 5 by 5, rows of which every second begins a vector", loads{8 * 3, 0}, stores{4, 2}, filter(5, 510)},
		{"filter of 5 by 5, rows of an odd length", loads{0, 8 * 5}, stores{}, filter(5, 511)},
		{"filter of float64", loads{8 * 3, 0}, stores{4, 2}, func() { filtered(ones[float64](64, 512), 5, func(int) float64 { return 3 }).Eval() }},
		{"filter of float16", loads{8 * 2, 0}, stores{4, 4}, func() { filtered(ones[nd.Float16](64, 512), 5, func(int) nd.Float16 { return 3 }).Eval() }},
		{"filter of complex128", loads{0, 6 * 5}, stores{}, func() { filtered(ones[complex128](64, 512), 5, func(int) complex128 { return 3 }).Eval() }},
		{"few rows", loads{6 * 2, 0}, stores{2, 4}, func() { filtered(ones[float32](14, 512), 5, weight).Eval() }},
		{"filter of 3 by 3", loads{0, 6 * 3}, stores{}, filter(3, 512)},
		{"filter of 3 by 3, always", loads{6 * 2, 0}, stores{8, 2}, always(filter(3, 512))},
		{"neighbours", loads{0, 6 + 4*2}, stores{}, inside(ones[float32](64, 512))},
		{"neighbours, always", loads{2 + 4*2, 2}, stores{8, 2}, always(func() { around(ones[float32](64, 512)).Eval() })},
		{"neighbours, into the inside", loads{6, 4 * 2}, stores{4, 4}, always(inside(ones[float32](64, 512)))},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := nd.Sources(c.run)
			text := ""
			for _, other := range texts {
				if strings.Contains(other, " stencil_") {
					text = other
				}
			}
			got := loads{strings.Count(text, "= *(const nd_vector<"), strings.Count(text, "p0[") - strings.Count(text, "&p0[")}
			if got != c.loads {
				t.Errorf("the thread's loads are %+v, want %+v", got, c.loads)
			}
			kept := stores{vectors: strings.Count(text, " *)&out[")}
			if kept.vectors > 0 {
				_, rest, _ := strings.Cut(text[strings.Index(text, "    *(nd_vector<"):], ", ")
				_, err := fmt.Sscanf(rest, "%d", &kept.width)
				if err != nil {
					t.Error(err)
				}
			}
			if kept != c.stores {
				t.Errorf("the thread's stores of vectors are %+v, want %+v", kept, c.stores)
			}
			if t.Failed() {
				t.Logf("the kernel is\n%s", text)
			}
		})
	}
}

// columnsCase is a sum of views of an array: of each of some rows and columns, from the array's first column start on.
type columnsCase struct {
	h, w        int   // of the array
	rows, cols  []int // of the views
	start, trim int   // columns before those of all views, and after them
	to          int   // the first column of those to which the sum is assigned, in an array as large, or -1 if it is a new array
}

func (c *columnsCase) size() (high, across int) {
	return c.h - c.rows[len(c.rows)-1], c.w - c.start - c.trim - c.cols[len(c.cols)-1]
}

// columnsCases has all places at which rows can begin and end.
func columnsCases() (list []columnsCase) {
	for start := range 4 {
		for trim := range 4 {
			to := (start+2*trim)%6 - 1
			list = append(list, columnsCase{18 + trim, 64, []int{0, 2}, []int{0, 1, 2}, start, trim, to})
			list = append(list, columnsCase{10 + trim, 72, []int{0, 1}, []int{0, 5}, start, trim, start%2*(start+1) - 1})
		}
	}
	return append(list,
		columnsCase{26, 80, []int{0, 1, 2, 3, 4}, []int{0, 1, 2, 3, 4}, 0, 0, -1},
		columnsCase{27, 81, []int{0, 1}, []int{0, 1, 2}, 0, 0, -1},
		columnsCase{25, 78, []int{0, 1, 2, 3, 4}, []int{0, 1, 2, 3, 4}, 1, 0, 2},
		columnsCase{24, 300, []int{0, 1}, []int{0, 9, 16}, 1, 2, 3},
		columnsCase{40, 64, []int{0, 16}, []int{0, 16}, 3, 0, -1},
	)
}

// views calls each with the rows and columns at which the views begin.
func (c *columnsCase) views(each func(row, col int)) {
	for _, row := range c.rows {
		for _, col := range c.cols {
			each(row, c.start+col)
		}
	}
}

// compute returns the elements as package nd computes them.
func compute[T nd.Number](c *columnsCase, host []T, apart bool) []T {
	x := nd.FromSlice(host, c.h, c.w)
	high, across := c.size()
	var sum *nd.Array[T]
	c.views(func(row, col int) {
		v := take(x.Slice(nd.R(row, row+high), nd.R(col, col+across)), apart)
		if sum == nil {
			sum = v
			return
		}
		sum = sum.Add(sum).Add(v)
	})
	if c.to < 0 {
		return sum.ToHost()
	}
	// The array itself, of which the rest is copied.
	x.Slice(nd.R(1, 1+high), nd.R(c.to, c.to+across)).Assign(sum)
	return x.ToHost()
}

// expected returns the elements by loops.
func expected[T nd.Real](c *columnsCase, host []T) []T {
	high, across := c.size()
	all := make([]T, len(host))
	copy(all, host)
	var dense []T
	for i := range high {
		for j := range across {
			var sum T
			first := true
			c.views(func(row, col int) {
				v := host[(i+row)*c.w+j+col]
				if first {
					sum, first = v, false
					return
				}
				sum = T(sum+sum) + v
			})
			dense = append(dense, sum)
			if c.to >= 0 {
				all[(i+1)*c.w+c.to+j] = sum
			}
		}
	}
	if c.to < 0 {
		return dense
	}
	return all
}

// numbersOf returns numbers of all sizes, some of which are no numbers.
func numbersOf[T nd.Real](n int) []T {
	r := rand.New(rand.NewPCG(3, 4))
	list := make([]T, n)
	for i := range list {
		list[i] = T(r.IntN(250)) / 3
		if x, is := any(&list[i]).(*float32); is {
			*x = [...]float32{r.Float32(), float32(r.NormFloat64()), *x, -*x, float32(math.NaN()), float32(math.Inf(1)), float32(math.Copysign(0, -1)), 1e-40}[r.IntN(4)+r.IntN(16)/15*4]
		}
	}
	return list
}

func testColumns[T nd.Real](t *testing.T, c *columnsCase, check bool) {
	host := numbersOf[T](c.h * c.w)
	got := compute(c, host, false)
	if !check {
		return
	}
	for i, want := range expected(c, host) {
		if g := got[i]; g != want && (g == g || want == want) || math.Signbit(float64(g)) != math.Signbit(float64(want)) && g == g {
			t.Fatalf("%+v of %T: element %d is %v, want %v", *c, want, i, g, want)
		}
	}
}

// TestStencilColumns compares sums of views with loops, for threads that compute several columns.
func TestStencilColumns(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		columnsAlways(t)
		for part := range slices.Chunk(columnsCases(), 8) { // a program of all kernels takes long to compile
			nd.Rehearse(func() { testColumnsOf(t, part, false) })
			testColumnsOf(t, part, true)
		}
	})
}

// testColumnsOf tests cases with several types.
func testColumnsOf(t *testing.T, list []columnsCase, compare bool) {
	for i := range list {
		c := &list[i]
		switch i % 5 {
		case 0:
			testColumns[float64](t, c, compare)
		case 1:
			testColumns[int8](t, c, compare)
		case 2:
			testColumns[uint16](t, c, compare)
		default:
			testColumns[float32](t, c, compare)
		}
	}
}

// TestStencilColumnsTypes compares sums of views with those of copies.
func TestStencilColumnsTypes(t *testing.T) {
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	columnsAlways(t)
	c := columnsCase{18, 64, []int{0, 1, 2}, []int{0, 1, 2}, 1, 1, 2}
	sameApart[nd.Float16](t, &c)
	sameApart[int64](t, &c)
	sameApart[complex64](t, &c)
}

func sameApart[T nd.Number](t *testing.T, c *columnsCase) {
	host := nd.AsType[T](nd.FromSlice(numbersOf[int16](c.h * c.w)).DivScalar(8)).ToHost()
	got, want := compute(c, host, false), compute(c, host, true)
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%T: element %d is %v, want %v", want[i], i, got[i], want[i])
		}
	}
}

// Operands of other kinds beside a stencil are read at the columns of the thread, also where some of these are outside of the row.
func TestStencilColumnsBesideOthers(t *testing.T) {
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	columnsAlways(t)
	const h, w = 19, 68
	for width := w - 6; width <= w-3; width++ {
		x := nd.FromSlice(numbersOf[float32](h*w), h, w)
		y := nd.FromSlice(numbersOf[float32](h*2*w), h, 2*w)
		z := nd.FromSlice(numbersOf[float32](h*w), h, w)
		row := nd.FromSlice(numbersOf[float32](width), width)
		value := func(apart bool) *nd.Array[float32] {
			view := func(a *nd.Array[float32], at, col int) *nd.Array[float32] {
				return take(a.Slice(nd.R(at, at+h-2), nd.R(col, col+width)), apart)
			}
			sum := view(x, 0, 1).Add(view(x, 1, 0)).Add(view(x, 1, 2)).Add(view(x, 2, 1))
			sum = sum.Mul(take(row, apart)).Add(view(z, 1, 3)).Mul(take(y.Slice(nd.R(2, h), nd.R(1, 1+2*width).By(2)), apart))
			sum = sum.Sub(take(z.Slice(nd.R(1, h-1), nd.R(5, 6)), apart)).Add(nd.Arange[float32](float32(width)).MulScalar(3))
			return sum.Add(nd.AsType[float32](take(y.Slice(nd.R(2, h), nd.R(3, 3+width)), apart).GreaterScalar(1)))
		}
		got := value(false)
		if text := nd.Explain(got); !strings.Contains(text, "block *") {
			t.Fatalf("threads compute one column:\n%s", text)
		}
		g, want := got.ToHost(), value(true).ToHost()
		for i := range want {
			if math.Float32bits(g[i]) != math.Float32bits(want[i]) && want[i] == want[i] {
				t.Fatalf("width %d: element %d is %v, want %v", width, i, g[i], want[i])
			}
		}
	}
}

// In check mode nothing is read beyond the arrays by threads that have columns outside of the rows.
func TestStencilColumnsBounds(t *testing.T) {
	d, err := gpu.Current()
	if err != nil || !d.Properties().Simulated {
		t.Skip("SKIPPED: check mode is the simulator's")
	}
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	columnsAlways(t)
	for _, c := range []columnsCase{
		{18, 64, []int{0, 1, 2}, []int{0, 1, 2}, 0, 0, 1},
		{19, 64, []int{0, 1, 2}, []int{0, 2}, 1, 0, -1},
		{17, 64, []int{0, 1}, []int{0, 3}, 3, 0, 2},
		{20, 36, []int{0, 2}, []int{0, 1, 2}, 2, 1, 3},
	} {
		report, err := check.Run(func() error {
			compute(&c, numbersOf[float32](c.h*c.w), false)
			return gpu.Sync()
		})
		if err != nil || report.Launches == 0 || report.Err() != nil {
			t.Errorf("%+v: %v, %v", c, err, report)
		}
	}
}
