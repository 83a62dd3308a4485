package linalg

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
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

// Lines of float32s are transformed with vectors as in complex128, forwards and back, one or several at a time.
func TestVectored(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for n := 16; n <= 1<<17; n *= 2 {
		for _, kind := range []routine.Kind{routine.ComplexToComplex, routine.RealToComplex, routine.ComplexToReal} {
			for _, inverse := range []bool{false, true} {
				for _, count := range []int{1, 3} {
					compareTransforms(t, &routine.Transform{Kind: kind, Inverse: inverse, Rank: 1, Count: count, Dims: [3]int{n}}, random)
				}
			}
		}
	}
}

func compareTransforms(t *testing.T, c *routine.Transform, random *rand.Rand) {
	t.Helper()
	in, out := c.Sizes()
	x := make([]float32, 2*in*c.Count)
	for i := range x {
		x[i] = random.Float32() - 0.5
	}
	got, want := make([]float32, 2*out*c.Count+1), make([]float32, 2*out*c.Count+1)
	least := c.Dims[0]
	if c.Kind != routine.ComplexToComplex {
		least /= 2
	}
	if did := vectored(c, [][]byte{bytesOf(x), bytesOf(got[:len(got)-1])}); did != (simd.Has && least >= leastVectors) {
		t.Fatalf("%+v is transformed with vectors: %t", c, did)
	} else if !did {
		return
	}
	slowly(c, [][]byte{bytesOf(x), bytesOf(want[:len(want)-1])})
	for i, w := range want {
		if d := math.Abs(float64(got[i] - w)); d > 4e-7*math.Sqrt(float64(c.Dims[0])) {
			t.Fatalf("%+v: number %d is %v, want %v", c, i, got[i], w)
		}
	}
}

func BenchmarkVectored(b *testing.B) {
	for name, kind := range map[string]routine.Kind{"out": routine.RealToComplex, "in": routine.ComplexToReal} {
		b.Run(name, func(b *testing.B) {
			c := &routine.Transform{Kind: kind, Rank: 1, Count: 1, Dims: [3]int{1 << 16}}
			x, y := make([]float32, 1<<17), make([]float32, 1<<17)
			for b.Loop() {
				vectored(c, [][]byte{bytesOf(x), bytesOf(y)})
			}
		})
	}
}

func BenchmarkTransform(b *testing.B) {
	x, t := make([]complex128, 1<<16), newTransforms(1<<16)
	for b.Loop() {
		t.line(x, false)
	}
}
