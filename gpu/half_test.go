package gpu

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFloat16(t *testing.T) {
	for bits := range 1 << 16 {
		h, b := Float16(bits), BFloat16(bits)
		if f := h.Float32(); f != f {
			if back := ToFloat16(f).Float32(); back == back {
				t.Errorf("half %#x is no number any more but %v", bits, back)
			}
		} else if back := ToFloat16(f); back != h {
			t.Errorf("half %#x is %v and comes back as %#x", bits, f, back)
		}
		if f := b.Float32(); f != f {
			if back := ToBFloat16(f).Float32(); back == back {
				t.Errorf("bfloat16 %#x is no number any more but %v", bits, back)
			}
		} else if back := ToBFloat16(f); back != b {
			t.Errorf("bfloat16 %#x is %v and comes back as %#x", bits, f, back)
		}
	}
	inf := float32(math.Inf(1))
	for f, want := range map[float32]Float16{
		1: 0x3c00, -2: 0xc000, 65504: 0x7bff, 65519: 0x7bff, 65520: 0x7c00, 1e10: 0x7c00, inf: 0x7c00, -inf: 0xfc00,
		1.0 / (1 << 24): 1, 1.0 / (1 << 25): 0, 3.0 / (1 << 25): 2, 1.0 / (1 << 14): 0x400, 1 + 1.0/(1<<11): 0x3c00, 1 + 3.0/(1<<11): 0x3c02,
	} {
		if got := ToFloat16(f); got != want {
			t.Errorf("%v became %#x, want %#x", f, got, want)
		}
	}
	for f, want := range map[float32]BFloat16{1: 0x3f80, -2: 0xc000, 1 + 1.0/256: 0x3f80, 1 + 3.0/256: 0x3f82, math.MaxFloat32: 0x7f80, inf: 0x7f80} {
		if got := ToBFloat16(f); got != want {
			t.Errorf("%v became %#x, want %#x", f, got, want)
		}
	}
	// Nothing is nearer than what was chosen.
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		f := math.Float32frombits(r.Uint32())
		if f != f || math.Abs(float64(f)) > 65504 {
			continue
		}
		h := ToFloat16(f)
		off := math.Abs(float64(h.Float32()) - float64(f))
		for _, other := range []Float16{h - 1, h + 1} {
			if v := float64(other.Float32()); math.Abs(v-float64(f)) < off {
				t.Fatalf("%v became %v, but %v is nearer", f, h.Float32(), v)
			}
		}
	}
	if got := Float32s(ToFloat16s([]float32{1, 0.5})); !slices.Equal(got, []float32{1, 0.5}) {
		t.Errorf("got %v", got)
	}
	if got := Float32s(ToBFloat16s([]float32{1, 0.5})); !slices.Equal(got, []float32{1, 0.5}) {
		t.Errorf("got %v", got)
	}
}

// Arithmetic of 16-bit floats is that of exact numbers, rounded once.
func TestHalfArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	exact := func(v float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(v)) }
	check := func(what string, got float32, want *big.Float, round func(float32) float32) {
		// What lies between two float32s is rounded to odd, so that rounding it again does no harm.
		f, acc := want.Float32()
		if acc != big.Exact {
			if acc == big.Above == (want.Sign() > 0) {
				f = math.Float32frombits(math.Float32bits(f) - 1)
			}
			f = math.Float32frombits(math.Float32bits(f) | 1)
		}
		if rounded := round(f); got != rounded {
			t.Fatalf("%s is %v, want %v", what, got, rounded)
		}
	}
	half := func(f float32) float32 { return ToFloat16(f).Float32() }
	brain := func(f float32) float32 { return ToBFloat16(f).Float32() }
	for range 200_000 {
		bits := r.Uint64()
		h, g, a := Float16(bits), Float16(bits>>16), Float16(bits>>32)
		x, y, z := h.Float32(), g.Float32(), a.Float32()
		if s := x + y + z; s-s != 0 { // infinite, or none
			continue
		}
		check("a sum", h.Add(g).Float32(), new(big.Float).Add(exact(x), exact(y)), half)
		check("a difference", h.Sub(g).Float32(), new(big.Float).Sub(exact(x), exact(y)), half)
		product := new(big.Float).Mul(exact(x), exact(y))
		check("a product", h.Mul(g).Float32(), product, half)
		check("FMA", h.FMA(g, a).Float32(), product.Add(product, exact(z)), half)
		if y != 0 {
			check("a quotient", h.Div(g).Float32(), new(big.Float).Quo(exact(x), exact(y)), half)
		}
	}
	for range 200_000 {
		bits := r.Uint64()
		p, q, c := BFloat16(bits), BFloat16(bits>>16), BFloat16(bits>>32)
		if bits>>48&1 == 0 { // of similar sizes
			q, c = p^q&0x83ff, p^c&0x83ff
		}
		x, y, z := p.Float32(), q.Float32(), c.Float32()
		if x-x != 0 || y-y != 0 || z-z != 0 {
			continue
		}
		product := new(big.Float).Mul(exact(x), exact(y))
		check("FMA", p.FMA(q, c).Float32(), product.Add(product, exact(z)), brain)
	}
	inf, none := Float16(0x7c00), Float16(0x7e00)
	for _, got := range []Float16{inf.Sub(inf), inf.Mul(0), Float16(0).Div(0), none.Add(1), Float16(0xfe01).FMA(1, 1)} {
		if got != none {
			t.Errorf("what is no number is %#x", uint16(got))
		}
	}
	if got := BFloat16(0xff80).FMA(0, 1); got != 0x7fc0 {
		t.Errorf("what is no number is %#x", uint16(got))
	}
}
