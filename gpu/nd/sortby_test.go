package nd_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestSortBy compares values in the order of keys of all types with those that a stable sort of Go makes.
func TestSortBy(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	sortByKeys[bool](t, r)
	sortByKeys[int8](t, r)
	sortByKeys[uint8](t, r)
	sortByKeys[int16](t, r)
	sortByKeys[uint16](t, r)
	sortByKeys[int32](t, r)
	sortByKeys[uint32](t, r)
	sortByKeys[int64](t, r)
	sortByKeys[uint64](t, r)
	sortByKeys[nd.Float16](t, r)
	sortByKeys[nd.BFloat16](t, r)
	sortByKeys[float32](t, r)
	sortByKeys[float64](t, r)
	sortByKeys[complex64](t, r)
	sortByKeys[complex128](t, r)
}

func sortByKeys[K nd.Elem](t *testing.T, r *rand.Rand) {
	sortBy[uint8, K](t, r)
	sortBy[nd.Float16, K](t, r)
	sortBy[float32, K](t, r)
	sortBy[int64, K](t, r)
	sortBy[complex64, K](t, r)
	sortBy[complex128, K](t, r)
	sortBy[bool, K](t, r)
}

// sortBy compares arrays of few and of many tiles, rows and columns, views and expressions.
func sortBy[V, K nd.Elem](t *testing.T, r *rand.Rand) {
	t.Helper()
	shapes := [][]int{{0}, {1}, {2, 0}, {r.IntN(600)}, {9000 + r.IntN(9000)}, {1 + r.IntN(5), 1 + r.IntN(300)}, {300, 3, 2}}
	for i, shape := range shapes {
		axis := r.IntN(len(shape))
		size := 1
		for _, n := range shape {
			size *= n
		}
		values, keys := nd.FromSlice(bitsOf[V](r, size), shape...), nd.FromSlice(keysOf[K](r, size, i%2 == 0), shape...)
		if i == 5 { // views
			values, keys = values.Flip(0), keys.Flip(0)
		}
		name := fmt.Sprintf("%v by %v, shape %v, axis %d", values.DType(), keys.DType(), shape, axis)
		got := nd.SortBy(values, keys, axis-len(shape)*r.IntN(2))
		if !slices.Equal(got.Shape(), shape) {
			t.Fatalf("%s: the shape is %v", name, got.Shape())
		}
		want := rowwise(values.MoveAxis(axis, -1).ToHost(), keys.MoveAxis(axis, -1).ToHost(), shape[axis])
		sameBits(t, name, got.MoveAxis(axis, -1).ToHost(), want)
		if len(shape) == 1 && keys.Size() > 0 {
			sameBits(t, name+" as Argsort", got.ToHost(), nd.Take(values, nd.Argsort(keys)).ToHost())
		}
	}
}

// rowwise sorts each row of values by the keys.
func rowwise[V, K nd.Elem](values []V, keys []K, row int) []V {
	var out []V
	for at := 0; at < len(values); at += row {
		order := make([]int, row)
		for i := range order {
			order[i] = at + i
		}
		slices.SortStableFunc(order, func(i, j int) int { return compareKeys(keys[i], keys[j]) })
		for _, i := range order {
			out = append(out, values[i])
		}
	}
	return out
}

// compareKeys has the order of Sort.
func compareKeys[K nd.Elem](a, b K) int {
	switch a := any(a).(type) {
	case bool:
		return cmp.Compare(truth(a), truth(any(b).(bool)))
	case complex64:
		return compareComplex(complex128(a), complex128(any(b).(complex64)))
	case complex128:
		return compareComplex(a, any(b).(complex128))
	case int64:
		return cmp.Compare(a, any(b).(int64))
	case uint64:
		return cmp.Compare(a, any(b).(uint64))
	}
	return compareFloats(floatOf(a), floatOf(b))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compareFloats(a, b float64) int {
	if n := cmp.Compare(truth(a != a), truth(b != b)); n != 0 || a != a {
		return n
	}
	return cmp.Compare(a, b)
}

func compareComplex(a, b complex128) int {
	nans := func(v complex128) int { return truth(imag(v) != imag(v)) + 2*truth(real(v) != real(v)) }
	return cmp.Or(cmp.Compare(nans(a), nans(b)), compareFloats(real(a), real(b)), compareFloats(imag(a), imag(b)))
}

func floatOf[K nd.Elem](v K) float64 {
	switch v := any(v).(type) {
	case int8:
		return float64(v)
	case uint8:
		return float64(v)
	case int16:
		return float64(v)
	case uint16:
		return float64(v)
	case int32:
		return float64(v)
	case uint32:
		return float64(v)
	case nd.Float16:
		return float64(v.Float32())
	case nd.BFloat16:
		return float64(v.Float32())
	case float32:
		return float64(v)
	case float64:
		return v
	}
	panic("no number")
}

// bitsOf returns elements of any bits, and bools.
func bitsOf[T nd.Elem](r *rand.Rand, n int) []T {
	list := make([]T, n)
	if n == 0 {
		return list
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&list[0])), n*int(unsafe.Sizeof(list[0])))
	_, isBool := any(list[0]).(bool)
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
		if isBool {
			bytes[i] &= 1
		}
	}
	return list
}

// keysOf returns keys of any bits, some of which are equal, or special numbers: zeros of both signs, infinite ones and NaNs.
func keysOf[T nd.Elem](r *rand.Rand, n int, special bool) []T {
	list := bitsOf[T](r, n)
	if nd.DTypeOf[T]() == nd.Bool {
		return list
	}
	few := nd.AsType[T](nd.FromSlice([]float64{0, 1, 2, 3, 100})).ToHost()
	switch nd.DTypeOf[T]() {
	case nd.F16, nd.BF16, nd.F32, nd.F64, nd.C64, nd.C128:
		inf, nan := math.Inf(1), math.NaN()
		few = nd.AsType[T](nd.FromSlice([]float64{0, math.Copysign(0, -1), 1, -1, inf, -inf, nan, math.Copysign(nan, -1), 0x1p-149})).ToHost()
		few = append(few, nd.AsType[T](nd.FromSlice([]complex128{complex(1, nan), complex(nan, 1), complex(math.Copysign(0, -1), -1), complex(0, math.Copysign(0, -1))})).ToHost()...)
	}
	for i := range list {
		if special || r.IntN(3) == 0 {
			list[i] = few[r.IntN(len(few))]
		}
	}
	return list
}

func sameBits[T nd.Elem](t *testing.T, name string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: there are %d values, want %d", name, len(got), len(want))
	}
	for i := range got {
		size := unsafe.Sizeof(got[i])
		a := unsafe.Slice((*byte)(unsafe.Pointer(&got[i])), size)
		b := unsafe.Slice((*byte)(unsafe.Pointer(&want[i])), size)
		if !slices.Equal(a, b) {
			t.Fatalf("%s: value %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

// Long rows are sorted one by one.
func TestSortByLongRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const row = 1<<20 + 5
	values, keys := bitsOf[uint16](r, 2*row), bitsOf[uint8](r, 2*row)
	got := nd.SortBy(nd.FromSlice(values, 2, row), nd.FromSlice(keys, 2, row))
	sameBits(t, "two long rows", got.ToHost(), rowwise(values, keys, row))
}

// Operands may be constants, expressions and the same array.
func TestSortByOperands(t *testing.T) {
	a := nd.FromSlice([]float32{3, 1, 2})
	for name, c := range map[string]struct {
		got  *nd.Array[float32]
		want string
	}{
		"itself":            {nd.SortBy(a, a), "[1 2 3]"},
		"an expression":     {nd.SortBy(a.MulScalar(2), a.Neg()), "[6 4 2]"},
		"constant keys":     {nd.SortBy(a, nd.Zeros[int8](3)), "[3 1 2]"},
		"broadcast keys":    {nd.SortBy(a, nd.Scalar(int32(7)).BroadcastTo(3)), "[3 1 2]"},
		"broadcast values":  {nd.SortBy(nd.Scalar(float32(7)).BroadcastTo(3), a), "[7 7 7]"},
		"a column":          {nd.SortBy(a.Reshape(3, 1), a.Reshape(3, 1), 0).Reshape(3), "[1 2 3]"},
		"rows of one":       {nd.SortBy(a.Reshape(3, 1), a.Reshape(3, 1)).Reshape(3), "[3 1 2]"},
		"bools":             {nd.SortBy(a, a.GreaterScalar(1)), "[1 3 2]"},
		"descending by Neg": {nd.SortBy(a, a.Neg()), "[3 2 1]"},
	} {
		if got := fmt.Sprint(c.got.ToHost()); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := fmt.Sprint(a.ToHost()); got != "[3 1 2]" {
		t.Errorf("the operand has become %s", got)
	}
}

func TestSortByRefuses(t *testing.T) {
	a := nd.Zeros[float32](2, 3)
	for want, f := range map[string]func(){
		"nd.SortBy: the keys of shape (2,) do not go with the values of shape (2, 3)": func() { nd.SortBy(a, nd.Zeros[int8](2)) },
		"nd.SortBy: axis 2 is out of bounds":                                          func() { nd.SortBy(a, a, 2) },
		"nd.SortBy: 2 axes are given":                                                 func() { nd.SortBy(a, a, 0, 1) },
		"nd.SortBy: the array is nil":                                                 func() { nd.SortBy(a, (*nd.Array[int8])(nil)) },
		"nd.SortBy: axis -1 is out of bounds":                                         func() { nd.SortBy(nd.Scalar(1.5), nd.Scalar(1)) },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// The gradient goes to the values at their places, also for derivatives of higher order; the keys are constants.
func TestSortByGradient(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	keys := nd.FromSlice([]int32{5, 1, 3, 0, 9, 0}, 2, 3)
	weights := nd.FromSlice([]float64{1, 10, 100, 1000, 10_000, 100_000}, 2, 3)
	f := func(x matrix) matrix { return nd.SortBy(x, keys, 1).Square().Mul(weights).Sum() }
	got := nd.Grad(f)(x).ToHost()
	// The sorted rows are 2 3 1 and 4 6 5.
	if want := []float64{2 * 1 * 100, 2 * 2 * 1, 2 * 3 * 10, 2 * 4 * 1000, 2 * 5 * 100_000, 2 * 6 * 10_000}; !slices.Equal(got, want) {
		t.Errorf("the gradient is %v, want %v", got, want)
	}
	second := nd.Grad(func(x matrix) matrix { return nd.Grad(f)(x).Mul(x).Sum() })(x).ToHost()
	for i, v := range got {
		if second[i] != 2*v {
			t.Errorf("the gradient of the gradient's product with x is %v, want twice %v", second, got)
			break
		}
	}
	own := nd.Grad(func(x matrix) matrix { return nd.SortBy(x, x.Neg(), 0).Mul(weights).Sum() })(x).ToHost()
	if want := []float64{1000, 10_000, 100_000, 1, 10, 100}; !slices.Equal(own, want) {
		t.Errorf("sorted by itself, the gradient is %v, want %v", own, want)
	}
	written := nd.Grad(func(x matrix) matrix {
		by := keys.Copy()
		y := nd.SortBy(x, by, 1)
		by.Fill(0)
		return y.Square().Mul(weights).Sum()
	})(x).ToHost()
	if !slices.Equal(written, got) {
		t.Errorf("with keys that are written later the gradient is %v, want %v", written, got)
	}
}
