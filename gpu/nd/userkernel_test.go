package nd_test

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestElementwiseKernel(t *testing.T) {
	s := newSuite(t)
	squared := nd.Elementwise2[float64, float64, int32](nd.ElementwiseKernel{
		Name: "squared_diff", In: "x, y", Out: "z", Code: "double d = twice(x) - y;\nz = d * d;",
		Preamble: "static __device__ double twice(double x) { return 2 * x; }",
	})
	for range 40 {
		shape := s.shape(5)
		a, x := view[float64](s, shape)
		b, y := view[int32](s, shape)
		expectFrom(s, "(2 * x0 - x1.astype(np.float64)) ** 2", 1, func() *nd.Array[float64] { return squared(a, b) }, x, y)
	}
	// More loops than the kernel has.
	deep, _ := array[float64](s, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3)
	half := deep.Slice(nd.Idx("::-1, :2, ::-1, :2, ::-1, :2, ::-1, :2, ::-1, :2")...)
	expectFrom(s, "(2 * x0 - 3) ** 2", 1, func() *nd.Array[float64] { return squared(half, nd.Scalar(int32(3))) }, copied(half))
	index := nd.Elementwise1[int64, bool](nd.ElementwiseKernel{Name: "counted", In: "keep", Out: "r", Code: "r = keep ? i : n"})
	equal(t, "i and n", index(nd.FromSlice([]bool{true, false, true})), 0, 3, 2)
	halves := nd.Elementwise1[nd.Float16, nd.BFloat16](nd.ElementwiseKernel{Name: "third", In: "x", Out: "y", Code: "y = x / 3"})
	equal(t, "16 bits", nd.AsType[float32](halves(nd.AsType[nd.BFloat16](nd.FromSlice([]float32{3, 1})))), 1, 0.33325195)
	complexes := nd.Elementwise3[complex64, complex64, float32, float32](nd.ElementwiseKernel{
		Name: "turn", In: "z, re, im", Out: "r", Code: "r = z * complex<float>(re, im)",
	})
	equal(t, "complex", complexes(nd.FromSlice([]complex64{2 + 1i}), nd.Scalar(float32(0)), nd.FromSlice([]float32{1, -1})), -1+2i, 1-2i)
	s.run()
}

// copied returns an array for NumPy alone.
func copied[T nd.Elem](a *nd.Array[T]) input {
	_, in := given(a.ToHost(), a.Shape()...)
	return in
}

func TestReductionKernel(t *testing.T) {
	s := newSuite(t)
	norm := nd.Reduction1[float64, float64](nd.ReductionKernel{
		Name: "l2norm", In: "x", Out: "y", Map: "x * x", Reduce: "a + b", Post: "y = sqrt(a)", Identity: "0",
	})
	dot := nd.Reduction2[int32, int32, int32](nd.ReductionKernel{
		Name: "weighted", In: "x, y", Out: "z", Map: "x * y", Reduce: "a + b", Identity: "0",
	})
	for range 30 {
		shape := append(s.shape(3), 1+s.IntN(3))
		a, x := turned[float64](s, shape...)
		b, y := turned[int32](s, shape...)
		expectFrom(s, "np.sqrt((x0 * x0).sum())", 10, func() *nd.Array[float64] { return norm(a) }, x)
		expectFrom(s, "np.sqrt((x0 * x0).sum(0))", 10, func() *nd.Array[float64] { return norm(a, 0) }, x)
		expectFrom(s, "(x0 * x0[..., :1]).sum(-1, dtype=np.int32)", 0, func() *nd.Array[int32] { return dot(b, b.Slice(nd.Rest, nd.To(1)), -1) }, y)
	}
	s.run()
	const n = 100_000 // several blocks a result
	long := nd.Arange[float64](3*n).Reshape(3, n)
	largest := nd.Reduction1[int64, float64](nd.ReductionKernel{
		Name: "farthest", In: "x", Out: "at", Map: "x", Reduce: "a.v > b.v ? a : b", Post: "at = (long long)a.v", Identity: "-1.0",
		Type: "found", Preamble: "struct found { double v; found() = default; __device__ found(double x) : v(x) {} };",
	})
	equal(t, "the largest of rows", largest(long, 1), n-1, 2*n-1, 3*n-1)
	equal(t, "the largest of none", largest(nd.Zeros[float64](2, 0), 1), -1, -1)
}

func TestRawKernel(t *testing.T) {
	add := nd.NewRawKernel(`extern "C" __global__ void add(const float *x, float *y, float by, int n) {
		int i = blockIdx.x * blockDim.x + threadIdx.x;
		if (i < n)
			y[i] += by * x[i];
	}`, "add")
	x, y := nd.Arange[float32](5), nd.Ones[float32](5).Eval()
	before := y.MulScalar(1)
	if err := add.Launch(gpu.For(5, 32), x, y, 2, 5); err != nil {
		t.Fatal(err)
	}
	equal(t, "y", y, 1, 3, 5, 7, 9)
	equal(t, "an expression that was made before", before, 1, 1, 1, 1, 1)
	for want, args := range map[string][]any{
		"argument 1 of add: nd.BufferOf: the array of shape (2,) and strides [2]": {nd.Arange[float32](4).Slice(nd.All.By(2)), y, 1, 2},
		"cannot take": {nd.Arange[float64](5), y, 1, 5},
	} {
		if err := add.Launch(gpu.For(5, 32), args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q in it", err, want)
		}
	}
}

func TestUserKernelErrors(t *testing.T) {
	make1 := func(in, code string) func() {
		return func() {
			nd.Elementwise1[float32, float32](nd.ElementwiseKernel{Name: "k", In: in, Out: "y", Code: code})(nd.Zeros[float32](1))
		}
	}
	for _, c := range []struct {
		want string
		f    func()
	}{
		{`nd.Elementwise1: In is "x, z", which are 2 names: want 1`, make1("x, z", "y = x")},
		{`nd.Elementwise1: In is "2x": "2x" is no name in C`, make1("2x", "y = x")},
		{"k:2:", make1("x", "y = x;\ny = nothing")},
		{"nd.Reduction1: Reduce is missing", func() {
			nd.Reduction1[float32, float32](nd.ReductionKernel{Name: "k", In: "x", Out: "y", Map: "x", Identity: "0"})
		}},
	} {
		got := strings.ReplaceAll(panics(t, c.f), "k(2): error", "k:2: error") // NVRTC's way to name a line
		if !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
}
