package nd_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// filtered is the sum of the views of x that a filter of k by k elements has, each times a weight.
func filtered[T nd.Number](x *nd.Array[T], k int, weight func(i int) T) *nd.Array[T] {
	high, across := x.Shape()[0]-k+1, x.Shape()[1]-k+1
	sum := nd.Scalar(weight(0))
	for i := range k {
		for j := range k {
			sum = sum.Add(x.Slice(nd.R(i, i+high), nd.R(j, j+across)).MulScalar(weight(i*k + j)))
		}
	}
	return sum
}

// around is the sum of an element's neighbours along each axis, minus the element, without the elements at the borders.
func around[T nd.Number](x *nd.Array[T]) *nd.Array[T] {
	axes := len(x.Shape())
	index := slices.Repeat([]nd.Index{nd.R(1, -1)}, axes)
	sum := x.Slice(index...).Neg()
	for i := range axes {
		for _, other := range []nd.Index{nd.From(2), nd.To(-2)} {
			at := slices.Clone(index)
			at[i] = other
			sum = sum.Add(x.Slice(at...))
		}
	}
	return sum
}

// beside is the sum of an element's neighbours along the last two axes. Those above and below are aligned, as the result is.
func beside(x *nd.Array[float32]) *nd.Array[float32] {
	n := x.Shape()[1]
	row, col := nd.R(1, -1), nd.R(4, n-4)
	sum := x.Slice(row, col).Add(x.Slice(nd.To(-2), col)).Add(x.Slice(nd.From(2), col))
	return sum.Add(x.Slice(row, nd.R(3, n-5))).Add(x.Slice(row, nd.R(5, n-3)))
}

// TestStencilForm looks at the kernels' texts, if threads compute one column.
func TestStencilForm(t *testing.T) {
	defer nd.SetColumnsGain(nd.SetColumnsGain(math.Inf(1)))
	x, y, z := ones[float32](512, 512), ones[float32](512, 512), ones[float32](512, 512)
	far := nd.From(3)
	weight := func(i int) float32 { return float32(i) }
	for _, c := range []struct {
		name  string
		loads int // of the first array by each thread, or 0 if the kernel is an ordinary one
		of    nd.Operand
	}{
		{"filter of 5 by 5", 8 * 5, filtered(x, 5, weight)},
		{"filter of 3 by 3", 6 * 3, filtered(ones[float64](40, 50), 3, func(i int) float64 { return float64(i) })},
		{"filter of complex numbers, which needs more registers", 6 * 5, filtered(ones[complex128](40, 50), 5, func(i int) complex128 { return complex(0, float64(i)) })},
		{"neighbours", 6 + 4*2, around(x)},
		{"neighbours, most of which would be vectors", 6 + 4*2, beside(x)},
		{"neighbours in few rows", 4 + 2*2, around(ones[int16](12, 500))},
		{"neighbours in a cube", 6 + 4*2, around(ones[float32](20, 30, 40))},
		{"an array from the end of its rows", 6 * 3, filtered(x.Flip(0), 3, weight)},
		{"neighbours in too few rows", 0, around(ones[float32](8, 500))},
		{"neighbours in short rows", 0, around(ones[float32](500, 30))},
		{"neighbours in one axis", 0, around(ones[float32](500))},
		{"rows of one memory", 0, x.Slice(nd.To(-2)).Add(x.Slice(nd.R(1, -1))).Add(x.Slice(nd.From(2)))},
		{"vectors", 0, x.Slice(nd.To(-2), nd.From(4)).Add(x.Slice(nd.R(1, -1), nd.From(4))).Add(x.Slice(nd.From(2), nd.From(4)))},
		{"two views", 0, x.Slice(far, far).Add(x.Slice(far, nd.To(-3)))},
		{"views of three arrays", 0, x.Slice(far, far).Add(y.Slice(far, nd.To(-3))).Add(z.Slice(far, nd.R(1, -2)))},
	} {
		text := nd.Explain(c.of)
		if strings.Contains(text, " stencil_") != (c.loads > 0) || c.loads > 0 && strings.Count(text, "= p0[") != c.loads {
			t.Errorf("%s: want %d loads, the kernel is\n%s", c.name, c.loads, text)
		}
	}
}

// TestFilter compares a filter with loops.
func TestFilter(t *testing.T) {
	const k = 5
	for _, shape := range [][2]int{{20, 36}, {43, 101}, {134, 260}} {
		h, w := shape[0], shape[1]
		r := rand.New(rand.NewPCG(1, 2))
		host := make([]float32, h*w)
		for i := range host {
			host[i] = r.Float32()
		}
		got := filtered(nd.FromSlice(host, h, w), k, func(i int) float32 { return float32(i) }).ToHost()
		for i := range h - k + 1 {
			for j := range w - k + 1 {
				sum := float32(0)
				for y := range k {
					for x := range k {
						sum += float32(host[(i+y)*w+j+x] * float32(y*k+x))
					}
				}
				if g := got[i*(w-k+1)+j]; g != sum {
					t.Fatalf("%v: element %d, %d is %v, want %v", shape, i, j, g, sum)
				}
			}
		}
	}
}

func TestStencilOfVectors(t *testing.T) {
	const h, w = 22, 72
	host := make([]float32, h*w)
	for i := range host {
		host[i] = float32(i * i % 97)
	}
	got := beside(nd.FromSlice(host, h, w)).ToHost()
	for i := 1; i < h-1; i++ {
		for j := 4; j < w-4; j++ {
			at := i*w + j
			if g, want := got[(i-1)*(w-8)+j-4], host[at]+host[at-w]+host[at+w]+host[at-1]+host[at+1]; g != want {
				t.Fatalf("element %d, %d is %v, want %v", i, j, g, want)
			}
		}
	}
}

// stencilCase is a random expression of views of a few arrays. How it is made depends on the seed alone.
type stencilCase[T nd.Real] struct {
	r      *rand.Rand
	shape  []int // of the result
	arrays []stencilArray[T]
	small  *nd.Array[int16] // views of it are converted
	truths *nd.Array[bool]
}

// stencilArray is an array that is larger than the result, and the axes along which its views go backward.
type stencilArray[T nd.Real] struct {
	*nd.Array[T]
	back []int
}

// stencilMargin is how much larger the arrays are, by axis.
const stencilMargin = 5

func newStencilCase[T nd.Real](seed uint64) *stencilCase[T] {
	c := &stencilCase[T]{r: rand.New(rand.NewPCG(seed, 7))}
	lengths := [][]int{{1 + c.r.IntN(300)}, {4 + c.r.IntN(70), 20 + c.r.IntN(200)}, {1 + c.r.IntN(5), 12 + c.r.IntN(20), 28 + c.r.IntN(90)}}
	c.shape = lengths[(c.r.IntN(8)+3)/4] // most have two axes
	for range 1 + c.r.IntN(2) {
		a := stencilArray[T]{Array: nd.AsType[T](c.numbers()).Eval()}
		for axis := range len(c.shape) {
			if c.r.IntN(6) == 0 {
				a.back = append(a.back, axis)
			}
		}
		c.arrays = append(c.arrays, a)
	}
	c.small = nd.AsType[int16](c.numbers()).Eval()
	c.truths = c.numbers().GreaterScalar(4).Eval()
	return c
}

// numbers returns an array of small integers of the shape of the arrays.
func (c *stencilCase[T]) numbers() *nd.Array[float64] {
	n := 1
	var shape []int
	for _, length := range c.shape {
		shape = append(shape, length+stencilMargin)
		n *= length + stencilMargin
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(c.r.IntN(9))
	}
	return nd.FromSlice(list, shape...)
}

// window returns a random view of the result's shape.
func window[T nd.Elem](r *rand.Rand, a *nd.Array[T], shape, back []int) *nd.Array[T] {
	var index []nd.Index
	for axis, length := range shape {
		at := r.IntN(a.Shape()[axis] - length + 1)
		index = append(index, nd.R(at, at+length))
	}
	a = a.Slice(index...)
	if len(back) > 0 {
		a = a.Flip(back...)
	}
	return a
}

// make returns the expression. If apart is set, each view is copied first.
func (c *stencilCase[T]) make(seed uint64, apart bool) *nd.Array[T] {
	r := rand.New(rand.NewPCG(seed, 8))
	a := c.arrays[0]
	sum := take(window(r, a.Array, c.shape, a.back), apart)
	for range 2 + r.IntN(10) {
		a := c.arrays[r.IntN(len(c.arrays))]
		x := take(window(r, a.Array, c.shape, a.back), apart)
		switch r.IntN(4) {
		case 0:
			sum = sum.Maximum(x)
		case 1:
			sum = sum.Mul(x)
		case 2:
			sum = sum.Sub(x)
		default:
			sum = sum.Add(x.MulScalar(num[T](3)))
		}
	}
	for range r.IntN(3) {
		sum = c.other(r, sum, apart)
	}
	return sum
}

// take returns a view, or a copy of it.
func take[T nd.Elem](x *nd.Array[T], apart bool) *nd.Array[T] {
	if apart {
		return x.Copy().Eval()
	}
	return x
}

// other adds operands of other kinds.
func (c *stencilCase[T]) other(r *rand.Rand, sum *nd.Array[T], apart bool) *nd.Array[T] {
	last := len(c.shape) - 1
	n := c.shape[last]
	a := c.arrays[r.IntN(len(c.arrays))].Array
	switch r.IntN(8) {
	case 0: // of a row's length
		return sum.Add(take(a.Reshape(-1).Slice(nd.R(1, 1+n)), apart))
	case 1: // one for each row
		if last == 0 {
			return sum
		}
		return sum.Sub(take(a.Reshape(-1).Slice(nd.To(c.shape[last-1])).ExpandDims(1), apart))
	case 2:
		return sum.Add(take(a.Reshape(-1).Slice(nd.R(2, 3)), apart))
	case 3:
		return sum.Add(nd.AsType[T](nd.Arange[int64](int64(n)).MulScalar(2)))
	case 4:
		for range 3 {
			sum = sum.Add(nd.AsType[T](take(window(r, c.small, c.shape, nil), apart)))
		}
	case 5:
		some := take(window(r, c.truths, c.shape, nil), apart)
		for range 2 {
			some = some.LogicalXor(take(window(r, c.truths, c.shape, nil), apart))
		}
		return nd.Where(some, sum, sum.Neg())
	case 6: // the index
		size := 1
		for _, length := range c.shape {
			size *= length
		}
		return sum.Add(nd.AsType[T](nd.Arange(int64(size)).Reshape(c.shape...).ModScalar(100)))
	default:
		x := a.Slice(nd.Rest, nd.All.By(-1))
		return sum.Add(take(window(r, x, c.shape, nil), apart))
	}
	return sum
}

// stencilCheck compares the expression of a seed with that of copies. Some are assigned to a part of another array.
func stencilCheck[T nd.Real](t *testing.T, seed uint64) (check func(compare bool) (form bool)) {
	c := newStencilCase[T](seed)
	return func(compare bool) (form bool) {
		got, want := c.make(seed, false), c.make(seed, true)
		if compare {
			form = strings.Contains(nd.Explain(got), " stencil_")
		}
		if kind := seed % 4; kind < 2 {
			shape := slices.Clone(c.shape)
			for i := range shape {
				shape[i] += 3
			}
			shape[len(shape)-1] *= 2
			index := make([]nd.Index, len(shape))
			for i, n := range c.shape {
				index[i] = nd.R(1, 1+n)
			}
			if last := len(shape) - 1; kind == 0 {
				index[last] = nd.R(1, 1+2*c.shape[last]).By(2)
			}
			to := func(x *nd.Array[T]) *nd.Array[T] {
				out := nd.Full(num[T](7), shape...)
				out.Slice(index...).Assign(x)
				return out
			}
			got, want = to(got), to(want)
		}
		g, w := got.ToHost(), want.ToHost()
		for i := range g {
			if compare && g[i] != w[i] {
				t.Errorf("seed %d of %v, shape %v: element %d is %v, want %v", seed, got.DType(), c.shape, i, g[i], w[i])
				break
			}
		}
		return form
	}
}

// TestStencils compares random expressions. GOPHERWARP_STENCILS says how many of each type.
func TestStencils(t *testing.T) {
	t.Run("usual", testStencils)
	if nd.Described() {
		return // the kernels' texts have no effect
	}
	t.Run("columns", func(t *testing.T) {
		columnsAlways(t)
		testStencils(t)
	})
}

func testStencils(t *testing.T) {
	count := 5
	if s, err := strconv.Atoi(os.Getenv("GOPHERWARP_STENCILS")); err == nil {
		count = s
	} else if nd.Described() {
		count = 60
	}
	if testing.Short() {
		count = min(count, 2)
	}
	var checks []func(compare bool) bool
	for i := range count {
		seed := uint64(i)
		checks = append(checks, stencilCheck[float32](t, 5*seed), stencilCheck[float32](t, 5*seed+1), stencilCheck[float64](t, 5*seed+2), stencilCheck[uint8](t, 5*seed+3), stencilCheck[nd.Float16](t, 5*seed+4))
	}
	nd.Rehearse(func() {
		for _, check := range checks {
			check(false)
		}
	})
	forms := 0
	for _, check := range checks {
		if check(true) {
			forms++
		}
	}
	if t.Logf("%d of %d expressions had kernels for stencils", forms, len(checks)); forms < len(checks)/4 {
		t.Errorf("%d of %d expressions had kernels for stencils", forms, len(checks))
	}
}

// In check mode nothing is read beyond the arrays, also by threads whose rows are fewer than others have.
func TestStencilBounds(t *testing.T) {
	d, err := gpu.Current()
	if err != nil || !d.Properties().Simulated || nd.Described() {
		t.Skip("SKIPPED: check mode is the simulator's, and needs compiled kernels")
	}
	for _, rows := range []int{18, 19, 20, 21} {
		report, err := check.Run(func() error {
			around(nd.FromSlice(make([]float32, rows*70), rows, 70)).Eval()
			return gpu.Sync()
		})
		if err != nil || report.Launches == 0 || report.Err() != nil {
			t.Errorf("%d rows: %v, %v", rows, err, report)
		}
	}
}
