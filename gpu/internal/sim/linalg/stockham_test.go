package linalg

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Lines of powers of two are transformed as by gonum.
func TestStockham(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for n := leastRadix; n <= 1<<16; n *= 2 {
		for _, inverse := range []bool{false, true} {
			x := make([]complex128, n)
			for i := range x {
				x[i] = complex(random.NormFloat64(), random.NormFloat64())
			}
			var want []complex128
			if plan := fourier.NewCmplxFFT(n); inverse {
				want = plan.Sequence(nil, x)
			} else {
				want = plan.Coefficients(nil, x)
			}
			newTransforms(n).line(x, inverse)
			for i, w := range want {
				if cmplx.Abs(x[i]-w) > 1e-12*math.Sqrt(float64(n))*16 {
					t.Fatalf("element %d of %d, inverse %t, is %v, want %v", i, n, inverse, x[i], w)
				}
			}
		}
	}
}

func BenchmarkTransform(b *testing.B) {
	x, t := make([]complex128, 1<<16), newTransforms(1<<16)
	for b.Loop() {
		t.line(x, false)
	}
}
