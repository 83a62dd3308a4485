package nd

import (
	_ "embed"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// The kernels that count integers, or add weights, and that add floats of at most 32 bits.
var (
	//go:embed kernels/bincount.cu
	bincountKernel string
	//go:embed kernels/bincount_floats.cu
	bincountFloats string
)

const (
	bincountBlock  = 512     // threads
	bincountBlocks = 4 * 132 // at most: each adds its counts to the result, so there are not more than run at once on an H100
	bincountRoom   = 48 << 10
	bincountCopies = bincountBlock / 32
	bincountBatch  = 32                       // bytes of counters that a thread adds to at once
	bincountTaken  = 8                        // floats of at most 32 bits that a thread adds at once
	bincountPairs  = (bincountRoom - 16) / 16 // sums of these, an integer and a double each, beside what else such a kernel shares
)

// Bincount returns the number of occurrences of each integer from 0 to the largest one in a, or up to least - 1 if that is more. The
// integers must not be negative. It waits for a, unless the range of its numbers is known from an earlier call, or a is the result of Argmin or
// Argmax over not more than least elements.
func Bincount[T Integer](a *Array[T], least int) *Array[int64] {
	const op = "Bincount"
	n := nodeOf(a).check(op)
	if out := n.countParts(op, nil, least); out != nil {
		return as[int64](out)
	}
	return as[int64](count(op, n, 0, n.bins(op, least), nil))
}

// BincountWeights returns the sum of the weights of each integer, where Bincount counts 1. On a GPU the order of additions is undefined,
// and so are the last digits.
func BincountWeights[T Integer, W Real](a *Array[T], weights *Array[W], least int) *Array[float64] {
	const op = "BincountWeights"
	n := nodeOf(a).check(op)
	if out := n.countParts(op, nodeOf(weights).check(op), least); out != nil {
		return as[float64](out)
	}
	bins := n.bins(op, least)
	checkWeights(op, n, nodeOf(weights))
	return as[float64](count(op, n, 0, bins, nodeOf(weights)))
}

// bins returns the number of results of Bincount.
func (n *node) bins(op string, least int) int {
	if n.lay.rank() != 1 {
		fail(op, "the array of shape %s must have one axis", shapeString(n.lay.shape))
	}
	bins := max(least, 0)
	if n.lay.size > 0 && !n.areBelow(bins) {
		low, high := n.extremes(op)
		if low < 0 {
			fail(op, "there is a negative number, %d", low)
		}
		bins = max(bins, int(high)+1)
	}
	return bins
}

// checkWeights panics unless there is a weight for each element of n.
func checkWeights(op string, n, weights *node) {
	if !slices.Equal(n.lay.shape, weights.lay.shape) {
		fail(op, "the weights of shape %s do not go with the array of shape %s: each element needs one", shapeString(weights.lay.shape), shapeString(n.lay.shape))
	}
	common(op, n, weights, nil)
}

// evenly returns the array, computed, if it is contiguous or has one axis, else a contiguous copy of it: its elements are equally far from
// each other.
func (n *node) evenly() *node {
	n.ready()
	if n.lay.contig || n.lay.rank() == 1 {
		return n
	}
	return n.copied()
}

// step returns the distance between adjacent elements of such an array.
func (n *node) step() int {
	if n.lay.contig {
		return 1
	}
	return n.lay.strides[0]
}

// count returns the number of occurrences of each integer from low to low + bins - 1, as an int64, or, with weights, the sums of those as
// a float64; other integers are ignored. Blocks count in shared memory, in several copies if these have room, so that warps seldom wait for
// each other; more bins than fit are counted in global memory, where two threads seldom want the same.
func count(op string, n *node, low int64, bins int, weights *node) *node {
	c := counting{n: n.evenly()}
	if weights != nil {
		c.weights = weights.evenly()
	}
	out := newNode(common(op, n, weights, nil), c.result(), contiguous(op, []int{bins}))
	out.fill(number{})
	room := c.room()
	size := c.n.lay.size
	bytes := size*c.n.dt.Size() + out.Bytes()
	if c.weights != nil {
		bytes += size * c.weights.dt.Size()
	}
	switch {
	case size == 0 || bins == 0:
	case bins > room:
		cfg := gpu.Launch{Grid: gpu.Dim3{X: (size + mapBlock - 1) / mapBlock, Y: 1, Z: 1}, Block: gpu.Dim3{X: mapBlock, Y: 1, Z: 1}}
		list := c.places([]int{size, bins, int(low)})
		text := func() source { return c.single().source(len(list)) }
		out.eng.routineOf(bytes, "ecount"+c.key(), cfg, text, list, out.buffer(), c.memory(c.n), c.memory(c.weight()))
	default:
		if size/bincountBlocks > math.MaxUint32 {
			fail(op, "the array has %d elements, there can be %d", size, bincountBlocks*math.MaxUint32)
		}
		bytesOfBin := c.share().Size()
		c.exact = weights != nil && c.weights.dt.is(kindFloat) && c.weights.dt.Size() <= 4 && bins <= bincountPairs
		if c.exact {
			room, bytesOfBin = bincountPairs, 2*bytesOfBin
		}
		copies := min(room/bins, bincountCopies)
		perBlock := 16 * bincountBlock
		blocks := min((size+perBlock-1)/perBlock, bincountBlocks)
		list := c.places([]int{size, bins, copies, int(low)})
		if c.exact { // the sum of all elements of a block has a sign and 63 bits
			turns := (size + blocks*bincountBlock - 1) / (blocks * bincountBlock)
			list = append(list, 63-bits.Len(uint(turns*bincountBlock)))
		}
		out.eng.routineOf(bytes, "bincount"+c.key(), gpu.Launch{
			Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: bincountBlock, Y: 1, Z: 1}, SharedBytes: copies * bins * bytesOfBin,
		}, func() source { return c.source(len(list)) }, list, out.buffer(), c.memory(c.n), c.memory(c.weight()))
	}
	runtime.KeepAlive(c)
	return out
}

// counting has what the kernels of Bincount depend on.
type counting struct {
	n, weights *node
	exact      bool // weights are added as whole numbers of a unit, where they are such numbers
}

// strided reports whether an operand is not contiguous: then the kernel has its first element and step as words.
func (c counting) strided() bool { return !c.n.lay.contig || !c.weight().lay.contig }

// places appends these words to the others.
func (c counting) places(list []int) []int {
	if c.strided() {
		w := c.weight()
		list = append(list, c.n.off, c.n.step(), w.off, w.step())
	}
	return list
}

// memory returns what the kernel gets of an operand: the memory from its first element on or, with words that say where that is, all of it.
func (c counting) memory(n *node) *buffer {
	if c.strided() {
		return n.lent()
	}
	return n.buffer()
}

// at returns the index of element i of the integers, or of the weights, in a kernel whose words for places begin at that one.
func (c counting) at(places, operand int) string {
	if !c.strided() {
		return "i"
	}
	return fmt.Sprintf("a.v[%d] + i * a.v[%d]", places+2*operand, places+2*operand+1)
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
	return fmt.Sprintf("%d,%d,%t,%t,%t", c.n.dt, c.weight().dt, c.weights != nil, c.strided(), c.exact)
}

// types returns those of the integers and of the weights, if there are any.
func (c counting) types() []DType {
	if c.weights == nil {
		return []DType{c.n.dt}
	}
	return []DType{c.n.dt, c.weights.dt}
}

// one returns what an element adds, as that type, and the sections of the prelude that the kernel needs.
func (c counting) one(dt DType, places int) (text string, need sections) {
	need = c.n.dt.needs()
	if c.weights == nil {
		return "1", need
	}
	text, more := castExpr(dt, c.weights.dt, c.weights.dt.load("weights["+c.at(places, 1)+"]"))
	return text, need | more | c.weights.dt.needs()
}

// element returns an integer, as the kernel reads it.
func (c counting) element(places int) string {
	return "(long long)" + c.n.dt.load("numbers["+c.at(places, 0)+"]")
}

// number returns the C type of a result for atomicAdd, which has no form for signed numbers of 64 bits.
func (c counting) number() string {
	if c.weights == nil {
		return Uint64.info().stored
	}
	return F64.info().stored
}

func (c counting) source(words int) source {
	const places = 4
	kernel, added, batch := bincountKernel, c.share(), bincountBatch/c.share().Size()
	if c.exact {
		kernel, added, batch = bincountFloats, F32, bincountTaken
	}
	one, need := c.one(added, places)
	return source{name: "bincount", need: need, text: fill(kernel, holes{
		"name": "bincount", "threads": bincountBlock, "number": c.number(), "share": c.share().info().stored,
		"T": c.n.dt.info().stored, "W": c.weight().dt.info().stored, "x": c.element(places) + " - a.v[3]", "one": one,
		"words": words, "batch": batch, "bits": fmt.Sprintf("a.v[%d]", words-1),
	})}.describedAs(c.types(), int(boolByte(c.strided())))
}

// single is a kernel that adds each element to the result.
func (c counting) single() elementKernel {
	const places = 3
	one, need := c.one(F64, places)
	return elementKernel{
		name: "count", need: need, types: c.types(), numbers: []int{int(boolByte(c.strided()))},
		params: fmt.Sprintf("%s *out, const %s *numbers, const %s *weights", c.number(), c.n.dt.info().stored, c.weight().dt.info().stored),
		body: fmt.Sprintf(`    const long long x = %s - a.v[2];
    if (x >= 0 && x < a.v[1])
        atomicAdd(out + x, (%s)%s);
`, c.element(places), c.number(), one),
	}
}
