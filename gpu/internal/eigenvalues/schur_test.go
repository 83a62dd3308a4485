package eigenvalues

import (
	"math"
	"math/cmplx"
	"testing"
)

// Squares of the elements may overflow or vanish: the eigenvalues do not, and the eigenvectors are those of the matrix of usual size.
func TestSizes(t *testing.T) {
	const n = 4
	var m [n * n]complex128
	for i := range m {
		m[i] = complex(math.Sin(float64(i*i)), math.Cos(float64(3*i)))
	}
	for _, power := range []int{1020, 600, 400, 0, -400, -600, -960} {
		large := make([]complex128, len(m))
		for i, x := range m {
			large[i] = ldexp(x, power)
		}
		w, v, ok := Of(large, n, true)
		if !ok {
			t.Errorf("times 2^%d: no convergence", power)
			continue
		}
		for col := range n {
			value := ldexp(w[col], -power)
			for row := range n {
				var sum complex128
				for j := range n {
					sum += m[row*n+j] * v[j*n+col]
				}
				if !(cmplx.Abs(sum-value*v[row*n+col]) < 1e-13) {
					t.Errorf("times 2^%d: element %d of A v is %v, not %v", power, row, sum, value*v[row*n+col])
				}
			}
		}
	}
}
