package magics

import (
	"go/token"
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
		for _, colour := range []string{red, green, reset} {
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
