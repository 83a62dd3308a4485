package nd

import (
	_ "embed"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// bincountKernel counts integers.
//
//go:embed kernels/bincount.cu
var bincountKernel string

const (
	bincountBlock  = 512     // threads
	bincountBlocks = 4 * 132 // at most: each adds its counts to the result, so there are not more than run at once on an H100
	bincountRoom   = 48 << 10
	bincountCopies = bincountBlock / 32
)

// Bincount returns the number of occurrences of each integer from 0 to the largest one in a, or up to least - 1 if that is more. The
// integers must not be negative. It waits for a, unless the range of its numbers is known from an earlier call.
func Bincount[T Integer](a *Array[T], least int) *Array[int64] {
	const op = "Bincount"
	n := a.check(op)
	if out := n.countParts(op, nil, least); out != nil {
		return as[int64](out)
	}
	n, bins := n.bins(op, least)
	return as[int64](count(op, n, 0, bins, nil))
}

// BincountWeights returns the sum of the weights of each integer, where Bincount counts 1. On a GPU the order of additions is undefined,
// and so are the last digits.
func BincountWeights[T Integer, W Real](a *Array[T], weights *Array[W], least int) *Array[float64] {
	const op = "BincountWeights"
	n := a.check(op)
	if out := n.countParts(op, weights.check(op), least); out != nil {
		return as[float64](out)
	}
	n, bins := n.bins(op, least)
	return as[float64](count(op, n, 0, bins, weightsOf(op, a.core(), weights.check(op))))
}

// bins returns the integers of Bincount as contiguous memory, and the number of results.
func (n *node) bins(op string, least int) (dense *node, bins int) {
	if n.lay.rank() != 1 {
		fail(op, "the array of shape %s must have one axis", shapeString(n.lay.shape))
	}
	dense, bins = n.packed(), max(least, 0)
	if n.lay.size > 0 {
		low, high := n.extremes(op)
		if low < 0 {
			fail(op, "there is a negative number, %d", low)
		}
		bins = max(bins, int(high)+1)
	}
	return dense, bins
}

// weightsOf returns the weights as contiguous memory, one for each element of n.
func weightsOf(op string, n, weights *node) *node {
	if !slices.Equal(n.lay.shape, weights.lay.shape) {
		fail(op, "the weights of shape %s do not go with the array of shape %s: each element needs one", shapeString(weights.lay.shape), shapeString(n.lay.shape))
	}
	common(op, n, weights, nil)
	return weights.packed()
}

// count returns the number of occurrences of each integer from low to low + bins - 1, as an int64, or, with weights, the sums of those as
// a float64; other integers are ignored. Integers and weights are contiguous. Blocks count in shared memory, in several copies if these have room, so that
// warps seldom wait for each other; more bins than fit are counted in global memory, where two threads seldom want the same.
func count(op string, n *node, low int64, bins int, weights *node) *node {
	c := counting{n: n, weights: weights}
	out := newNode(common(op, n, weights, nil), c.result(), contiguous(op, []int{bins}))
	out.fill(number{})
	room := c.room()
	if size := c.n.lay.size; bins > room {
		out.eng.each("count"+c.key(), size, c.single, []int{bins, int(low)}, out.buffer(), c.n.buffer(), c.weight().buffer())
	} else if size > 0 && bins > 0 {
		copies := min(room/bins, bincountCopies)
		perBlock := 16 * bincountBlock
		if size/bincountBlocks > math.MaxUint32 {
			fail(op, "the array has %d elements, there can be %d", size, bincountBlocks*math.MaxUint32)
		}
		out.eng.routine("bincount"+c.key(), gpu.Launch{
			Grid: gpu.Dim3{X: min((size+perBlock-1)/perBlock, bincountBlocks), Y: 1, Z: 1}, Block: gpu.Dim3{X: bincountBlock, Y: 1, Z: 1},
			SharedBytes: copies * bins * c.share().Size(),
		}, c.source, []int{size, bins, copies, int(low)}, out.buffer(), c.n.buffer(), c.weight().buffer())
	}
	runtime.KeepAlive(c)
	return out
}

// counting has what the kernels of Bincount depend on.
type counting struct {
	n, weights *node
}

// weight returns the weights or, if there are none, an array that is not read as such.
func (c counting) weight() *node {
	if c.weights == nil {
		return c.n
	}
	return c.weights
}

// result returns the type of the results.
func (c counting) result() DType {
	if c.weights == nil {
		return Int64
	}
	return F64
}

// share returns the type that a block counts in.
func (c counting) share() DType {
	if c.weights == nil {
		return Uint32
	}
	return F64
}

// room returns how many counters a block has room for.
func (c counting) room() int { return bincountRoom / c.share().Size() }

func (c counting) key() string {
	return fmt.Sprintf("%d,%d,%t", c.n.dt, c.weight().dt, c.weights != nil)
}

// types returns those of the integers and of the weights, if there are any.
func (c counting) types() []DType {
	if c.weights == nil {
		return []DType{c.n.dt}
	}
	return []DType{c.n.dt, c.weights.dt}
}

// one returns what an element adds, and the sections of the prelude that the kernel needs.
func (c counting) one() (text string, need sections) {
	need = c.n.dt.needs()
	if c.weights == nil {
		return "1", need
	}
	text, more := castExpr(F64, c.weights.dt, c.weights.dt.load("weights[i]"))
	return text, need | more | c.weights.dt.needs()
}

// number returns the C type of a result for atomicAdd, which has no form for signed numbers of 64 bits.
func (c counting) number() string {
	if c.weights == nil {
		return Uint64.info().stored
	}
	return F64.info().stored
}

func (c counting) source() source {
	one, need := c.one()
	return source{name: "bincount", need: need, text: fill(bincountKernel, holes{
		"name": "bincount", "threads": bincountBlock, "number": c.number(), "share": c.share().info().stored,
		"T": c.n.dt.info().stored, "W": c.weight().dt.info().stored, "x": "(long long)" + c.n.dt.load("numbers[i]") + " - a.v[3]", "one": one,
	})}.describedAs(c.types())
}

// single is a kernel that adds each element to the result.
func (c counting) single() elementKernel {
	one, need := c.one()
	return elementKernel{
		name: "count", need: need, types: c.types(),
		params: fmt.Sprintf("%s *out, const %s *numbers, const %s *weights", c.number(), c.n.dt.info().stored, c.weight().dt.info().stored),
		body: fmt.Sprintf(`    const long long x = (long long)%s - a.v[2];
    if (x >= 0 && x < a.v[1])
        atomicAdd(out + x, (%s)%s);
`, c.n.dt.load("numbers[i]"), c.number(), one),
	}
}
