package nd_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestEval computes several arrays by one call, and compares them with the same ones, computed one by one.
func TestEval(t *testing.T) {
	const n = 100
	x := nd.Sin(nd.Arange[float64](n * n).Square()).Eval()
	m, narrow := x.Reshape(n, n), nd.AsType[float32](x).Eval()
	for _, c := range []struct {
		what     string
		launches int
		arrays   func() []nd.Operand
	}{
		{"arithmetic of the same operands", 1, func() []nd.Operand { return []nd.Operand{x.AddScalar(1), x.MulScalar(3)} }},
		{"one that is part of another", 1, func() []nd.Operand {
			y := nd.Exp(x)
			return []nd.Operand{y.AddScalar(1), y, y}
		}},
		{"several dtypes", 1, func() []nd.Operand {
			return []nd.Operand{nd.AsType[int8](x.MulScalar(9)), narrow.AddScalar(1), x.GreaterScalar(0.5)}
		}},
		{"dtypes of 16 bits", 1, func() []nd.Operand {
			return []nd.Operand{nd.AsType[nd.Float16](x.MulScalar(9)), x.Neg(), nd.AsType[nd.BFloat16](narrow.Square()), nd.AsType[int16](x.MulScalar(99))}
		}},
		{"one value twice", 1, func() []nd.Operand { return []nd.Operand{x.AddScalar(2), x.AddScalar(2), x.Neg()} }},
		{"copies", 1, func() []nd.Operand {
			return []nd.Operand{m.AddScalar(0.5), m.T().Add(nd.Zeros[float64](n, n)), nd.Full[float64](3, n, n).Add(m.MulScalar(0))}
		}},
		{"variances", 1, func() []nd.Operand {
			d := nd.AsType[float64](narrow).SubScalar(0.25)
			return []nd.Operand{d.Square(), d}
		}},
		{"transposed operands", 1, func() []nd.Operand { return []nd.Operand{m.T().Add(m), m.Sub(m.T())} }},
		{"parts", 1, func() []nd.Operand {
			return []nd.Operand{m.Slice(nd.From(1), nd.To(-1)).MulScalar(2), m.Slice(nd.To(-1), nd.From(1)).Neg()}
		}},
		{"other shapes", 2, func() []nd.Operand {
			return []nd.Operand{x.AddScalar(1), m.AddScalar(1), m.MulScalar(3), x.MulScalar(2)}
		}},
		{"sums of rows", 1, func() []nd.Operand { return []nd.Operand{m.Square().Sum(1), m.MulScalar(2).Sum(1), m.Max(1)} }},
		{"roots of sums of rows", 2, func() []nd.Operand {
			return []nd.Operand{nd.Sqrt(m.Square().Sum(1)), m.MulScalar(2).Sum(1).AddScalar(3)}
		}},
		{"rows and their sums", 1, func() []nd.Operand {
			s := m.Square().Sum(1)
			return []nd.Operand{m.Div(s.ExpandDims(1)), s}
		}},
		{"an array without elements, a constant and what has been computed", 0, func() []nd.Operand {
			return []nd.Operand{x.Slice(nd.To(0)).AddScalar(1), x}
		}},
		{"long expressions", 2, func() []nd.Operand {
			y, z := x, x
			for range 40 {
				y, z = nd.Sin(y), nd.Cos(z)
			}
			return []nd.Operand{y, z}
		}},
	} {
		var want []float64
		for _, y := range c.arrays() {
			want = append(want, sumOf(y))
		}
		before := nd.Stats()
		arrays := c.arrays()
		nd.Eval(arrays...)
		if launches := nd.Stats().Launches - before.Launches; launches != c.launches {
			t.Errorf("%s: %d launches, want %d", c.what, launches, c.launches)
		}
		for i, y := range arrays {
			if got := sumOf(y); math.Abs(got-want[i]) > 1e-9*(1+math.Abs(want[i])) {
				t.Errorf("%s: the sum of array %d is %v, want %v", c.what, i, got, want[i])
			}
		}
	}
}

// TestEvalOfReductions computes reductions by one call that no single kernel can compute.
func TestEvalOfReductions(t *testing.T) {
	x, y := nd.Sin(nd.Arange[float64](70*80)).Reshape(70, 80).Eval(), nd.Cos(nd.Arange[float64](90*64)).Reshape(90, 64).Eval()
	long := func(number float64) *nd.Array[float64] {
		z := x
		for i := range 31 {
			z = nd.Sin(z.AddScalar(number + float64(i)))
		}
		return z.Sum(1)
	}
	for what, arrays := range map[string]func() []nd.Operand{
		"two shapes":                          func() []nd.Operand { return []nd.Operand{x.Sum(1), x.Max(1), y.Sum(1), y.Max(1)} },
		"one of another shape":                func() []nd.Operand { return []nd.Operand{x.Sum(1), y.Sum(1), x.Max(1)} },
		"more operations than a kernel takes": func() []nd.Operand { return []nd.Operand{long(1), long(2), long(3), long(4)} },
	} {
		var want []float64
		for _, a := range arrays() {
			want = append(want, sumOf(a))
		}
		list := arrays()
		nd.Eval(list...)
		for i, a := range list {
			if got := sumOf(a); math.Abs(got-want[i]) > 1e-9*(1+math.Abs(want[i])) {
				t.Errorf("%s: the sum of array %d is %v, want %v", what, i, got, want[i])
			}
		}
	}
}

// TestEvalWithoutMemory computes arrays that do not all fit, and then those again.
func TestEvalWithoutMemory(t *testing.T) {
	d := on(t, "sim:t4x2:1")
	x := nd.Arange[float64](1<<17).Reshape(1<<11, 64).Eval()
	arrays := func() []nd.Operand {
		s := x.Square().Sum(1)
		return []nd.Operand{x.AddScalar(1), x.MulScalar(2), nd.AsType[int32](x), s, x.Max(1), nd.Sqrt(s)}
	}
	var want []float64
	for _, y := range arrays() {
		want = append(want, sumOf(y))
	}
	list := arrays()
	d.Limit(d.Pool().Reserved)
	var kept []*gpu.Buffer[byte]
	for _, size := range []int{1 << 20, 1 << 10} {
		for nd.Try(func() { kept = append(kept, gpu.Alloc[byte](size)) }) == nil {
		}
	}
	d.Limit(d.Pool().Reserved + 2<<20)
	err := nd.Try(func() { nd.Eval(list...) })
	d.Limit(0)
	runtime.KeepAlive(kept)
	if err == nil {
		t.Error("there is memory for all arrays")
	}
	for i, y := range list {
		if got := sumOf(y); math.Abs(got-want[i]) > 1e-9*(1+math.Abs(want[i])) {
			t.Errorf("the sum of array %d is %v, want %v", i, got, want[i])
		}
	}
}

// sumOf returns a sum in which each element has another weight.
func sumOf(x nd.Operand) float64 {
	y := nd.AsType[float64](x)
	return y.Reshape(y.Size()).Mul(nd.Cos(nd.Arange(float64(y.Size())))).Sum().Item()
}

func ExampleEval() {
	x := nd.Arange[float32](5)
	squares, cubes := x.Square(), x.Square().Mul(x)
	nd.Eval(squares, cubes) // one kernel on a GPU
	fmt.Println(squares.ToHost(), cubes.ToHost())
	// Output: [0 1 4 9 16] [0 1 8 27 64]
}
