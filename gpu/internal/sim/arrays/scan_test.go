package arrays

import (
	"math"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// TestRunningProductsOfLongRows has parts of rows whose own products are too large or too small.
func TestRunningProductsOfLongRows(t *testing.T) {
	const n = 6*scanPart + 3
	rows := map[string]func(i int) float64{
		"zero, then large": func(i int) float64 { return min(1.2*float64(i), 1.2) },
		"small, then large": func(i int) float64 {
			if i < n/2 {
				return 0.8
			}
			return 1.25
		},
		"large only within a part": func(i int) float64 {
			if i%scanPart < scanPart/2 {
				return 1.25
			}
			return 0.8
		},
		"large, then small": func(i int) float64 {
			switch {
			case i == 0:
				return math.MaxFloat64
			case i < 2*scanPart:
				return 1
			}
			return 0.9
		},
	}
	for name, f := range rows {
		in, got, want := make([]float64, n), make([]float64, n), make([]float64, n)
		product := 1.0
		for i := range in {
			in[i] = f(i)
			product *= in[i]
			want[i] = product
		}
		runningProducts[expression.Float64]([]pointer{unsafe.Pointer(&got[0]), unsafe.Pointer(&in[0])}, []int64{n, 1}, 1)
		for i, w := range want {
			if got[i] != w {
				t.Errorf("%s: the product of %d elements is %v, want %v", name, i+1, got[i], w)
				break
			}
		}
	}
}

// Running sums of integers of 32 bits, which vectors compute, wrap around, whatever the length of rows is.
func TestRunningSumsOfIntegers(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 15, 16, 17, 31, 40, 1000, 4 * scanPart, 4*scanPart + 13, 6*scanPart - 1} {
		const rows = 2
		in, got, want := make([]int32, rows*n), make([]int32, rows*n+1), make([]int32, rows*n)
		got[rows*n] = 77
		for i := range in {
			in[i] = int32(uint32(i+1) * 2654435761)
			if want[i] = in[i]; i%n > 0 {
				want[i] += want[i-1]
			}
		}
		for _, of := range []expression.Type{expression.Int32, expression.Uint32} { // with the same bits
			clear(got[:rows*n])
			runningSums[of]([]pointer{unsafe.Pointer(&got[0]), unsafe.Pointer(&in[0])}, []int64{int64(n), 1}, rows)
			for i, w := range want {
				if got[i] != w {
					t.Fatalf("rows of %d of type %d: sum %d is %d, want %d", n, of, i, got[i], w)
				}
			}
			if got[rows*n] != 77 {
				t.Errorf("rows of %d of type %d: more than the sums are written", n, of)
			}
		}
	}
}
