package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestNumPyInner compares inner products of arrays of one block and of many, aligned and not, with NumPy's, and computes them again: the
// kernel counts its blocks anew each time.
func TestNumPyInner(t *testing.T) {
	s := newSuite(t)
	for _, n := range []int{1, 2, 7, 255, 256, 1025, 4095, 4096, 4097, 8192, 12_289, 100_003} {
		inner[float32](s, n)
		inner[float64](s, n)
	}
	s.run()
}

func inner[T float32 | float64](s *suite, n int) {
	list := func() []T {
		list := make([]T, n+3)
		for i := range list {
			list[i] = T(s.NormFloat64())
		}
		return list
	}
	for _, index := range []string{":-3", "1:-2", "3:", ":-3:2"} {
		a, x := given(list(), n+3)
		b, y := given(list(), n+3)
		x.Index, y.Index = index, index
		// What is not in double precision may be off by half a unit of float32 for each sum.
		eps := "np.finfo(x0.dtype).eps"
		if index != ":-3:2" && !nd.Described() {
			eps = "2.0**-53"
		}
		v, w := a.Slice(nd.Idx(index)...), b.Slice(nd.Idx(index)...)
		for range 2 {
			expectFrom(s, "np.dot(x0.astype(float), x1.astype(float)).astype(x0.dtype)", 1, func() *nd.Array[T] { return nd.Dot(v, w) }, x, y)
			s.cases[len(s.cases)-1].Slack = "np.abs(x0.astype(float) * x1).sum() * len(x0) * " + eps
		}
		expectFrom(s, "np.dot(x0.astype(float), x0.astype(float)).astype(x0.dtype)", 1, func() *nd.Array[T] { return nd.Dot(v, v) }, x)
		s.cases[len(s.cases)-1].Slack = "np.dot(x0.astype(float), x0.astype(float)) * len(x0) * " + eps
	}
}

// TestInnerTwice tests that inner products are the same each time, and close to those of the library.
func TestInnerTwice(t *testing.T) {
	innerTwice[float32](t)
	innerTwice[float64](t)
}

func innerTwice[T float32 | float64](t *testing.T) {
	t.Helper()
	x := nd.AsType[T](nd.Sin(nd.Arange[float64](70_000))).Eval()
	y := nd.AsType[T](nd.Cos(nd.Arange[float64](70_000).Square())).Eval()
	once := nd.Dot(x, y)
	for range 20 {
		if again := nd.Dot(x, y).Item(); again != once.Item() {
			t.Fatalf("the product is %v, and then %v", once.Item(), again)
		}
	}
	close(t, "product", once, nd.InnerByLibrary(x, y))
}
