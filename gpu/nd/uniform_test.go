package nd_test

import (
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestUniformOperands computes with values that are the same for all elements beside others, in one kernel.
func TestUniformOperands(t *testing.T) {
	t.Run("float32", uniformOperands[float32])
	t.Run("float16", uniformOperands[nd.Float16])
	t.Run("int64", uniformOperands[int64])
}

func uniformOperands[T nd.Real](t *testing.T) {
	of := func(v ...int64) *nd.Array[T] { return nd.AsType[T](nd.FromSlice(v)) }
	for _, n := range []int{1, 7, 1024, 5000} {
		list := make([]int64, n)
		for i := range list {
			list[i] = int64(i % 100)
		}
		x, a, b, one := of(list...), of(12), of(3), of(1)
		nd.Eval(x, a, b, one)
		// Twice, since the second launch divides its work as the first one has.
		for round := range 2 {
			y := x.Add(a.FloorDiv(b).Add(one).Mul(x))
			z := y.Sub(a.Square()).Reshape(n, 1).Mul(b)
			for i, v := range nd.AsType[float64](z).Ravel().ToHost() {
				if want := float64((list[i] + 5*list[i] - 144) * 3); v != want {
					t.Fatalf("%d elements, round %d: element %d is %v, want %v", n, round, i, v, want)
				}
			}
		}
		// The result is an operand whose single element all others need.
		y := x.Copy()
		y.Assign(y.Add(y.Slice(nd.To(1))).Add(a))
		want := make([]float64, n)
		for i := range want {
			want[i] = float64(list[i] + list[0] + 12)
		}
		if got := nd.AsType[float64](y).ToHost(); !slices.Equal(got, want) {
			t.Errorf("%d elements, in place: %v, want %v", n, got[:min(n, 9)], want[:min(n, 9)])
		}
	}
}
