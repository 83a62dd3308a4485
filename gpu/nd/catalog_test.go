package nd_test

import (
	"errors"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// catalog has cases by the name of the function or method that they test.
type catalog struct {
	*suite
	names map[string]bool
}

// TestNumPyCatalog compares every function and method with NumPy. A name without a case is an error, unless it is in inOtherTests or
// withoutPeer.
func TestNumPyCatalog(t *testing.T) {
	c := newCatalog(t)
	for _, name := range c.missing(t) {
		t.Errorf("%s has no case: add it to catalog_cases_test.go, or to withoutPeer if NumPy has nothing like it", name)
	}
	if testing.Short() {
		t.Skip("SKIPPED: 850 kernels are compiled")
	}
	c.run()
}

// TestCatalogForGPU compiles the kernels of all element-wise functions by NVIDIA's compiler, which needs no GPU.
func TestCatalogForGPU(t *testing.T) {
	texts, flags := nd.Programs(newCatalog(t).ready...)
	if len(texts) < 5 {
		t.Fatalf("there are %d programs of kernels", len(texts))
	}
	for _, text := range texts {
		mod, err := gpu.Compile(text, gpu.WithName("catalog.cu"), gpu.WithFlags(flags...))
		if err != nil {
			t.Fatal(err)
		}
		_, err = mod.Build()
		var missing *gpu.Error
		if errors.As(err, &missing) && missing.Name == "CUDA_ERROR_JIT_COMPILER_NOT_FOUND" && os.Getenv("GOPHERWARP_NEED_NVRTC") == "" {
			t.Skipf("SKIPPED: %v", err)
		}
		var refused *gpu.CompileError
		if errors.As(err, &refused) {
			t.Error("NVIDIA's compiler finds:", regexp.MustCompile(`(?m)^.*error.*\n.*$`).FindAllString(err.Error(), -1))
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// newCatalog has a case at least of each function and method.
func newCatalog(t *testing.T) *catalog {
	c := &catalog{newSuite(t), map[string]bool{}}
	realCases[int32](c)
	realCases[uint8](c)
	realCases[float32](c)
	integerCases[int16](c)
	integerCases[uint64](c)
	floatCases[float32](c)
	floatCases[float64](c)
	floatCases[nd.Float16](c)
	ieeeCases[float32](c)
	ieeeCases[float64](c)
	complexCases[complex64, float32](c)
	complexCases[complex128, float64](c)
	boolCases(c)
	foldCases[float32](c)
	foldCases[float64](c)
	foldCases[int32](c)
	statisticCases[float32](c)
	statisticCases[float64](c)
	viewCases[float32](c)
	viewCases[int8](c)
	viewCases[bool](c)
	joinCases[float64](c)
	joinCases[uint16](c)
	indexCases(c)
	creationCases(c)
	attributeCases(c)
	return c
}

// missing returns the exported functions and methods without a case, and those that are listed but do not exist.
func (c *catalog) missing(t *testing.T) []string {
	have := map[string]string{}
	exported(t, ".", "", have)
	known := map[string]string{}
	for file, names := range inOtherTests {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name := range strings.FieldsSeq(names) {
			known[name] = file
			if !regexp.MustCompile(`\.` + name + `[\[(]`).Match(text) {
				t.Errorf("%s is said to be compared in %s, which does not mention it", name, file)
			}
		}
	}
	for reason, names := range withoutPeer {
		for name := range strings.FieldsSeq(names) {
			known[name] = reason
		}
	}
	for name, where := range known {
		if c.names[name] {
			t.Errorf("%s has a case, and stands under %q, too", name, where)
		}
		if have[name] != "func" {
			t.Errorf("%s stands under %q, but package nd has no such function", name, where)
		}
	}
	var list []string
	for name, kind := range have {
		if kind == "func" && !strings.Contains(name, ".") && !c.names[name] && known[name] == "" {
			list = append(list, name)
		}
	}
	for name := range c.names {
		if have[name] != "func" {
			t.Errorf("there are cases of %s, which package nd does not have", name)
		}
	}
	slices.Sort(list)
	return list
}

// inOtherTests are functions that other tests compare with NumPy or, where that has no such function, with package math.
var inOtherTests = map[string]string{
	"linalg_test.go": "Cholesky Cond Det Dot Eig Eigh Eigvals Eigvalsh Einsum Inner Inv Kron LU Lstsq MatMul MatrixPower MatrixRank Pinv QR SVD SVDFull " +
		"SingularValues Slogdet Solve SolveTriangular Tensordot Vdot",
	"fft_test.go":   "FFT FFT2 FFTFreq FFTN FFTShift IFFT IFFT2 IFFTN IFFTShift IRFFT IRFFT2 IRFFTN RFFT RFFT2 RFFTFreq RFFTN",
	"index_test.go": "Bincount BincountWeights Gather Histogram HistogramWeights Put Searchsorted TopK UniqueAll",
	"norm_test.go":  "MatrixNorm VectorNorm",
	"math_test.go":  "Dim Erf Erfc Erfcinv Erfinv Gamma Gammaln IEEERemainder J0 J1 Jn Logb Round Y0 Y1 Yn",
	"numpy_test.go": "Argsort Promote",

	"quantile_test.go": "Median Percentile Quantile",
}

// withoutPeer are functions without a counterpart in NumPy, by subject.
var withoutPeer = map[string]string{
	"device memory":                    "BufferOf CopyTo Device Evaluated Eval Free FromBuffer Packed RawOf To ToHost",
	"how expressions are computed":     "Explain Loop Prepare ResetStats Stats",
	"kernels of users":                 "Elementwise1 Elementwise2 Elementwise3 NewRawKernel Reduction1 Reduction2",
	"gradients":                        "Grad StopGradient ValueAndGrad ValueAndGrads", // compared with JAX in grad_jax_test.go
	"functions in Go":                  "Accumulate Map Map2 Map3 Reduce Translated",   // compared in test/gokernel
	"Go's types and errors":            "DTypeOf Describe PromoteAll Try From Idx R",
	"text":                             "MIMEBundle String",
	"several devices":                  "AllGather AllReduce BroadcastFrom Parts Replicate Shard Sharding",
	"sparse matrices, which SciPy has": "CSRFromCOO CSRFromDense NewCSR",
	"elements that are not set":        "Empty",
	"another library's matrices":       "FromMatrix",
}

// operand is an array, for both sides.
type operand[T nd.Elem] struct {
	a *nd.Array[T]
	x input
}

// operands returns arrays of several kinds: a strided view of random numbers with NaN, infinite numbers and zeros of both signs
// among them, an array without elements and, of some types, a number without axes. The others are of shapes that broadcast with those.
func operands[T nd.Elem](s *suite, other bool) []operand[T] {
	shape, empty := []int{7, 24}, []int{0, 3}
	index := "::-1, 1::2"
	if other {
		shape, empty, index = []int{14}, []int{1}, "2:"
	}
	var list []operand[T]
	a, x := array[T](s, shape...)
	x.Index = index
	list = append(list, operand[T]{spread(a.Slice(nd.Idx(index)...)), x})
	shapes := [][]int{empty}
	if dt := nd.DTypeOf[T](); dt == nd.F32 || dt == nd.Int32 { // it is another kernel for each function
		shapes = append(shapes, []int{})
	}
	for _, shape := range shapes {
		a, x := array[T](s, shape...)
		list = append(list, operand[T]{a, x})
	}
	return list
}

// one adds cases of a function of one array.
func one[R, T nd.Elem](c *catalog, name, expr string, ulps float64, f func(a *nd.Array[T]) *nd.Array[R]) {
	c.names[name] = true
	for _, o := range operands[T](c.suite, false) {
		expect(c.suite, expr, ulps, f(o.a), o.x)
		c.last().signed = true
	}
}

// two adds cases of a function of two arrays, which are broadcast. For floats each edge is combined with each other one.
func two[R, T nd.Elem](c *catalog, name, expr string, ulps float64, f func(a, b *nd.Array[T]) *nd.Array[R]) {
	c.names[name] = true
	list, others := operands[T](c.suite, false), operands[T](c.suite, true)
	others[0].a, others[0].x = array[T](c.suite, 12)
	if edges := edgesOf[T](); edges != nil {
		n := len(edges)
		grid := make([]T, 0, 2*n*n)
		for _, v := range edges {
			grid = append(grid, slices.Repeat([]T{v}, 2*n)...)
		}
		// A view as the random operand's, of as many columns, takes the same kernel.
		a, x := given(grid, n, 2*n)
		x.Index = "::-1, 1::2"
		b, y := given(edges, n)
		list = append(list, operand[T]{spread(a.Slice(nd.Idx(x.Index)...)), x})
		others = append(others, operand[T]{b, y})
	}
	for i, o := range list {
		expect(c.suite, expr, ulps, f(o.a, others[i].a), o.x, others[i].x)
		c.last().signed = true
	}
}

// edgesOf returns the floats of a type at which functions change their behaviour, or nil.
func edgesOf[T nd.Elem]() []T {
	sizes, ok := map[nd.DType][2]float64{
		nd.F16: {65504, 0x1p-24}, nd.F32: {math.MaxFloat32, 0x1p-149}, nd.F64: {math.MaxFloat64, 0x1p-1074},
	}[nd.DTypeOf[T]()]
	if !ok {
		return nil
	}
	var list []float64
	for _, v := range []float64{0, sizes[1], 1, sizes[0], math.Inf(1)} {
		list = append(list, v, math.Copysign(v, -1))
	}
	return nd.AsType[T](nd.FromSlice(append(list, 0.5, math.NaN()))).ToHost()
}

// from adds a case of a function that is not lazy, or may panic.
func from[R nd.Elem](c *catalog, name, expr string, ulps float64, f func() *nd.Array[R], inputs ...input) {
	c.names[name] = true
	expectFrom(c.suite, expr, ulps, f, inputs...)
	c.last().signed = true
}

// last returns the case that was added last.
func (c *catalog) last() *comparison { return c.cases[len(c.cases)-1] }

// eager adds cases of a function that is not lazy, for arrays of several shapes.
func eager[R, T nd.Elem](c *catalog, name, expr string, ulps float64, f func(a *nd.Array[T]) *nd.Array[R]) {
	for _, shape := range [][]int{{3, 4, 5}, {2, 0, 3}, {1, 6}} {
		a, x := array[T](c.suite, shape...)
		from(c, name, expr, ulps, func() *nd.Array[R] { return f(a) }, x)
		x.Axes = make([]int, len(shape))
		for i := range shape {
			x.Axes[i] = len(shape) - 1 - i
		}
		from(c, name, expr, ulps, func() *nd.Array[R] { return f(a.T()) }, x)
	}
}

// plus0 replaces negative zeros by positive ones, where either is right; the case's expression does so with "+ 0".
func plus0[T nd.Real](a *nd.Array[T]) *nd.Array[T] { return a.AddScalar(num[T](0)) }

// num returns a small number in a type.
func num[T nd.Elem](v float64) T { return nd.AsType[T](nd.Scalar(v)).Item() }
