package verify

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// guard is the length of the guard zones before and after an array, in elements. It is the maximum block size, since a kernel without a
// bounds check exceeds the array by less than a block.
const guard = 1024

// Output returns a buffer of n elements for the kernel to write. want returns the right value of element i; it is called after the kernel
// has run. Output panics with an *gpu.Error if the device is out of memory or cannot be used.
//
// Integers must be equal. Floating-point numbers may differ by a few rounding errors of a number as large as the element, or 1 if that is
// larger (inputs are at most 1): compute want in float64. Terms allows more rounding errors.
func Output[T, W Number](c *Case, n int, want func(i int) W, opts ...OutputOption) *gpu.Buffer[T] {
	b := gpu.Alloc[T](n + 2*guard)
	if err := watch(c, b, b.Free, n, want, opts...); err != nil {
		panic(err)
	}
	return b.Slice(guard, guard+n)
}

// Input returns a buffer with a copy of s, which the kernel must not change. It panics with an *gpu.Error if the device is out of memory
// or cannot be used.
func Input[T Number](c *Case, s []T) *gpu.Buffer[T] {
	b := gpu.Alloc[T](len(s) + 2*guard)
	if err := keep(c, b, b.Free, s); err != nil {
		panic(err)
	}
	return b.Slice(guard, guard+len(s))
}

// An OutputOption changes how an output is checked.
type OutputOption func(*outputOptions)

type outputOptions struct {
	terms  int
	scale  float64
	shared string
	table  table
	scan   bool
	exact  bool
	parts  []float64 // the prefix sums of the terms of a total
}

// table is the shape of an output with rows, and of the blocks that cover it.
type table struct{ columns, blockX, blockY int }

// Terms declares that each element is the sum of about n terms, and so has n rounding errors. The tolerance grows with the square root of
// n, as the sum of rounding errors of either sign does.
func Terms(n int) OutputOption { return func(o *outputOptions) { o.terms = n } }

// Exact requires each number to be right to the last bit: nothing in it is rounded.
func Exact() OutputOption { return func(o *outputOptions) { o.exact = true } }

// Shared declares that all threads write to all elements, as to the bins of a histogram; what is the name of an element in messages.
// Without it thread i of the launch owns element i.
func Shared(what string) OutputOption { return func(o *outputOptions) { o.shared = what } }

// Table declares that the output is a table in row-major order with that many columns, covered by blocks of blockX × blockY threads, of
// which each owns the element at its column and row. If threads own several elements, blockX and blockY are 0.
func Table(columns, blockX, blockY int) OutputOption {
	return func(o *outputOptions) { o.table = table{columns, blockX, blockY} }
}

// Scan declares that each element is the sum of the inputs up to it, or of those before it, so that typical mistakes of scans are
// recognized.
func Scan() OutputOption { return func(o *outputOptions) { o.scan = true } }

// Total declares that the only element is the sum of these terms. They determine the tolerance for rounding errors, and whether a wrong
// element is the sum of some of them.
func Total[T Number](terms []T) OutputOption {
	return func(o *outputOptions) {
		o.terms, o.parts = len(terms), make([]float64, len(terms)+1)
		squares := 0.0
		for i, x := range terms {
			o.parts[i+1] = o.parts[i] + float64(x)
			squares += float64(x) * float64(x)
		}
		// The partial sums are about that far from zero if signs are random.
		o.scale = math.Sqrt(squares)
	}
}

// memory is the memory of a watched array, including the guard zones: a *gpu.Buffer.
type memory[T Number] interface {
	CopyFrom([]T) error
	CopyTo([]T) error
}

// watched is an array between guard zones, and its expected contents.
type watched[T Number] struct {
	mem     memory[T]
	release func() error
	n       int
	block   int
	input   bool
	outside T // value of the guard zones' elements
	options outputOptions
	// judge compares element i; want is for messages.
	judge func(i int, got T) (right, accumulated bool)
	want  func(i int) float64
}

// watch fills mem with poison and makes it an output of the case.
func watch[T, W Number](c *Case, mem memory[T], release func() error, n int, want func(i int) W, opts ...OutputOption) error {
	w := &watched[T]{mem: mem, release: release, n: n, block: c.block, outside: poison[T]()}
	for _, opt := range opts {
		opt(&w.options)
	}
	w.want = func(i int) float64 { return float64(want(i)) }
	if isFloat[T]() {
		most := epsilon[T]() * (2 + 2*math.Sqrt(float64(max(1, w.options.terms))))
		w.judge = func(i int, got T) (right, accumulated bool) {
			x, y := float64(got), float64(want(i))
			if math.IsNaN(x) || math.IsNaN(y) {
				left := sameBits(got, poison[T]())
				return math.IsNaN(x) && math.IsNaN(y) && !left, !left && !math.IsNaN(y)
			}
			if w.options.exact {
				return got == T(want(i)), false
			}
			return x == y || math.Abs(x-y) <= most*max(math.Abs(y), 1, w.options.scale), false
		}
	} else {
		w.judge = func(i int, got T) (right, accumulated bool) {
			y := T(want(i))
			return got == y, got == poison[T]()+y && y != 0
		}
	}
	c.arrays, c.output = append(c.arrays, w), true
	return mem.CopyFrom(between(w.outside, slices.Repeat([]T{poison[T]()}, n)))
}

// keep writes s between guard zones into mem and makes it an input of the case.
func keep[T Number](c *Case, mem memory[T], release func() error, s []T) error {
	w := &watched[T]{mem: mem, release: release, n: len(s), block: c.block, input: true, outside: fence[T]()}
	w.want = func(i int) float64 { return float64(s[i]) }
	w.judge = func(i int, got T) (right, accumulated bool) { return sameBits(got, s[i]), false }
	c.arrays = append(c.arrays, w)
	return mem.CopyFrom(between(w.outside, s))
}

// between returns s between guard zones that are filled with v.
func between[T Number](v T, s []T) []T {
	zone := slices.Repeat([]T{v}, guard)
	return slices.Concat(zone, s, zone)
}

// free ignores the error: there are no other users of the whole buffer, and views of it cannot be freed.
func (w *watched[T]) free() { _ = w.release() }

func (w *watched[T]) observe() (*observation, error) {
	all := make([]T, w.n+2*guard)
	if err := w.mem.CopyTo(all); err != nil {
		return nil, err
	}
	o := &observation{
		n: w.n, block: w.block, input: w.input, float: isFloat[T](),
		shared: w.options.shared, table: w.options.table, scan: w.options.scan, parts: w.options.parts,
		before: touched(all[:guard], w.outside), after: touched(all[guard+w.n:], w.outside),
	}
	values := all[guard : guard+w.n]
	for i, v := range values {
		right, accumulated := w.judge(i, v)
		if right {
			continue
		}
		if o.wrong == nil {
			o.wrong = make([]bool, w.n)
		}
		o.wrong[i] = true
		o.count++
		left := sameBits(v, poison[T]())
		if left {
			o.left++
		}
		if accumulated {
			o.accumulated++
		}
		if len(o.examples) < maxExamples {
			o.examples = append(o.examples, Mismatch{Index: i, Got: text(v), Want: text(T(w.want(i))), Unwritten: left})
		}
	}
	if o.count == 0 && o.before+o.after == 0 {
		return nil, nil
	}
	// Signatures use all values, including right ones.
	o.got, o.want = make([]float64, w.n), make([]float64, w.n)
	o.poison = make([]bool, w.n)
	for i, v := range values {
		o.got[i], o.want[i], o.poison[i] = float64(v), w.want(i), sameBits(v, poison[T]())
	}
	return o, nil
}

// values returns the contents of an input, and nil for outputs.
func (w *watched[T]) values() []float64 {
	if !w.input {
		return nil
	}
	list := make([]float64, w.n)
	for i := range list {
		list[i] = w.want(i)
	}
	return list
}

// touched returns the number of elements of a guard zone that differ from v.
func touched[T Number](zone []T, v T) int {
	n := 0
	for _, x := range zone {
		if !sameBits(x, v) {
			n++
		}
	}
	return n
}

// text formats a number with all significant digits of its type.
func text[T Number](v T) string {
	if isFloat[T]() {
		return strconv.FormatFloat(float64(v), 'g', -1, int(8*unsafe.Sizeof(v)))
	}
	return fmt.Sprint(v)
}
