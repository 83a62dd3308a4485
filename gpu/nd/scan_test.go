package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestScanRows compares scans of rows of one tile and of several, at addresses of vectors and others, with those of the host.
func TestScanRows(t *testing.T) {
	scanRows[int8](t)
	scanRows[uint16](t)
	scanRows[int32](t)
	scanRows[int64](t)
	scanRows[float32](t)
	scanRows[float64](t)
}

func scanRows[T nd.Real](t *testing.T) {
	for _, n := range []int{1, 7, 64, 513, 8192, 20_000, 20_003} {
		x := make([]T, 3*n)
		for i := range x {
			x[i] = T(i%7) - T(i%3)
		}
		a := nd.FromSlice(x, 3, n)
		sums, products, most := nd.Cumsum(a, 1).ToHost(), nd.Cumprod(a.AddScalar(3), 1).Slice(nd.All, nd.To(min(n, 5))).ToHost(), nd.Cummax(a, 1).ToHost()
		for row := range 3 {
			sum, product, top := T(0), T(1), x[row*n]
			for i, v := range x[row*n:][:n] {
				sum, product, top = sum+v, product*(v+3), max(top, v)
				if at := row*n + i; sums[at] != sum || most[at] != top {
					t.Fatalf("%T, rows of %d: element %d has sum %v and maximum %v, want %v and %v", sum, n, at, sums[at], most[at], sum, top)
				}
				if i < 5 && products[row*min(n, 5)+i] != product {
					t.Fatalf("%T, rows of %d: product %d is %v, want %v", sum, n, i, products[row*min(n, 5)+i], product)
				}
			}
		}
	}
}
