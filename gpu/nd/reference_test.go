package nd_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/internal/pythontest"
)

// seed is the seed of all random cases.
const seed = 20260

// suite compares arrays with what NumPy computes. Cases are collected first, so that one Python
// process computes all of them and their kernels are compiled together.
type suite struct {
	*rand.Rand
	t     *testing.T
	cases []*comparison
	ready []nd.Operand
}

// input is an array in the form that NumPy gets.
type input struct {
	DType string
	Shape []int
	Data  []byte
	Axes  []int  // to transpose it by, if there are any
	Index string // to slice it by then, if there is any
}

// comparison is one case: NumPy's expression, and the array to compare.
type comparison struct {
	Expr   string
	Inputs []input

	got  func() outcome
	made bool // by got, from arrays that exist
	// ulps is the tolerance of the result, in units in the last place of the wanted number (of the modulus, if it is complex), or of the
	// largest one.
	ulps      float64
	ofLargest bool
	signed    bool // zeros must have the right sign, even where a result has a tolerance
	// Slack, unless empty, is an expression for an additional tolerance of each number of the result.
	Slack string
}

// outcome is an array, or the error in its place.
type outcome struct {
	DType string
	Shape []int
	Data  []byte
	Slack []byte // numbers, where the case has an expression for it
	Error string
}

func newSuite(t *testing.T) *suite {
	return &suite{Rand: rand.New(rand.NewPCG(seed, uint64(len(t.Name())))), t: t}
}

// expect adds a case whose array is an expression.
func expect[T nd.Elem](s *suite, expr string, ulps float64, got *nd.Array[T], inputs ...input) {
	s.ready = append(s.ready, got)
	expectFrom(s, expr, ulps, func() *nd.Array[T] { return got }, inputs...)
	s.cases[len(s.cases)-1].made = false
}

// expectFrom adds a case whose array is made when it is compared; it may panic.
func expectFrom[T nd.Elem](s *suite, expr string, ulps float64, got func() *nd.Array[T], inputs ...input) {
	s.cases = append(s.cases, &comparison{Expr: expr, Inputs: inputs, ulps: ulps, made: true, got: func() (o outcome) {
		err := nd.Try(func() {
			a := got()
			host := a.ToHost()
			o = outcome{DType: a.DType().String(), Shape: a.Shape()}
			if len(host) > 0 {
				o.Data = unsafe.Slice((*byte)(unsafe.Pointer(&host[0])), a.Bytes())
			}
		})
		if err != nil {
			o.Error = err.Error()
		}
		return o
	}})
}

// run computes and compares all cases.
func (s *suite) run() {
	s.t.Helper()
	interpreter := pythontest.Find(s.t, "numpy")
	compiled := nd.Stats().Compilations
	nd.Prepare(s.ready...)
	nd.Rehearse(func() {
		if splits() {
			return // what devices exchange cannot be left out
		}
		for _, c := range s.cases {
			if c.made {
				c.got()
			}
		}
	})
	var in, problems bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, c := range s.cases {
		if err := enc.Encode(c); err != nil {
			s.t.Fatal(err)
		}
	}
	cmd := exec.Command(interpreter, "testdata/reference.py")
	cmd.Stdin, cmd.Stderr = &in, &problems
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%v\n%s", err, &problems)
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	failed := 0
	for _, c := range s.cases {
		var want outcome
		if err := dec.Decode(&want); err != nil {
			s.t.Fatal(err)
		}
		got := c.got()
		if splits() && (strings.Contains(got.Error, "cannot be written") || strings.Contains(c.Expr, "strides") || strings.Contains(c.Expr, "contiguous")) {
			continue // split arrays are not written, and their parts have strides of their own
		}
		if msg := c.compare(got, want); msg != "" {
			if failed++; failed <= 20 {
				s.t.Errorf("%s of %s: %s", c.Expr, describe(c.Inputs), msg)
			}
		}
	}
	s.t.Logf("%d cases with seed %d, %d wrong; %d kernels compiled", len(s.cases), seed, failed, nd.Stats().Compilations-compiled)
}

func describe(inputs []input) string {
	var list []string
	for _, i := range inputs {
		list = append(list, fmt.Sprintf("%s%v.T%v[%s]", i.DType, i.Shape, i.Axes, i.Index))
	}
	return strings.Join(list, ", ")
}

func (c *comparison) compare(got, want outcome) string {
	switch {
	case (got.Error != "") != (want.Error != ""):
		return fmt.Sprintf("got error %q, want %q", got.Error, want.Error)
	case want.Error != "":
		return ""
	case got.DType != want.DType || !slices.Equal(got.Shape, want.Shape):
		return fmt.Sprintf("got %s %v, want %s %v", got.DType, got.Shape, want.DType, want.Shape)
	case bytes.Equal(got.Data, want.Data):
		return ""
	}
	g, w := floats(got), floats(want)
	if g == nil {
		return fmt.Sprintf("got %v, want %v", integers(got), integers(want))
	}
	complex := strings.HasPrefix(want.DType, "complex")
	largest := 0.0
	for _, v := range w {
		if !math.IsInf(v, 0) {
			largest = max(largest, math.Abs(v))
		}
	}
	slack := floats(outcome{DType: "float64", Data: want.Slack})
	for i := range w {
		scale := math.Abs(w[i])
		if complex && !math.IsInf(w[i^1], 0) { // of its modulus: one part may be what is left of large numbers
			scale = math.Hypot(w[i], w[i^1])
		}
		if c.ofLargest {
			scale = largest
		}
		p := precision[want.DType]
		far := c.ulps * max(scale*p[0], p[1])
		if slack != nil {
			far += slack[i]
		}
		if !near(g[i], w[i], far, c.ulps > 0 && !c.signed) {
			return fmt.Sprintf("number %d of %d is %v, want %v", i, len(w), g[i], w[i])
		}
	}
	return ""
}

// precision is the distance of 1 to the next number, and the smallest number.
var precision = map[string][2]float64{
	"float16": {0x1p-10, 0x1p-24}, "bfloat16": {0x1p-7, 0x1p-133},
	"float32": {0x1p-23, 0x1p-149}, "complex64": {0x1p-23, 0x1p-149},
	"float64": {0x1p-52, 0x1p-1074}, "complex128": {0x1p-52, 0x1p-1074},
}

// near reports whether the difference of two numbers is at most far. Infinite ones must be equal, and zeros of different signs are if
// anyZero is set.
func near(got, want, far float64, anyZero bool) bool {
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case got == want:
		return anyZero || math.Signbit(got) == math.Signbit(want)
	case math.IsInf(got, 0), math.IsInf(want, 0):
		return false
	}
	return math.Abs(got-want) <= far
}

// floats returns the numbers of an array of floating-point or complex numbers, else nil.
func floats(o outcome) []float64 {
	var list []float64
	for data := o.Data; len(data) > 0; {
		switch o.DType {
		case "float16":
			list = append(list, float64(nd.Float16(binary.LittleEndian.Uint16(data)).Float32()))
			data = data[2:]
		case "float32", "complex64":
			list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
			data = data[4:]
		case "float64", "complex128":
			list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(data)))
			data = data[8:]
		default:
			return nil
		}
	}
	return list
}

// integers returns the elements of an array of integers.
func integers(o outcome) []int64 {
	size := len(o.Data)
	for _, n := range o.Shape {
		size /= max(n, 1)
	}
	var list []int64
	for data := o.Data; len(data) > 0 && size > 0; data = data[size:] {
		var word [8]byte
		copy(word[:], data[:size])
		list = append(list, int64(binary.LittleEndian.Uint64(word[:])))
	}
	return list
}

// values returns random numbers of a type, edges among them.
func values[T nd.Elem](s *suite, n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = value[T](s)
	}
	return list
}

func value[T nd.Elem](s *suite) (v T) {
	edge := s.IntN(4) == 0
	switch p := any(&v).(type) {
	case *bool:
		*p = s.IntN(2) == 0
	case *nd.Float16:
		*p = nd.Float16(halfOf(s, edge))
	case *float32:
		*p = float32(number(s, edge, math.MaxFloat32, 0x1p-149))
	case *float64:
		*p = number(s, edge, math.MaxFloat64, 0x1p-1074)
	case *complex64:
		*p = complex(float32(s.NormFloat64()), float32(s.NormFloat64()))
	case *complex128:
		*p = complex(s.NormFloat64(), s.NormFloat64())
	default:
		memory := unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], s.Uint64())
		if edge { // around 0 and around the sign
			binary.LittleEndian.PutUint64(word[:], uint64(s.IntN(7)-3))
			if s.IntN(3) == 0 {
				word[len(memory)-1] ^= 0x80
			}
		}
		copy(memory, word[:])
	}
	return v
}

func number(s *suite, edge bool, most, least float64) float64 {
	if !edge {
		return s.NormFloat64() * math.Pow(10, float64(s.IntN(4)))
	}
	list := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, math.Inf(1), math.Inf(-1), math.NaN(), most, -most, least, -least, 3 * least, 1.5, 2.5}
	return list[s.IntN(len(list))]
}

func halfOf(s *suite, edge bool) uint16 {
	if !edge {
		return uint16(0x3000 + s.IntN(0x1800) | s.IntN(2)<<15)
	}
	list := []uint16{0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 1, 3, 0x8001}
	return list[s.IntN(len(list))]
}

// array returns a random array, for both sides.
func array[T nd.Elem](s *suite, shape ...int) (*nd.Array[T], input) {
	size := 1
	for _, n := range shape {
		size *= n
	}
	return given(values[T](s, size), shape...)
}

// given returns an array of those elements, for both sides.
func given[T nd.Elem](host []T, shape ...int) (*nd.Array[T], input) {
	if shape == nil {
		shape = []int{}
	}
	in := input{DType: nd.DTypeOf[T]().String(), Shape: shape}
	if len(host) > 0 {
		in.Data = unsafe.Slice((*byte)(unsafe.Pointer(&host[0])), len(host)*int(unsafe.Sizeof(host[0])))
	}
	if len(shape) == 0 {
		return spread(nd.FromSlice(host, 1).Reshape()), in
	}
	return spread(nd.FromSlice(host, shape...)), in
}

// splits reports whether the environment asks for the same tests with split arrays.
func splits() bool { return os.Getenv("GOPHERWARP_SHARDS") != "" }

// spread returns the array, split over all devices like the current one if splits says so.
func spread[T nd.Elem](a *nd.Array[T]) *nd.Array[T] {
	switch rank := a.NDim(); {
	case !splits():
		return a
	case rank == 0:
		return nd.Replicate(a)
	default:
		return nd.Shard(a, a.Size()%rank)
	}
}

// view returns a random view of a random array, for both sides. It is broadcast to the given shape by arithmetic with an array of that
// shape.
func view[T nd.Elem](s *suite, target []int) (*nd.Array[T], input) {
	drop := 0
	if s.IntN(3) == 0 {
		drop = s.IntN(len(target) + 1)
	}
	var shape []int
	var index []string
	for _, n := range target[drop:] {
		if n != 1 && s.IntN(5) == 0 {
			n = 1
		}
		switch s.IntN(6) {
		case 0: // a part
			shape, index = append(shape, n+3), append(index, fmt.Sprintf("2:%d", n+2))
		case 1: // every second
			shape, index = append(shape, 2*n), append(index, "::2")
		case 2: // backwards
			shape, index = append(shape, n), append(index, "::-1")
		case 3: // one of them, repeated, or a new axis
			if n == 1 {
				index = append(index, "None")
				break
			}
			shape, index = append(shape, n+1), append(index, "1:")
		default:
			shape, index = append(shape, n), append(index, ":")
		}
	}
	axes := s.Perm(len(shape))
	if s.IntN(2) == 0 {
		slices.Sort(axes)
	}
	base := make([]int, len(shape))
	for i, axis := range axes {
		base[axis] = shape[i]
	}
	a, in := array[T](s, base...)
	in.Axes = axes
	if len(axes) > 0 {
		a = a.Transpose(axes...)
	}
	if len(index) > 0 {
		in.Index = strings.Join(index, ", ")
		a = a.Slice(nd.Idx(in.Index)...)
	}
	return spread(a), in
}

// shape returns a random shape of up to that many axes; lengths of 0 and 1 are among them.
func (s *suite) shape(rank int) []int {
	shape := make([]int, s.IntN(rank+1))
	for i := range shape {
		switch s.IntN(12) {
		case 0:
			shape[i] = 1
		case 1:
			shape[i] = s.IntN(2)
		default:
			shape[i] = 1 + s.IntN(6)
		}
	}
	if len(shape) > 0 && s.IntN(4) == 0 {
		shape[len(shape)-1] = 8 + s.IntN(40)
	}
	return shape
}
