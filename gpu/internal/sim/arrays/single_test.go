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
		{"log1p", math.Log1p},
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

// TestPowers compares powers of float32s with package math.
func TestPowers(t *testing.T) {
	random := rand.New(rand.NewPCG(22, 23))
	var x, y []float32
	for range 20000 {
		x, y = append(x, float32(random.ExpFloat64()*3)), append(y, float32(random.NormFloat64()*20))
	}
	edges := []float32{0, 1, -1, 2, 3, 10, 0.5, -2.5, 1e-40, 1e38, math.MaxFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), float32(math.Copysign(0, -1))}
	for _, a := range edges {
		for _, b := range edges {
			x, y = append(x, a), append(y, b)
		}
	}
	for name, f := range map[string]fn{"plain": plain32["Pow"], "vectors": float32s["Pow"]} {
		got, worst := make([]float32, len(x)), 0.0
		for i := 0; i < len(x); i += 16 {
			f(unsafe.Pointer(&got[i]), unsafe.Pointer(&x[i]), unsafe.Pointer(&y[i]), nil, min(16, len(x)-i))
		}
		for i, g := range got {
			want := math.Pow(float64(x[i]), float64(y[i]))
			if d := apart(g, want); d > 1 {
				t.Errorf("%s: %g to the power of %g is %g, want %g", name, x[i], y[i], g, want)
			} else {
				worst = max(worst, d)
			}
		}
		t.Logf("%s: %.2f ulps", name, worst)
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
