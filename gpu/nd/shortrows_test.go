package nd_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestShortRows compares reductions of short rows, which parts of warps read as vectors, with those of the same rows in another order in
// memory.
func TestShortRows(t *testing.T) {
	lengths := []int{4, 8, 20, 32, 64, 100, 256}
	if !nd.Described() {
		lengths = []int{4, 8, 20, 64, 256} // kernels are compiled
	}
	for _, length := range lengths {
		testShortRows[float32](t, length)
		testShortRows[int16](t, length)
		if nd.Described() {
			testShortRows[float64](t, length)
			testShortRows[uint8](t, length)
			testShortRows[nd.BFloat16](t, length)
			testShortRows[int64](t, length)
		}
	}
}

func testShortRows[T nd.Real](t *testing.T, length int) {
	const rows = 1<<14 + 3
	x := nd.AsType[T](nd.Sin(nd.Arange[float64](float64(rows*length)).Square()).MulScalar(9)).Reshape(rows, length).Eval()
	y := x.T().Copy().T()
	other := nd.AsType[T](nd.Arange[int32](int32(length)).ModScalar(3)).Eval()
	for what, f := range map[string]func(x *nd.Array[T]) nd.Operand{
		"sum":    func(x *nd.Array[T]) nd.Operand { return nd.SumAs[float64](x.Mul(other), 1) },
		"mean":   func(x *nd.Array[T]) nd.Operand { return nd.Mean(nd.AsType[float64](x), 1) },
		"max":    func(x *nd.Array[T]) nd.Operand { return x.Max(1) },
		"argmin": func(x *nd.Array[T]) nd.Operand { return nd.Argmin(x.Add(other), 1) },
		"any":    func(x *nd.Array[T]) nd.Operand { return x.Greater(other).Any(1) },
	} {
		got, want := nd.AsType[float64](f(x)).ToHost(), nd.AsType[float64](f(y)).ToHost()
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
				t.Errorf("%s of rows of %d %ss: result %d is %v, want %v", what, length, x.DType(), i, got[i], want[i])
				break
			}
		}
	}
}

// TestShortRowsAreVectors reads the kernel that adds up short rows.
func TestShortRowsAreVectors(t *testing.T) {
	x := nd.Ones[float32](1<<14, 64).Eval()
	for what, c := range map[string]struct {
		x    *nd.Array[float32]
		want bool
	}{
		"whole vectors":    {x, true},
		"other operands":   {x.Mul(nd.Arange[float32](64)), true},
		"part of a vector": {x.Slice(nd.All, nd.To(62)), false},
		"other places":     {x.Slice(nd.All, nd.R(1, 61)), false},
	} {
		if got := strings.Contains(strings.Join(nd.Sources(func() { c.x.Square().Min(1).Eval() }), ""), "nd_joined<nd_acc, 8,"); got != c.want {
			t.Errorf("%s: vectors %v, want %v", what, got, c.want)
		}
	}
}
