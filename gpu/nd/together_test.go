package nd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestEval computes several arrays by one call, and compares them with the same ones, computed one by one.
func TestEval(t *testing.T) {
	waiting(t)
	const n = 100
	x := nd.Sin(nd.Arange[float64](n * n).Square()).Eval()
	m, narrow := x.Reshape(n, n), nd.AsType[float32](x).Eval()
	for _, c := range []struct {
		what            string
		launches, steps int // with kernels, and as the simulator computes
		arrays          func() []nd.Operand
	}{
		{"arithmetic of the same operands", 1, 2, func() []nd.Operand { return []nd.Operand{x.AddScalar(1), x.MulScalar(3)} }},
		{"one that is part of another", 1, 2, func() []nd.Operand {
			y := nd.Exp(x)
			return []nd.Operand{y.AddScalar(1), y, y}
		}},
		{"several dtypes", 1, 3, func() []nd.Operand {
			return []nd.Operand{nd.AsType[int8](x.MulScalar(9)), narrow.AddScalar(1), x.GreaterScalar(0.5)}
		}},
		{"transposed operands", 1, 2, func() []nd.Operand { return []nd.Operand{m.T().Add(m), m.Sub(m.T())} }},
		{"parts", 1, 2, func() []nd.Operand {
			return []nd.Operand{m.Slice(nd.From(1), nd.To(-1)).MulScalar(2), m.Slice(nd.To(-1), nd.From(1)).Neg()}
		}},
		{"other shapes", 2, 4, func() []nd.Operand {
			return []nd.Operand{x.AddScalar(1), m.AddScalar(1), m.MulScalar(3), x.MulScalar(2)}
		}},
		{"sums of rows", 1, 3, func() []nd.Operand { return []nd.Operand{m.Square().Sum(1), m.MulScalar(2).Sum(1), m.Max(1)} }},
		{"roots of sums of rows", 2, 4, func() []nd.Operand {
			return []nd.Operand{nd.Sqrt(m.Square().Sum(1)), m.MulScalar(2).Sum(1).AddScalar(3)}
		}},
		{"rows and their sums", 1, 2, func() []nd.Operand {
			s := m.Square().Sum(1)
			return []nd.Operand{m.Div(s.ExpandDims(1)), s}
		}},
		{"an array without elements, a constant and what has been computed", 0, 0, func() []nd.Operand {
			return []nd.Operand{x.Slice(nd.To(0)).AddScalar(1), x}
		}},
		{"long expressions", 2, 2, func() []nd.Operand {
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
		launches, most := nd.Stats().Launches-before.Launches, c.launches
		if nd.Described() {
			most = c.steps
		}
		if launches != most {
			t.Errorf("%s: %d launches, want %d", c.what, launches, most)
		}
		for i, y := range arrays {
			if got := sumOf(y); math.Abs(got-want[i]) > 1e-9*(1+math.Abs(want[i])) {
				t.Errorf("%s: the sum of array %d is %v, want %v", c.what, i, got, want[i])
			}
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
