package arrays

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestSingle compares the functions of float32s with package math.
func TestSingle(t *testing.T) {
	random := rand.New(rand.NewPCG(22, 22))
	var x []float32
	for range 20000 {
		x = append(x, float32(random.NormFloat64()), float32(random.NormFloat64()*40), math.Float32frombits(random.Uint32()))
	}
	for range 20000 {
		x = append(x, float32(random.NormFloat64()*1e5), float32(float64(random.IntN(1000))*math.Pi/2))
	}
	x = append(x, 0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.MaxFloat32, math.SmallestNonzeroFloat32, -1e-40, 1)
	for _, c := range []struct {
		name string
		want func(float64) float64
	}{
		{"exp", math.Exp},
		{"log", math.Log},
		{"log2", math.Log2},
		{"log10", math.Log10},
		{"tanh", math.Tanh},
		{"sin", math.Sin},
		{"cos", math.Cos},
		{"erf", math.Erf},
		{"erfc", math.Erfc},
		{"Sigmoid", func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	} {
		for _, f := range []fn{plain32[c.name], float32s[c.name]} {
			got := make([]float32, len(x))
			for i := 0; i < len(x); i += 16 { // blocks, of which some have no large numbers
				f(unsafe.Pointer(&got[i]), unsafe.Pointer(&x[i]), nil, nil, min(16, len(x)-i))
			}
			worst, at := 0.0, 0
			for i, g := range got {
				if d := apart(g, c.want(float64(x[i]))); d > worst {
					worst, at = d, i
				}
			}
			t.Logf("%s: %.2f ulps", c.name, worst)
			if worst > 2 {
				t.Errorf("%s(%g) is %g, want %g", c.name, x[at], got[at], c.want(float64(x[at])))
			}
		}
	}
}

// apart returns the distance of two numbers in units in the last place of a float32.
func apart(got float32, want float64) float64 {
	w := float32(want)
	switch {
	case got != got && w != w, got == w && math.Signbit(float64(got)) == math.Signbit(float64(w)):
		return 0
	case math.IsInf(float64(w), 0) || w != w || got != got || math.IsInf(float64(got), 0):
		return math.Inf(1)
	}
	size := math.Abs(float64(w))
	ulp := math.Max(float64(math.Nextafter32(float32(size), math.MaxFloat32))-size, math.SmallestNonzeroFloat32)
	return math.Abs(float64(got)-want) / ulp
}
