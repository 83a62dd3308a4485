package gpu

import (
	"slices"
	"testing"
)

// compileToy compiles the toy's kernels and returns one.
func compileToy(t testing.TB, name string) *Kernel {
	t.Helper()
	return compileOne(t, name, toySource, WithName("toy.cu"))
}

// compileOne compiles a program and returns one of its kernels.
func compileOne(t testing.TB, name, source string, options ...CompileOption) *Kernel {
	t.Helper()
	m, err := Compile(source, options...)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSaxpy(t *testing.T) {
	fresh(t)
	k := compileToy(t, "saxpy")
	x, y := ToDevice([]float32{1, 2, 3}), Zeros[float32](3)
	y.Fill(10)
	if err := k.Launch(For(3, 256), 2.0, x, y, 3); err != nil {
		t.Fatal(err)
	}
	if got, want := y.ToHost(), []float32{12, 14, 16}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
