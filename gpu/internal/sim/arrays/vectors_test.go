package arrays

import (
	"math"
	"slices"
	"testing"
	"unsafe"
)

// Operations with vectors give the bits of those without, at any length, for all pairs of numbers at which they could differ.
func TestVectors(t *testing.T) {
	compareVectors(t, float32s, plain32, math.MaxFloat32, math.SmallestNonzeroFloat32, func(v float32) uint64 { return uint64(math.Float32bits(v)) })
	compareVectors(t, float64s, plain64, math.MaxFloat64, math.SmallestNonzeroFloat64, func(v float64) uint64 { return math.Float64bits(v) })
}

func compareVectors[T real](t *testing.T, vectors, plain map[string]fn, largest, smallest T, bits func(T) uint64) {
	t.Helper()
	edges := []T{0, 1, 2.5, largest, smallest, T(math.Inf(1)), T(math.NaN())}
	for _, v := range edges {
		edges = append(edges, -v)
	}
	var a, b []T
	for _, x := range edges {
		for _, y := range edges {
			a, b = append(a, x), append(b, y)
		}
	}
	for _, op := range []string{"Add", "Sub", "Mul", "Div", "Maximum", "Minimum", "Square", "sqrt", "Rsqrt", "Reciprocal"} {
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
