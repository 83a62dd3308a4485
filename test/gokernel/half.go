package gokernel

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu"
)

//gpu:kernel
func halfValues(h []gpu.Float16, b []gpu.BFloat16, bits []uint32, backH []gpu.Float16, backB []gpu.BFloat16) {
	if i := gpu.GlobalID(); i < len(h) {
		bits[2*i], bits[2*i+1] = math.Float32bits(h[i].Float32()), math.Float32bits(b[i].Float32())
		backH[i], backB[i] = gpu.ToFloat16(h[i].Float32()), gpu.ToBFloat16(b[i].Float32())
	}
}

//gpu:kernel
func halfRounding(x []float32, h []gpu.Float16, b []gpu.BFloat16) {
	if i := gpu.GlobalID(); i < len(x) {
		h[i], b[i] = gpu.ToFloat16(x[i]), gpu.ToBFloat16(x[i])
	}
}

type halves struct {
	h gpu.Float16
	b gpu.BFloat16
}

func (s *halves) add(h gpu.Float16, b gpu.BFloat16) { s.h, s.b = s.h.Add(h), s.b.Add(b) }

//gpu:kernel
func halfArithmetic(h []gpu.Float16, b []gpu.BFloat16, outH []gpu.Float16, outB []gpu.BFloat16, scale gpu.Float16) {
	i := gpu.GlobalID()
	if i >= len(h)-2 {
		return
	}
	x, y, z := h[i], h[i+1], h[i+2]
	p, q := &b[i], b[i+1]
	list := [6]gpu.Float16{x.Add(y), x.Sub(y), x.Mul(y), x.Div(y), x.FMA(y, z), x.Mul(scale).Add(z)}
	for k, v := range list {
		outH[6*i+k] = v
	}
	s := halves{x, *p}
	s.add(y, q)
	outB[6*i], outB[6*i+1], outB[6*i+2] = s.b, p.Sub(q), p.Mul(q)
	outB[6*i+3], outB[6*i+4], outB[6*i+5] = p.Div(q), p.FMA(q, b[i+2]), gpu.ToBFloat16(s.h.Float32())
	if x == y || gpu.Float16(0x3c00) == z {
		outB[6*i] = gpu.BFloat16(uint16(x) + 1)
	}
}

func halfAverage(x, y gpu.Float16) gpu.Float16 { return x.Add(y).Mul(gpu.ToFloat16(0.5)) }

func brainLess(x, y gpu.BFloat16) bool { return x.Float32() < y.Float32() }

func halfGreatest(x, y gpu.Float16) gpu.Float16 {
	if x.Float32() < y.Float32() {
		return y
	}
	return x
}

func halvesOf(x float32) float32 {
	h, b := gpu.ToFloat16(x), gpu.ToBFloat16(x)
	return h.FMA(h, h).Float32() + b.FMA(b, b).Div(b).Float32() + gpu.RandomNormal32(uint64(h), 0, int(b)) + float32(gpu.RandomNormal64(1, 2, int(h)))
}
