package nd_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func equal[T nd.Elem](t *testing.T, what string, got *nd.Array[T], want ...T) {
	t.Helper()
	if list := got.ToHost(); !slices.Equal(list, want) {
		t.Errorf("%s: got %v, want %v", what, list, want)
	}
}

// panics returns the message with which f panics.
func panics(t *testing.T, f func()) string {
	t.Helper()
	err := nd.Try(f)
	if err == nil {
		t.Error("no panic")
		return ""
	}
	return err.Error()
}

func TestExpression(t *testing.T) {
	a := nd.Arange[float32](6).Reshape(2, 3)
	row := nd.FromSlice([]float32{10, 20, 30})
	nd.ResetStats()
	sum := nd.Sqrt(a.Mul(a).Add(row).AddScalar(1))
	if sum.Evaluated() {
		t.Error("the expression is computed before it is needed")
	}
	equal(t, "sqrt", sum, sqrt(11), sqrt(22), sqrt(35), sqrt(20), sqrt(37), sqrt(56))
	if s := nd.Stats(); s.Launches != 1 || s.Bytes != 4*(6+3+6) {
		t.Errorf("%+v, want one launch that reads 9 elements and writes 6", s)
	}
	equal(t, "transposed", a.T().Add(nd.FromSlice([]float32{100, 200})), 100, 203, 101, 204, 102, 205)
	equal(t, "flipped", a.Flip(0).AddScalar(0), 3, 4, 5, 0, 1, 2)
	equal(t, "column", a.Slice(nd.Idx(":, 1:2")...).Mul(row), 10, 20, 30, 40, 80, 120)
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Writing to an array does not change expressions that were made before.
func TestAssignKeepsExpressions(t *testing.T) {
	a := nd.FromSlice([]int32{1, 2, 3, 4})
	later := a.AddScalar(10)
	twice := later.MulScalar(2)
	a.Slice(nd.R(1, 3)).Fill(0)
	equal(t, "array", a, 1, 0, 0, 4)
	equal(t, "expression", later, 11, 12, 13, 14)
	later.Fill(7)
	equal(t, "expression of an expression", twice, 22, 24, 26, 28)
	a.Assign(a.Flip())
	equal(t, "onto itself", a, 4, 0, 0, 1)
	a.Slice(nd.From(1)).Assign(a.Slice(nd.To(3)))
	equal(t, "shifted", a, 4, 4, 0, 0)
}

func TestErrorsNameShapes(t *testing.T) {
	a, b := nd.Zeros[float32](2, 3), nd.Zeros[float32](4)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"nd.Add: operands could not be broadcast together with shapes (2, 3) (4,)", func() { a.Add(b) }},
		{"cannot reshape array of size 6 into shape (4, 2)", func() { a.Reshape(4, 2) }},
		{"axis 2 is out of bounds for an array of 2 axes", func() { a.Flip(2) }},
		{"index 5 is out of bounds for axis 1 with size 3", func() { a.At(0, 5) }},
		{"there is no sub of bool", func() { x := nd.Zeros[bool](1); x.Sub(x) }},
		{"the array is nil", func() { a.Add(nil) }},
		{"was freed", func() { _ = b.Free(); b.AddScalar(1).Eval() }},
	} {
		if got := panics(t, c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
}

func TestString(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{nd.FromSlice([]float32{1, 2.5, -3.25}).String(), "array([ 1.  ,  2.5 , -3.25], shape=(3,), dtype=float32, device=sim)"},
		{nd.Arange(4).Reshape(2, 2).String(), "array([[0, 1],\n       [2, 3]], shape=(2, 2), dtype=int64, device=sim)"},
		{nd.Arange[int32](2000).String(), "array([   0,    1,    2, ..., 1997, 1998, 1999], shape=(2000,), dtype=int32, device=sim)"},
		{nd.Scalar(1.5).String(), "array(1.5, shape=(), dtype=float64, device=sim)"},
		{nd.Arange[int32](17).String(), "array([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16],\n      shape=(17,), dtype=int32, device=sim)"},
		{nd.Zeros[bool](0, 3).String(), "array([], shape=(0, 3), dtype=bool, device=sim)"},
	} {
		if c.got = strings.ReplaceAll(c.got, "cuda:0", "sim"); c.got != c.want {
			t.Errorf("got\n%s\nwant\n%s", c.got, c.want)
		}
	}
}
