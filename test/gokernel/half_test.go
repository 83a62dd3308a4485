package gokernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// allHalves returns all 16-bit floats.
func allHalves() (h []gpu.Float16, b []gpu.BFloat16) {
	for bits := range 1 << 16 {
		h, b = append(h, gpu.Float16(bits)), append(b, gpu.BFloat16(bits))
	}
	return h, b
}

func TestHalfConversions(t *testing.T) {
	h, b := allHalves()
	compare(t, "halfValues", halfValues, gpu.For(len(h), 256), 0, h, b, make([]uint32, 2*len(h)), make([]gpu.Float16, len(h)), make([]gpu.BFloat16, len(h)))
	// All 16-bit floats, the numbers in the middle of two, and those beside both.
	var x []float32
	for i := range h {
		for _, bits := range []uint32{math.Float32bits(h[i].Float32()), math.Float32bits(b[i].Float32())} {
			for _, off := range []uint32{0, 1 << 12, 1 << 15} {
				x = append(x, math.Float32frombits(bits+off-1), math.Float32frombits(bits+off), math.Float32frombits(bits+off+1))
			}
		}
		if i%2 == 0 { // subnormal Float16s
			x = append(x, float32(i)*0x1p-26, -float32(i)*0x1p-26-0x1p-40)
		}
	}
	compare(t, "halfRounding", halfRounding, gpu.For(len(x), 256), 0, x, make([]gpu.Float16, len(x)), make([]gpu.BFloat16, len(x)))
}

func TestHalfArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	h, b := allHalves()
	r.Shuffle(len(h), func(i, j int) { h[i], h[j] = h[j], h[i] })
	r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	for range 100_000 { // of similar sizes
		h, b = append(h, gpu.ToFloat16(float32(r.NormFloat64()*8))), append(b, gpu.ToBFloat16(float32(r.NormFloat64()*8)))
	}
	compare(t, "halfArithmetic", halfArithmetic, gpu.For(len(h), 256), 0, h, b, make([]gpu.Float16, 6*len(h)), make([]gpu.BFloat16, 6*len(b)), gpu.ToFloat16(1.5))
}

func TestHalfArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	n := 5000
	x, y, p, q := make([]gpu.Float16, n), make([]gpu.Float16, n), make([]gpu.BFloat16, n), make([]gpu.BFloat16, n)
	for i := range x {
		x[i], y[i] = gpu.ToFloat16(float32(r.NormFloat64())), gpu.ToFloat16(float32(r.NormFloat64()))
		p[i], q[i] = gpu.ToBFloat16(float32(r.NormFloat64())), gpu.ToBFloat16(float32(r.NormFloat64()))
	}
	a, b := nd.FromSlice(x), nd.FromSlice(y)
	f := onDevice(t, "halfAverage", halfAverage)
	equal(t, "Map2", 1, nd.Map2(a, b, f).Neg(), each2(x, y, func(v, w gpu.Float16) gpu.Float16 { return halfAverage(v, w) ^ 0x8000 }))
	equal(t, "Map2 of BFloat16s", 1, nd.Map2(nd.FromSlice(p), nd.FromSlice(q), onDevice(t, "brainLess", brainLess)), each2(p, q, brainLess))
	v := numbers[float32](n)
	equal(t, "conversions and random numbers", 1, nd.Map(nd.FromSlice(v), onDevice(t, "halvesOf", halvesOf)), each1(v, halvesOf))
	g := onDevice(t, "halfGreatest", halfGreatest)
	most, all := gpu.ToFloat16(-1), make([]gpu.Float16, n)
	for i, v := range x {
		most = halfGreatest(most, v)
		all[i] = v
		if i > 0 {
			all[i] = halfGreatest(all[i-1], v)
		}
	}
	equal(t, "Reduce", 0, nd.Reduce(a, g, gpu.ToFloat16(-1)), []gpu.Float16{most})
	equal(t, "Accumulate", 0, nd.Accumulate(a, g), all)
}
