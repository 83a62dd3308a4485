package random

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/philox"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/fresh"
)

// Generator makes arrays of random numbers. Several goroutines may use it at once; which of them gets which numbers is then undefined.
type Generator struct {
	seed  uint64
	calls atomic.Uint32
}

// New returns a generator with that seed. Two with the same seed give the same numbers for the same requests.
func New(seed uint64) *Generator { return &Generator{seed: seed} }

// Stream returns the generator's next request in plain Go: its numbers are those of the array that the next call of a function would have
// made.
//
//	host := random.New(7).Stream()
//	x := random.Random[float32](random.New(7), 100) // element i is host.Float32(i)
func (g *Generator) Stream() Stream {
	if g == nil {
		fail("Stream", "the generator is nil: make one with random.New(seed)")
	}
	return Stream{g.seed, g.calls.Add(1) - 1}
}

func fail(op, format string, args ...any) {
	panic(&nd.Error{Op: "random." + op, Msg: fmt.Sprintf(format, args...)})
}

// distribution is a distribution that a kernel draws from.
type distribution uint8

const (
	uniform distribution = iota
	normal
	exponential
	integers
	chosen
	poissonDistributed
	permuted
)

// groups returns the number of groups of elements that a thread makes. It is one where some take longer than others.
func (d distribution) groups() int {
	switch d {
	case poissonDistributed, permuted:
		return 1
	}
	return 4
}

// params are the parameters of a kernel, with the layout of the C struct.
type params struct {
	N          uint64
	Low, Range uint64
	Least      uint64 // lower halves of products with Range below this one are rejected
	P          [7]float64
	Keys       [20]uint32 // of the rounds
	Call       uint32
	_          uint32
}

// kernelKey has everything that the text of a kernel depends on.
type kernelKey struct {
	dev   *gpu.Device
	what  distribution
	elem  nd.DType
	group int
}

// kernels are those that were compiled. Like the devices they belong to the process.
var kernels sync.Map

var cNames = map[nd.DType]string{
	nd.Int8: "signed char", nd.Int16: "short", nd.Int32: "int", nd.Int64: "long long",
	nd.Uint8: "unsigned char", nd.Uint16: "unsigned short", nd.Uint32: "unsigned", nd.Uint64: "unsigned long long",
	nd.F32: "float", nd.F64: "double",
}

func (k kernelKey) kernel() (*gpu.Kernel, error) {
	if known, ok := kernels.Load(k); ok {
		return known.(*gpu.Kernel), nil
	}
	var b strings.Builder
	b.WriteString(prelude)
	fmt.Fprintf(&b, "#define N %d\n#define K %d\ntypedef %s T;\n", k.group, k.what.groups(), cNames[k.elem])
	if k.what == chosen {
		b.WriteString("#define CDF const double *cdf,\n#define SUMS cdf,\n")
	} else {
		b.WriteString("#define CDF\n#define SUMS\n")
	}
	b.WriteString(makeHead + distributions[k.what] + "}\n" + frame)
	mod, err := k.dev.Compile(b.String(), gpu.WithName("random.cu"), gpu.WithFlags("-fmad=false"))
	if err != nil {
		return nil, fmt.Errorf("compiling a kernel for random numbers: %w", err)
	}
	fill, err := mod.Kernel("fill")
	if err != nil {
		return nil, err
	}
	known, _ := kernels.LoadOrStore(k, fill)
	return known.(*gpu.Kernel), nil
}

// draw returns an array whose elements are drawn in groups of that many.
func draw[T nd.Elem](s Stream, what distribution, group int, p params, cdf *gpu.Buffer[float64], shape []int) *nd.Array[T] {
	out := nd.Empty[T](shape...)
	n := out.Size()
	if n == 0 {
		return out
	}
	k, err := kernelKey{out.Device(), what, out.DType(), group}.kernel()
	if err != nil {
		panic(err)
	}
	p.Keys, p.Call, p.N = philox.RoundKeys(s.seed), s.call, uint64(n)
	buf := gpu.Reinterpret[T](fresh.Memory(out))
	blocks := gpu.For((n+group-1)/group, 256*what.groups()).Grid
	c := k.Begin(gpu.Launch{Grid: blocks, Block: gpu.Dim(256)})
	gpu.PassPointer(c, buf)
	if what == chosen {
		gpu.PassPointer(c, cdf)
	}
	gpu.PassValue(c, p)
	if err := c.Do(); err != nil {
		panic(err)
	}
	runtime.KeepAlive(out)
	return out
}

// Float is a constraint that permits the types of random real numbers.
type Float interface{ float32 | float64 }

// drawReal returns an array of real numbers that are transformed by a·x + b.
func drawReal[T Float](s Stream, what distribution, b, a T, shape []int) *nd.Array[T] {
	group := 2
	if nd.DTypeOf[T]() == nd.F32 {
		group = 4
	}
	return draw[T](s, what, group, params{P: [7]float64{float64(b), float64(a)}}, nil, shape)
}

// Random returns uniformly distributed numbers in [0, 1): multiples of 2⁻²⁴ or, as float64, of 2⁻⁵³.
func Random[T Float](g *Generator, shape ...int) *nd.Array[T] {
	return drawReal[T](g.Stream(), uniform, 0, 1, shape)
}

// Uniform returns uniformly distributed numbers from low to high: low + (high-low)·Random. Rounding may give high itself.
func Uniform[T Float](g *Generator, low, high T, shape ...int) *nd.Array[T] {
	finite("Uniform", "low", low)
	finite("Uniform", "high", high)
	finite("Uniform", "high - low", high-low)
	return drawReal(g.Stream(), uniform, low, high-low, shape)
}

// Normal returns normally distributed numbers with the given mean and standard deviation: mean + std·StandardNormal, rounded once.
func Normal[T Float](g *Generator, mean, std T, shape ...int) *nd.Array[T] {
	finite("Normal", "the mean", mean)
	notNegative("Normal", "the standard deviation", std)
	return drawReal(g.Stream(), normal, mean, std, shape)
}

// StandardNormal returns normally distributed numbers with mean 0 and standard deviation 1.
func StandardNormal[T Float](g *Generator, shape ...int) *nd.Array[T] {
	return drawReal[T](g.Stream(), normal, 0, 1, shape)
}

// Exponential returns exponentially distributed numbers with mean scale.
func Exponential[T Float](g *Generator, scale T, shape ...int) *nd.Array[T] {
	notNegative("Exponential", "the scale", scale)
	return drawReal(g.Stream(), exponential, 0, scale, shape)
}

func finite[T Float](op, what string, v T) {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		fail(op, "%s is %v: it must be a finite number", what, v)
	}
}

func notNegative[T Float](op, what string, v T) {
	if finite(op, what, v); v < 0 {
		fail(op, "%s is %v: it must not be negative", what, v)
	}
}

// Integers returns uniformly distributed integers in [low, high).
func Integers[T nd.Integer](g *Generator, low, high T, shape ...int) *nd.Array[T] {
	if low >= high {
		fail("Integers", "low is %v and high %v: there is nothing from low to below high", low, high)
	}
	return drawIntegers(g.Stream(), low, uint64(high)-uint64(low), shape)
}

// IntegersClosed returns uniformly distributed integers in [low, high].
func IntegersClosed[T nd.Integer](g *Generator, low, high T, shape ...int) *nd.Array[T] {
	if low > high {
		fail("IntegersClosed", "low is %v and high %v: there is nothing from low to high", low, high)
	}
	return drawIntegers(g.Stream(), low, uint64(high)-uint64(low)+1, shape)
}

func drawIntegers[T nd.Integer](s Stream, low T, n uint64, shape []int) *nd.Array[T] {
	p := params{Low: uint64(low), Range: n}
	group := 2
	switch {
	case n == 0:
	case n-1 < 1<<32:
		group, p.Least = 4, (1<<32-n)%n
	default:
		p.Least = -n % n
	}
	return draw[T](s, integers, group, p, nil, shape)
}

// Poisson returns Poisson-distributed numbers with the given mean, which is at most 10¹². Numbers that T cannot hold lose their upper
// bits.
func Poisson[T nd.Integer](g *Generator, mean float64, shape ...int) *nd.Array[T] {
	if !(mean >= 0 && mean <= largestMean) {
		fail("Poisson", "the mean is %v: it must be from 0 to %g", mean, largestMean)
	}
	d := newPoisson(mean)
	return draw[T](g.Stream(), poissonDistributed, 1, params{P: [7]float64{d.Mean, d.Limit, d.LogMean, d.A, d.B, d.LogInvAlpha, d.VR}}, nil, shape)
}

// Permutation returns a random permutation of the numbers from 0 to n-1. Up to 65536 of them are shuffled, which gives all permutations
// with the same probability; of more, each element is computed independently.
func Permutation(g *Generator, n int) *nd.Array[int64] {
	if n < 0 {
		fail("Permutation", "there are no %d numbers", n)
	}
	return arrange(g.Stream(), n, n)
}

// Shuffled returns a copy of an array with the parts along an axis, as the rows along axis 0, in random order. Each part stays unchanged.
// It waits for the device.
func Shuffled[T nd.Elem](g *Generator, a *nd.Array[T], axis int) *nd.Array[T] {
	n := a.Shape()
	if axis < -len(n) || axis >= len(n) {
		fail("Shuffled", "axis %d is out of bounds for an array of %d axes", axis, len(n))
	}
	if axis < 0 {
		axis += len(n)
	}
	return nd.Take(a, Permutation(g, n[axis]), axis)
}

// arrange returns the first k numbers of a random permutation of n.
func arrange(s Stream, n, k int) *nd.Array[int64] {
	if n <= shuffledOnHost {
		return nd.FromSlice(s.shuffled(n, k))
	}
	return draw[int64](s, permuted, 1, params{Low: uint64(bitsFor(n)), Range: uint64(n)}, nil, []int{k})
}

// Choice returns uniformly distributed numbers from 0 to n-1, with replacement.
func Choice(g *Generator, n int, shape ...int) *nd.Array[int64] {
	if n < 1 {
		fail("Choice", "there are %d numbers to choose from, want at least one", n)
	}
	return drawIntegers(g.Stream(), int64(0), uint64(n), shape)
}

// ChoiceDistinct returns k different numbers from 0 to n-1, in random order.
func ChoiceDistinct(g *Generator, n, k int) *nd.Array[int64] {
	if k < 0 || k > n {
		fail("ChoiceDistinct", "there are no %d different numbers from 0 to below %d", k, n)
	}
	return arrange(g.Stream(), n, k)
}

// ChoiceWeighted returns numbers from 0 to len(p)-1, each with its probability in p, with replacement. The sum of the probabilities must
// be 1 except for rounding.
func ChoiceWeighted(g *Generator, p []float64, shape ...int) *nd.Array[int64] {
	const op = "ChoiceWeighted"
	cdf := slices.Clone(p)
	for i := 1; i < len(cdf); i++ {
		cdf[i] += cdf[i-1]
	}
	probabilities(op, p)
	for i := range cdf {
		cdf[i] /= cdf[len(cdf)-1]
	}
	return draw[int64](g.Stream(), chosen, 2, params{Range: uint64(len(cdf))}, gpu.ToDevice(cdf), shape)
}

// ChoiceWeightedDistinct returns k different numbers from 0 to len(p)-1, drawn one after the other with the probabilities in p of the
// remaining ones. It is computed on the host.
func ChoiceWeightedDistinct(g *Generator, p []float64, k int) *nd.Array[int64] {
	const op = "ChoiceWeightedDistinct"
	some := probabilities(op, p)
	if k < 0 || k > some {
		fail(op, "there are no %d different numbers: %d of the %d probabilities are above 0", k, some, len(p))
	}
	return nd.FromSlice(g.Stream().weighted(p, k))
}

// probabilities checks them and returns the number of those above 0.
func probabilities(op string, p []float64) (some int) {
	sum := 0.0
	for i, v := range p {
		if !(v >= 0) {
			fail(op, "probability %d is %v: it must not be negative", i, v)
		}
		if v > 0 {
			some++
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= 1e-8) {
		fail(op, "the probabilities sum up to %v, not to 1: divide them by that", sum)
	}
	return some
}
