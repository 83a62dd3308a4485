package opcount

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The text is NVRTC's output for testdata/operations.cu, shortened: functions and calls in braces, half precision in braces of
// its own, guarded instructions, labels, arrays with values.
func TestInstrument(t *testing.T) {
	text, err := os.ReadFile("testdata/operations.ptx")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Instrument(string(text) + "\x00")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"total", "coef", "hidden", "$str"}; !slices.Equal(p.Variables, want) || !p.Prints {
		t.Errorf("variables %q, want %q; prints: %v", p.Variables, want, p.Prints)
	}
	want, err := os.ReadFile("testdata/counted.ptx")
	if err != nil {
		t.Fatal(err)
	}
	if p.Text != string(want) {
		t.Errorf("got\n%s", p.Text)
	}
	if _, err := Instrument("no PTX at all"); err == nil {
		t.Error("invalid PTX was accepted")
	}
	if _, err := Instrument(".version 9.0\n.visible .entry k()\n{\n\tret;\n}\n"); err == nil || !strings.Contains(err.Error(), ".address_size") {
		t.Errorf("without .address_size: %v", err)
	}
	if _, err := Instrument(".address_size 64\n.visible .entry k()\n{\n\tret;\n"); err == nil {
		t.Error("PTX without an end was accepted")
	}
}

func TestOperation(t *testing.T) {
	for op, want := range map[string]struct {
		kind Kind
		n    int
	}{
		"add.f32": {FAdd, 1}, "sub.rn.ftz.f32": {FAdd, 1}, "mul.f64": {DMul, 1}, "fma.rn.f64": {DFMA, 1}, "div.rn.f32": {FMul, 1}, "rcp.rn.f64": {DMul, 1},
		"sqrt.approx.ftz.f32": {FMul, 1}, "add.f16x2": {HAdd, 2}, "fma.rn.bf16": {HFMA, 1}, "add.rn.f32x2": {FAdd, 2},
		"add.s32": {}, "mad.lo.s32": {}, "cvt.f32.f64": {}, "setp.lt.f32": {}, "atom.global.add.f32": {}, "mul.wide.s32": {}, "": {},
	} {
		if kind, n := operation(op); kind != want.kind || n != want.n {
			t.Errorf("%s: %d of kind %d, want %d of kind %d", op, n, kind, want.n, want.kind)
		}
	}
	if guard, op := instruction("$L__BB0_3: @!%p1 {add.f16 %rs1,%rs2,%rs3;"); guard != "@!%p1 " || !strings.HasSuffix(op, "add.f16") {
		t.Errorf("%q %q", guard, op)
	}
}
