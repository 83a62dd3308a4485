package magics

import (
	"fmt"
	"go/token"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

func TestDeviceHints(t *testing.T) {
	for _, tc := range []struct{ message, line, want string }{
		{"cannot use h (variable of type []float32) as gpu.Ptr[float32] value in argument to k.Launch", "", "gpu.ToDevice(h)"},
		{"cannot use y (variable of type *gpu.Buffer[float64]) as gpu.Ptr[float32] value in argument to k.Launch", "", "the buffer holds float64 and the kernel wants float32"},
		{"cannot use 2 (untyped int constant) as gpu.Launch value in argument to k.Launch", "", "gpu.For(n, 256)"},
		{"invalid operation: cannot call k (variable of type struct{*gpu.Kernel; Launch func(…) error}): …", "", "k.Launch("},
		{"expected operand, found '<'", "k<<<1, 2>>>(x)", "by a method"},
		{"expected operand, found '<'", "x := <", ""},
		{"cannot use h (variable of type []float32) as []float64 value in assignment", "", ""},
	} {
		if got := deviceHint(tc.message, tc.line); !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") {
			t.Errorf("%s: hint %q, want %q", tc.message, got, tc.want)
		}
	}
}

// TestContrast computes the contrast of coloured text by the formula of WCAG 2.1.
func TestContrast(t *testing.T) {
	luminance := func(rgb [3]float64) float64 {
		for i, c := range rgb {
			if c /= 255; c <= 0.04045 {
				rgb[i] = c / 12.92
			} else {
				rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
	}
	var text, behind [3]float64
	if n, err := fmt.Sscanf(red, "\x1b[38;2;%f;%f;%f;48;2;%f;%f;%fm", &text[0], &text[1], &text[2], &behind[0], &behind[1], &behind[2]); n != 6 {
		t.Fatalf("%q sets no colour and background: %v", red, err)
	}
	if got := (luminance(text) + 0.05) / (luminance(behind) + 0.05); got < 4.5 {
		t.Errorf("the contrast is %.1f", got)
	}
}

// TestFrames checks that a traceback ends in the user's call and not in a package of this module.
func TestFrames(t *testing.T) {
	e := &Engine{sources: map[string]string{"cell[1]": "f()"}}
	cell := session.Frame{Func: "main.cell", File: "cell[1]", Line: 1}
	own := session.Frame{Func: session.ModulePath + "/gpu/nd.fail", File: "/cache/gpu/nd/error.go", Line: 17}
	other := session.Frame{Func: "strings.Repeat", File: "/go/strings.go", Line: 3}
	for want, frames := range map[string][]session.Frame{
		"cell[1]:1|   1 f()": {own, cell},
		"cell[1]:1|   1 f()|/go/strings.go:3 in strings.Repeat": {other, cell},
		"/cache/gpu/nd/error.go:17 in " + own.Func:              {own},
	} {
		got := strings.NewReplacer(bold, "", reset, "").Replace(strings.Join(e.frames(frames), "|"))
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCompileErrorsAreShownWithTheirLines(t *testing.T) {
	e := &Engine{sources: map[string]string{"cell[1]": "func f() {\n\tπ := x\n}", "cell[2]": "1 +"}}
	at := func(cell string, line, col int) token.Position {
		return token.Position{Filename: cell, Line: line, Column: col}
	}
	got := e.compileError(&session.CompileError{Problems: []session.Problem{
		{Pos: at("cell[1]", 2, 8), Message: "undefined: x", Hint: "did you mean y?"},
		{Pos: at("cell[2]", 1, 4), Message: "expected operand"},
		{Message: "package p is not known"},
	}})
	if want := "cell[1]:2:8: undefined: x (and 2 more)"; got.Name != "CompileError" || got.Value != want {
		t.Errorf("%s: %s, want %s, without colours", got.Name, got.Value, want)
	}
	want := []string{
		"CompileError: cell[1]:2:8: undefined: x", "   2 \tπ := x", "     \t     ^", "     did you mean y?",
		"CompileError: cell[2]:1:4: expected operand", "   1 1 +", "        ^",
		"CompileError: package p is not known",
	}
	plain := slices.Clone(got.Traceback)
	for i, line := range plain {
		for _, colour := range []string{red, bold, reset} {
			line = strings.ReplaceAll(line, colour, "")
		}
		plain[i] = line
	}
	if !slices.Equal(plain, want) {
		t.Errorf("traceback\n%s\nwant\n%s", strings.Join(plain, "\n"), strings.Join(want, "\n"))
	}
	if first := red + "CompileError" + reset; !strings.HasPrefix(got.Traceback[0], first) {
		t.Errorf("the headline %q has no colour", got.Traceback[0])
	}
}
