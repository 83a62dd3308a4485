package arrays

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// Operations with vectors give the bits of those without, at any length, for all pairs of numbers at which they could differ.
func TestVectors(t *testing.T) {
	compareVectors(t, float32s, plain32, math.MaxFloat32, math.SmallestNonzeroFloat32, func(v float32) uint64 { return uint64(math.Float32bits(v)) })
	compareVectors(t, float64s, plain64, math.MaxFloat64, math.SmallestNonzeroFloat64, func(v float64) uint64 { return math.Float64bits(v) })
}

func compareVectors[T real](t *testing.T, vectors, plain map[string]fn, largest, smallest T, bits func(T) uint64) {
	t.Helper()
	edges := []T{0, 1, 2.5, 3.5, 0.5, 1 << 22, 1<<23 + 1, largest, smallest, T(math.Inf(1)), T(math.NaN())}
	for _, v := range edges {
		edges = append(edges, -v)
	}
	var a, b []T
	for _, x := range edges {
		for _, y := range edges {
			a, b = append(a, x), append(b, y)
		}
	}
	for _, op := range []string{"Add", "Sub", "Mul", "Div", "Maximum", "Minimum", "Square", "sqrt", "Rsqrt", "Reciprocal", "Abs", "Neg", "floor", "ceil", "trunc", "rint"} {
		for _, n := range []int{1, 3, 4, 7, 8, 9, 31, 32, 33, 70, len(a)} {
			got, want := make([]T, n+1), make([]T, n+1)
			got[n], want[n] = 7, 7
			vectors[op](unsafe.Pointer(&got[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), nil, n)
			plain[op](unsafe.Pointer(&want[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), nil, n)
			for i, w := range want {
				if g := got[i]; bits(g) != bits(w) && (g == g || w == w) {
					t.Errorf("%s of %T %v and %v, number %d of %d, is %v, want %v", op, w, a[min(i, n-1)], b[min(i, n-1)], i, n, g, w)
				}
			}
		}
	}
}

// So do those of integers.
func TestVectorsOfIntegers(t *testing.T) {
	compareIntegers[int32](t, []int32{0, 1, -1, 7, -100, math.MaxInt32, math.MinInt32})
	compareIntegers[uint32](t, []uint32{0, 1, 7, 100, math.MaxInt32, math.MaxUint32})
	compareIntegers[int64](t, []int64{0, 1, -1, 7, -100, math.MaxInt64, math.MinInt64, 1 << 33})
	compareIntegers[uint64](t, []uint64{0, 1, 7, 100, math.MaxInt64, math.MaxUint64, 1 << 33})
	compareIntegers[uint8](t, []uint8{0, 1, 7, 100, 128, 255})
	compareIntegers[int16](t, []int16{0, 1, -1, 7, -100, math.MaxInt16, math.MinInt16})
}

func compareIntegers[T integer](t *testing.T, edges []T) {
	t.Helper()
	var a, b []T
	for _, x := range edges {
		for _, y := range edges {
			a, b = append(a, x), append(b, y)
		}
	}
	vectors, plain := integers[T](), plainIntegers[T]()
	for _, op := range []string{"Add", "Sub", "Mul", "And", "Or", "Xor", "Maximum", "Minimum", "Square"} {
		for n := 1; n <= len(a); n++ {
			got, want := make([]T, n+1), make([]T, n+1)
			vectors[op](unsafe.Pointer(&got[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), nil, n)
			plain[op](unsafe.Pointer(&want[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), nil, n)
			if !slices.Equal(got, want) {
				t.Errorf("%s of %d %Ts gives %v, want %v", op, n, want[0], got, want)
			}
		}
	}
}

// Comparisons with vectors hold for the same pairs as those without.
func TestComparisons(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	compareComparisons(t, float32s, plain32, []float32{0, 1, -1, 2.5, float32(nan), float32(inf), -float32(inf), float32(math.Copysign(0, -1))})
	compareComparisons(t, float64s, plain64, []float64{0, 1, -1, 1 << 40, nan, inf, -inf, math.Copysign(0, -1)})
	compareComparisons(t, integers[int32](), plainIntegers[int32](), []int32{0, 1, -1, 7, math.MaxInt32, math.MinInt32})
	compareComparisons(t, integers[uint32](), plainIntegers[uint32](), []uint32{0, 1, 7, math.MaxInt32, math.MaxUint32})
	compareComparisons(t, integers[int64](), plainIntegers[int64](), []int64{0, 1, -1, 1 << 32, 1<<32 + 1, math.MaxInt64, math.MinInt64})
	compareComparisons(t, integers[uint64](), plainIntegers[uint64](), []uint64{0, 1, 1 << 32, 1<<32 + 1, math.MaxInt64, math.MaxUint64})
}

func compareComparisons[T number](t *testing.T, vectors, plain map[string]fn, edges []T) {
	t.Helper()
	var a, b []T
	for _, x := range edges {
		for _, y := range edges {
			a, b = append(a, x), append(b, y)
		}
	}
	for _, op := range []string{"Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "IsNaN"} {
		if plain[op] == nil {
			continue
		}
		for n := 1; n <= len(a); n++ {
			got, want := make([]bool, n+1), make([]bool, n+1)
			vectors[op](unsafe.Pointer(&got[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), nil, n)
			plain[op](unsafe.Pointer(&want[0]), unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), nil, n)
			if !slices.Equal(got, want) {
				t.Errorf("%s of %v and %v, %d pairs, gives %v, want %v", op, a[:n], b[:n], n, got, want)
			}
		}
	}
}

// Conversions with vectors give what those without do.
func TestConversions(t *testing.T) {
	floats := []float32{0, 1.5, -1.5, 1 << 30, 1<<31 - 128, 1 << 31, -1 << 31, -1 << 40, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0x1p-149, 7.99}
	compareConversions(t, expression.Float32, expression.Float64, floats, convert[float32, float64], float64(0))
	compareConversions(t, expression.Float32, expression.Int32, floats, unary(saturated), int32(0))
	doubles := []float64{0, 1 / 3.0, -1e300, 1e-320, 0x1p-149, math.Inf(1), math.NaN(), 1<<24 + 1, 1<<25 + 2, -7}
	compareConversions(t, expression.Float64, expression.Float32, doubles, convert[float64, float32], float32(0))
	whole := []int32{0, 1, -1, math.MaxInt32, math.MinInt32, 1<<24 + 1, 1<<24 + 3, 12345, 7}
	compareConversions(t, expression.Int32, expression.Float32, whole, convert[int32, float32], float32(0))
	compareConversions(t, expression.Int32, expression.Float64, whole, convert[int32, float64], float64(0))
	compareConversions(t, expression.Uint8, expression.Float32, []uint8{0, 1, 127, 128, 255, 3, 4, 5, 6, 7}, convert[uint8, float32], float32(0))
}

func compareConversions[F, T number](t *testing.T, from, to expression.Type, in []F, plain fn, _ T) {
	t.Helper()
	in = append(in, in...)
	vectors := cast(to, from)
	for n := 1; n <= len(in); n++ {
		got, want := make([]T, n+1), make([]T, n+1)
		vectors(unsafe.Pointer(&got[0]), unsafe.Pointer(&in[0]), nil, nil, n)
		plain(unsafe.Pointer(&want[0]), unsafe.Pointer(&in[0]), nil, nil, n)
		for i, w := range want {
			if g := got[i]; g != w && (g == g || w == w) {
				t.Errorf("number %d of %d, %v, is %v as %T, want %v", i, n, in[min(i, n-1)], g, w, w)
			}
		}
	}
}

// Folds of any number of values are those of the values one by one.
func TestFolders(t *testing.T) {
	x := make([]float32, 100)
	for i := range x {
		x[i] = float32(i*37%101) - 50
	}
	for _, nan := range []int{-1, 0, 13, 99} {
		values := append([]float32(nil), x...)
		if nan >= 0 {
			values[nan] = float32(math.NaN())
		}
		for n := 1; n <= len(values); n++ {
			sum, least, at := 0.0, values[0], 0
			for i, v := range values[:n] {
				sum += float64(v)
				if v < least || v != v && least == least {
					least, at = v, i
				}
			}
			e := extremes[float32]{least: true}
			if got := sumOf[float32, float64](values[:n]); got != sum && (got == got || sum == sum) {
				t.Errorf("sum of %d values is %v, want %v", n, got, sum)
			}
			if got := e.best(values[:n]); got != least && (got == got || least == least) {
				t.Errorf("minimum of %d values is %v, want %v", n, got, least)
			}
			if _, got := e.first(values[:n]); got != at {
				t.Errorf("index of the minimum of %d values is %d, want %d", n, got, at)
			}
		}
	}
}

// Sums of several rows at once are those of the rows one by one.
func TestSumsOfRows(t *testing.T) {
	for _, count := range []int{16, 24, 25, 40, 64, 200} {
		for n := range 6 {
			x, got, want := make([]float32, n*count), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = float32(i*37%101)/3 - 16
			}
			for k := range n {
				got[k], want[k] = float64(k), float64(k)+sumOf[float32, float64](x[k*count:][:count])
			}
			sums[float32, float64]{}.rows(pointer(unsafe.SliceData(got)), pointer(unsafe.SliceData(x)), n, count, 0)
			if !slices.Equal(got, want) {
				t.Errorf("sums of %d rows of %d are %v, want %v", n, count, got, want)
			}
		}
	}
}
