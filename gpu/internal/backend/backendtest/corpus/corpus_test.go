package corpus

import (
	"math"
	"testing"
)

// Every 16-bit number is unchanged after conversion to float and back.
func TestHalves(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if f := fromHalf(h); f == f && toHalf(f) != h {
			t.Fatalf("half %#04x is %v and comes back as %#04x", h, f, toHalf(f))
		}
		if f := fromBfloat16(h); f == f && toBfloat16(f) != h {
			t.Fatalf("bfloat16 %#04x is %v and comes back as %#04x", h, f, toBfloat16(f))
		}
	}
	for f, want := range map[float32]uint16{1: 0x3c00, 65504: 0x7bff, 65519: 0x7bff, 65520: 0x7c00, -2: 0xc000, 1 + 1.0/2048: 0x3c00, 1 + 3.0/2048: 0x3c02, 0x1p-25: 0, 0x1.8p-25: 1} {
		if got := toHalf(f); got != want {
			t.Errorf("%v is half %#04x, want %#04x", f, got, want)
		}
	}
	if got := toBfloat16(1 + 1.0/256); got != 0x3f80 {
		t.Errorf("bfloat16 of a tie is %#04x", got)
	}
	if got := toHalf(float32(math.NaN())); got != 0x7fff {
		t.Errorf("NaN is %#04x", got)
	}
}

func TestLoad(t *testing.T) {
	cases, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	kernels := 0
	for _, c := range cases {
		seen[c.Name] = true
		kernels += len(c.Program().Kernels)
		m, err := c.Memory()
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		// A check that passes with the initial memory would check nothing.
		if c.Check(m) == nil {
			t.Errorf("%s: the check passes although no kernel has run", c.Name)
		}
	}
	for name := range references {
		if !seen[name] {
			t.Errorf("there is a reference, but no file %s.cu", name)
		}
	}
	if kernels < 110 {
		t.Errorf("the corpus has %d kernels, want at least 110", kernels)
	}
}

func TestBadHeaders(t *testing.T) {
	for _, header := range []string{
		"", "\tlaunch k", "\tlaunch k<<<1>>>()", "\tlaunch k<<<1, x>>>()", "\tlaunch k<<<1, (1,1,1,1)>>>()",
		"\ta = float[x] zero", "\ta = word[4] zero", "\tnear a b", "\tnonsense",
	} {
		if _, err := parse("saxpy", "//"+header+"\n"); err == nil {
			t.Errorf("%q is accepted", header)
		}
	}
}
