package gpu

import (
	"math"
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
