package random

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/internal/philox"
)

// poisson has the constants of a Poisson distribution, which are computed once. For a small mean it counts how many uniform numbers can
// be multiplied before the product falls to e^-mean. For others it is the transformed rejection PTRS (Hörmann, 1993), with the published
// constants.
type poisson struct {
	Mean, Limit, LogMean, A, B, LogInvAlpha, VR float64
}

// largestMean is where rounding begins to matter in the comparisons of PTRS.
const largestMean = 1e12

func newPoisson(mean float64) poisson {
	if mean < 10 {
		return poisson{Mean: mean, Limit: math.Exp(-mean)}
	}
	b := 0.931 + 2.53*math.Sqrt(mean)
	return poisson{
		Mean: mean, LogMean: math.Log(mean), B: b, A: -0.059 + 0.02483*b,
		LogInvAlpha: math.Log(1.1239 + 1.1328/(b-3.4)), VR: 0.9277 - 3.6224/(b-2),
	}
}

// Poisson returns element i of Poisson with that mean.
func (s Stream) Poisson(i int, mean float64) int64 { return s.poisson(uint64(i), newPoisson(mean)) }

func (s Stream) poisson(i uint64, p poisson) int64 {
	if p.Mean < 10 {
		product := 1.0
		for n, attempt := int64(0), uint32(0); ; attempt++ {
			w := s.words(i, attempt)
			for half := range uint64(2) {
				if product *= philox.Open64(philox.Pair(w, half)); product <= p.Limit {
					return n
				}
				n++
			}
		}
	}
	for attempt := uint32(0); ; attempt++ {
		w := s.words(i, attempt)
		u, v := philox.Open64(philox.Pair(w, 0))-0.5, philox.Open64(philox.Pair(w, 1))
		us := 0.5 - math.Abs(u)
		k := math.Floor(float64((2*p.A/us+p.B)*u) + p.Mean + 0.43)
		switch {
		case us >= 0.07 && v <= p.VR:
			return int64(k)
		case !(k >= 0) || us < 0.013 && v > us:
			continue
		}
		if philox.Log64(v)+p.LogInvAlpha-philox.Log64(p.A/float64(us*us)+p.B) <= float64(k*p.LogMean)-p.Mean-logFactorial(k) {
			return int64(k)
		}
	}
}

// logFactorial returns log k!, by Stirling's series.
func logFactorial(k float64) float64 {
	x, below := k+1, 1.0
	for ; x < 8; x++ {
		below *= x
	}
	r := 1 / x
	z := r * r
	p := 1.0/1260 - float64(z*(1.0/1680))
	p = 1.0/360 - float64(z*p)
	p = 1.0/12 - float64(z*p)
	return float64((x-0.5)*philox.Log64(x)) - x + 0.9189385332046727 + float64(r*p) - philox.Log64(below)
}
