package nd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Numbers of rows that have products wait, and not.
const manyRows, fewRows = 1<<15 + 77, 300

// productRow returns numbers of which products and sums are exact in float32, so that the order of additions does not matter.
func productRow(n, modulus int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32((i*7919+i/97)%modulus - modulus/2)
	}
	return list
}

// TestReducedProducts compares reductions of expressions of a product with those of the product that has been computed before.
func TestReducedProducts(t *testing.T) {
	row := nd.FromSlice(productRow(200, 29))
	column := nd.FromSlice(productRow(manyRows, 31), manyRows, 1)
	a := nd.FromSlice(productRow(manyRows*12, 17), manyRows, 12)
	b := nd.FromSlice(productRow(200*12, 13), 12, 200)
	stored := nd.MatMul(a, b).Eval()
	for name, f := range map[string]func(p *nd.Array[float32]) nd.Operand{
		"nearest": func(p *nd.Array[float32]) nd.Operand { return nd.Argmin(row.Sub(p.MulScalar(2)), 1) },
		"largest": func(p *nd.Array[float32]) nd.Operand { return p.Max(1) },
		"sum":     func(p *nd.Array[float32]) nd.Operand { return p.Add(column).Mul(row).Sum(1) },
		"mean":    func(p *nd.Array[float32]) nd.Operand { return nd.Mean(nd.Abs(p.Sub(column)), 1) },
		"product of int32s": func(p *nd.Array[float32]) nd.Operand {
			return nd.AsType[int32](p).MulScalar(2).AddScalar(1).Prod(1)
		},
		"some": func(p *nd.Array[float32]) nd.Operand { return p.GreaterScalar(400).Any(1) },
		"of another's": func(p *nd.Array[float32]) nd.Operand {
			return nd.Argmax(p.Add(row.Mul(column).Max(1).ExpandDims(1)), 1)
		},
		"with a matrix": func(p *nd.Array[float32]) nd.Operand { return p.Sub(stored).Min(1) },
		"of its own":    func(p *nd.Array[float32]) nd.Operand { return p.Sub(p.Max(1).ExpandDims(1)).Min(1) },
		"of indices":    func(p *nd.Array[float32]) nd.Operand { return p.Mul(nd.Arange[float32](200)).Max(1) },
		"taken from rows, and added": func(p *nd.Array[float32]) nd.Operand {
			return stored.Sub(p.Max(1).ExpandDims(1)).Sum(1).At(0)
		},
		"taken from another product": func(p *nd.Array[float32]) nd.Operand {
			return nd.MatMul(a, b).Sub(p.Max(1).ExpandDims(1)).Sum(1)
		},
		"taken from rows that are scanned": func(p *nd.Array[float32]) nd.Operand {
			n := p.Max(1)
			q := nd.Cumsum(stored.Sub(n.ExpandDims(1)), 1)
			n.Eval()
			return q
		},
		"computed with a sum that needs it": func(p *nd.Array[float32]) nd.Operand {
			n := p.Max(1)
			q := stored.Sub(n.ExpandDims(1)).Sum(1)
			nd.Eval(q, n)
			return q
		},
		"used by two that wait": func(p *nd.Array[float32]) nd.Operand {
			n := p.Max(1)
			q, r := stored.Sub(n.ExpandDims(1)).Sum(1), stored.Add(n.ExpandDims(1)).Max(1)
			return n.Add(q).Add(r)
		},
		"of a factor that two have": func(p *nd.Array[float32]) nd.Operand {
			d := p.MulScalar(2)
			return d.Sub(column).Max(1).Add(d.Sub(row).Min(1))
		},
		"mean of complex numbers": func(p *nd.Array[float32]) nd.Operand { return nd.AsType[float32](nd.Mean(nd.AsType[complex64](p), 1)) },
		"and more of it":          func(p *nd.Array[float32]) nd.Operand { return p.Max(1).Add(row.Sum()).ExpandDims(1).Mul(row) },
		"two of one product":      func(p *nd.Array[float32]) nd.Operand { return p.Max(1).Add(p.Min(1)) },
	} {
		sameElements(t, name, f(nd.MatMul(a, b)), f(stored))
	}
	for _, depth := range []int{4, 8, 32, 40, 64} {
		left := nd.FromSlice(productRow(manyRows*(depth+1), 17))
		right := nd.FromSlice(productRow(200*(depth+1), 13))
		for name, of := range map[string]func(all *nd.Array[float32], n int) *nd.Array[float32]{
			"adjacent terms": func(all *nd.Array[float32], n int) *nd.Array[float32] {
				return all.Slice(nd.To(n*depth)).Reshape(n, depth)
			},
			"adjacent rows": func(all *nd.Array[float32], n int) *nd.Array[float32] {
				return all.Slice(nd.To(n*depth)).Reshape(depth, n).T()
			},
			"parts of the rows": func(all *nd.Array[float32], n int) *nd.Array[float32] {
				return all.Reshape(n, depth+1).Slice(nd.All, nd.From(1))
			},
		} {
			x, y := of(left, manyRows), of(right, 200).T()
			sameElements(t, fmt.Sprintf("%s, of %d", name, depth), nd.Argmax(nd.MatMul(x, y), 1), nd.Argmax(nd.MatMul(x, y).Eval(), 1))
		}
	}
}

func sameElements(t *testing.T, name string, got, want nd.Operand) {
	t.Helper()
	x, y := nd.AsType[float64](got).ToHost(), nd.AsType[float64](want).ToHost()
	for i := range y {
		if x[i] != y[i] {
			t.Errorf("%s: element %d is %v, want %v", name, i, x[i], y[i])
			return
		}
	}
}

// TestReducedProductIsNotStored counts the launches of a reduction of a product.
func TestReducedProductIsNotStored(t *testing.T) {
	if nd.Described() {
		t.Skip("SKIPPED: the CPU engine stores products")
	}
	a := nd.FromSlice(productRow(manyRows*8, 17), manyRows, 8)
	b := nd.FromSlice(productRow(100*8, 13), 8, 100)
	for _, c := range []struct {
		name     string
		launches int
		run      func()
	}{
		{"reduced", 1, func() { nd.MatMul(a, b).MulScalar(2).Max(1).Eval() }},
		{"stored after it was reduced", 2, func() { p := nd.MatMul(a, b); p.Max(1).Eval(); p.Eval() }},
		{"alone", 1, func() { nd.MatMul(a, b) }},
		{"few rows", 2, func() { nd.MatMul(a.Slice(nd.To(fewRows)), b).Max(1).Eval() }},
		{"reduced, and more", 2, func() { nd.Sqrt(nd.Abs(nd.MatMul(a, b).Max(1))).Eval() }},
		{"two products", 2, func() { nd.Eval(nd.MatMul(a, b).Max(1), nd.MatMul(a, b).Min(1)) }},
		{"garbage whose factor is freed", 1, func() {
			defer nd.SetWorthCollecting(1 << 20)()
			x := nd.FromSlice(productRow(manyRows*8, 17), manyRows, 8)
			nd.MatMul(x, b).Max(1).Eval()
			if err := x.Free(); err != nil {
				t.Error(err)
			}
		}},
		{"reduced three times", 4, func() {
			p := nd.MatMul(a, b)
			p.Max(1).Eval()
			p.Min(1).Eval()
			nd.Argmin(p, 1).Eval()
		}},
		{"two reductions", 2, func() { p := nd.MatMul(a, b); nd.Eval(p.Max(1), p.Min(1)) }},
		{"other axis", 3, func() { nd.MatMul(a, b).Max(0) }},
		{"a view", 2, func() { nd.MatMul(a, b).T().Copy() }},
	} {
		nd.ResetStats()
		c.run()
		if got := nd.Stats().Launches; got != c.launches {
			t.Errorf("%s: %d launches, want %d", c.name, got, c.launches)
		}
	}
}

// TestProductOfOldContents writes the factors of a product, and frees one, before the product is computed and after it was reduced.
func TestProductOfOldContents(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		a := nd.FromSlice(productRow(manyRows*8, 17), manyRows, 8)
		b := nd.FromSlice(productRow(100*8, 13), 8, 100)
		want := nd.MatMul(a, b).Eval().Sum().Item()
		p := nd.MatMul(a, b)
		if reduced {
			p.Max(1).Eval()
		}
		a.Fill(0)
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
		if got := p.Sum().Item(); got != want {
			t.Errorf("reduced %v: the product of the old contents has the sum %v, want %v", reduced, got, want)
		}
	}
}

// TestReducedProductHasItsElements tests that the largest elements of a product, which are found without storing it, are among its elements
// when it is stored later, and are what float64s give but for rounding.
func TestReducedProductHasItsElements(t *testing.T) {
	const depth, columns = 24, 70
	draw := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(draw.NormFloat64())
		}
		return list
	}
	a, b := nd.FromSlice(random(manyRows*depth), manyRows, depth), nd.FromSlice(random(depth*columns), depth, columns)
	p := nd.MatMul(a, b)
	largest := p.Max(1).Eval()
	if !p.Equal(largest.ExpandDims(1)).Any(1).All().Item() {
		t.Error("the largest element of some row is not in the row")
	}
	exact := nd.MatMul(nd.AsType[float64](a), nd.AsType[float64](b))
	if off := nd.Abs(exact.Max(1).Sub(nd.AsType[float64](largest))).Max().Item(); off > 1e-5 {
		t.Errorf("the largest elements are off by %v", off)
	}
}

// TestReducedProductOfNaN finds NaN in a product as in memory: it is the result.
func TestReducedProductOfNaN(t *testing.T) {
	host := productRow(manyRows*4, 17)
	host[4*5] = float32(math.NaN())
	a, b := nd.FromSlice(host, manyRows, 4), nd.FromSlice(productRow(4*64, 13), 4, 64)
	got := nd.MatMul(a, b).Max(1).ToHost()
	for i, v := range got[:10] {
		if math.IsNaN(float64(v)) != (i == 5) {
			t.Errorf("row %d: %v", i, v)
		}
	}
}

// TestReducedProductsInLoop moves points towards their nearest centres, step by step, and as a graph.
func TestReducedProductsInLoop(t *testing.T) {
	p := func() (func(), []any, func() []nd.Operand) {
		const axes, centres = 8, 64
		points := waves(manyRows*axes).Reshape(manyRows, axes)
		to := nd.Cos(nd.Arange[float32](centres*axes)).Reshape(centres, axes).Eval()
		squares := to.Square().Sum(1).Eval()
		last := nd.Zeros[float32](manyRows)
		return func() {
			distances := squares.Sub(nd.MatMul(points, to.T()).MulScalar(2))
			last = distances.Min(1).Eval()
			points = points.Add(points.MulScalar(-0.25).Mul(last.ExpandDims(1)))
		}, []any{&points, &last}, func() []nd.Operand { return []nd.Operand{points, last} }
	}
	got, calls := looped(t, loopSteps, p)
	for i, want := range plainly(loopSteps, p) {
		if !slices.Equal(rawOf(got[i]), rawOf(want)) {
			t.Errorf("result %d is %v, want %v", i, got[i], want)
		}
	}
	if most := nd.MostCalled(loopSteps); calls > most {
		t.Errorf("%d of %d steps were called, want at most %d", calls, loopSteps, most)
	}
}
