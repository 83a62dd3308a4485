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

// The kernels of a selection that a sample guides.
var (
	//go:embed kernels/select_order.cu
	selectOrder string
	//go:embed kernels/select_load.cu
	selectLoad string
	//go:embed kernels/select_sample.cu
	selectSampling string
	//go:embed kernels/select_edges.cu
	selectEdgesOf string
	//go:embed kernels/select_within.cu
	selectWithin string
	//go:embed kernels/select_above.cu
	selectAbove string
	//go:embed kernels/select_rank.cu
	selectRank string
)

const (
	selectSampled  = 1 << 25 // bytes of the shortest row of which a sample is taken
	selectParts    = 1 << 15 // elements of the largest sample of a row for quantiles
	selectTopParts = 1 << 19 // and for the largest elements, which are compared with each other
	selectTops     = 1 << 13 // groups of a sample for the largest elements, of which the largest ones are kept, at most
	selectTake     = 128     // threads of a block that takes a sample
	selectLanes    = 8       // threads that share a group, at most: each waits for its reads
	selectLittle   = 64      // elements of the smallest sample
	selectEach     = 32      // elements of a row for each of a sample, at least
	selectBrackets = 9       // at most
	selectSearch   = 1024    // threads that look for an edge
	selectSpread   = 4       // standard deviations of the number of a sample's elements below a given one
	selectFew      = 5       // elements of a sample more, since the number has another distribution near the ends
	selectPart     = 4       // a row has so many times the elements that are kept

	rankThreads = 512
	rankOwn     = 16   // elements of a block: so few that all multiprocessors have blocks
	rankTile    = 1024 // that are compared with these at once
	rankBlocks  = 8 * 132
	rankMost    = 1 << 14 // elements that are expected at most: the work grows with the square
)

// The words of a selection's state: the number of kept elements, that of blocks which have finished, whether edges are frequent, and from the
// given ones on four counts of each bracket, the plan of the passes, and the edges of brackets.
const (
	selectCounts = 4
	selectPlan   = selectCounts + 4*selectBrackets
	selectEdges  = selectPlan + 2 + selectMost
	selectState  = (selectEdges + 6*selectBrackets + 31) / 32 * 32
)

// sampling finds the elements of a row at some places with one pass over the row. A sample, of elements at places that no order or period of
// the row can follow, gives brackets of numbers that have the wanted elements with overwhelming probability. The pass counts how many elements
// are below each bracket and keeps the few within it, among which the selection goes on. An edge of a bracket, which may be frequent, is
// counted instead of kept. If a wanted element turns out to be outside, or too many would be kept, the selection goes on among all elements.
// The device decides that.
type sampling struct {
	*selecting
	n, size  int
	each     int      // elements of a row for each of the sample, which is the largest of them
	brackets [][2]int // places in the sample, in ascending order, of lower and upper edges; there may be no such element
	room     int      // for elements that are kept
}

// sample returns the sampling for a row of n elements, or nil if it does not pay.
func (s *selecting) sample(e *engine, n int) *sampling {
	if n*s.dt.Size() < e.sampled || s.dt.Size() == 1 {
		return nil
	}
	p := &sampling{selecting: s, n: n, size: sampleSize(n, selectParts), each: 1}
	expected := 0
	for _, rank := range slices.Compact(slices.Sorted(slices.Values(s.ranks))) {
		share := (float64(rank) + 0.5) / float64(n)
		at, way := share*float64(p.size), selectSpread*math.Sqrt(float64(p.size)*share*(1-share))+selectFew
		low, high := max(int(math.Floor(at-way)), -1), min(int(math.Ceil(at+way)), p.size)
		if last := len(p.brackets) - 1; last >= 0 && low <= p.brackets[last][1] {
			p.brackets[last][1] = max(p.brackets[last][1], high)
		} else {
			p.brackets = append(p.brackets, [2]int{low, high})
		}
	}
	for _, b := range p.brackets {
		width := float64(b[1] - b[0])
		expected += int((width + selectSpread*math.Sqrt(width) + selectFew) / float64(p.size) * float64(n))
	}
	p.room = expected
	if p.size < selectLittle || len(p.brackets) > selectBrackets || expected > n/selectPart || expected*s.dt.Size() > e.mostHeld {
		return nil
	}
	return p
}

// sampleSize returns the size of a sample of n elements, which is a power of two.
func sampleSize(n, most int) int {
	size := most
	for size > n/selectEach {
		size /= 2
	}
	return size
}

// open reports whether the last bracket has all elements above its lower edge.
func (p *sampling) open() bool { return p.brackets[len(p.brackets)-1][1] >= p.size }

// run makes the plan of the passes of a selection and, if these read the kept elements, counts their first digits. The lock is held, and state
// and counts are all zeros.
func (p *sampling) run(e *engine, temp *scratch, in, state, counts, kept *buffer) {
	p.edges(e, temp, in, state)
	e.words = p.places(e.words[:0].put(p.n).put(p.room).put(len(p.ranks)).put(p.mode))
	e.key = append(append(e.key[:0], "select within "...), byte(p.dt), byte(len(p.brackets)), boolByte(p.open()))
	e.submit(&request{key: e.key, words: e.words, write: p.withinSource, cfg: p.launch()}, p.n*p.dt.Size(), kept, state, counts, in)
}

// launch returns the launch of a kernel that reads all elements.
func (p *sampling) launch() gpu.Launch {
	tile := selectBlock * selectTurns * 16 / p.dt.Size()
	return gpu.Launch{
		Grid: gpu.Dim3{X: min((p.n+tile-1)/tile, selectBlocks), Y: 1, Z: 1}, Block: gpu.Dim3{X: selectBlock, Y: 1, Z: 1},
	}
}

// edges launches the kernels that take the sample and find the edges of brackets.
func (p *sampling) edges(e *engine, temp *scratch, in, state *buffer) {
	sample := temp.alloc(p.size * p.dt.Size())
	lanes := min(p.each, selectLanes)
	e.words = e.words[:0].put(p.n).put(p.size).put(p.each).put(bits.TrailingZeros(uint(p.size * p.each))).put(p.mode).put(lanes)
	e.key = append(append(e.key[:0], "select sample "...), byte(p.dt))
	e.submit(&request{key: e.key, words: e.words, write: p.sampleSource, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: (p.size*lanes + selectTake - 1) / selectTake, Y: 1, Z: 1}, Block: gpu.Dim3{X: selectTake, Y: 1, Z: 1},
	}}, (1+p.each)*p.size*p.dt.Size(), sample, in)
	e.words = e.words[:0].put(p.size).put(p.mode).put(2 * len(p.brackets))
	for i := range selectBrackets {
		var b [2]int
		if i < len(p.brackets) {
			b = p.brackets[i]
		}
		e.words = e.words.list(b[:])
	}
	e.key = append(append(e.key[:0], "select edges "...), byte(p.dt))
	e.submit(&request{key: e.key, words: e.words, write: p.edgesSource, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: 2 * len(p.brackets), Y: 1, Z: 1}, Block: gpu.Dim3{X: selectSearch, Y: 1, Z: 1},
	}}, p.size*p.dt.Size(), state, sample)
}

// order returns what the texts of kernels have to know about the order of numbers. That of keys has one place for all NaNs, and another one for
// zeros that are the same; nd_order, which is for numbers in the sample's brackets and takes less time, has many.
func (s *selecting) order() holes {
	h := holes{"sign": 8*s.dt.Size() - 1, "order": "k", "least": "0", "past": "(nd_key)~(nd_key)0", "same": ""}
	switch {
	case s.dt.is(kindInt):
		h["order"], h["past"] = "(k ^ nd_sign)", fmt.Sprintf("(nd_key)~((nd_key)1 << %d)", h["sign"])
	case s.dt.is(kindFloat):
		infinity := infinityOf(s.dt)
		least := fmt.Sprintf("(nd_key)~(nd_key)(%s | (nd_key)1 << %d)", infinity, h["sign"])
		h["least"] = least
		h["order"] = fmt.Sprintf("(k ^ (nd_sign | (nd_key)(0 - (nd_key)(k >> %d))))", h["sign"])
		h["past"] = fmt.Sprintf("(nd_key)(0 - %s)", least)
		h["same"] = fmt.Sprintf("    if (key == (nd_key)~(nd_key)0) {\n        low = (nd_key)((nd_key)(%s | nd_sign) - least + 1);\n        high = key;\n"+
			"    } else if (mode & %d && key == nd_sign) {\n        low--;\n    }\n", infinity, sortTies)
	}
	return h
}

// sampleSource writes the kernel that takes the sample.
func (s *selecting) sampleSource() source {
	return source{name: "select_sample", text: keySource(s.dt, 6) + fill(selectSampling, holes{"threads": selectTake})}
}

// edgesSource writes the kernel that finds an edge of a bracket by one block.
func (s *selecting) edgesSource() source {
	h := s.order()
	h["threads"], h["turns"], h["bins"], h["digit"], h["edges"] = selectSearch, selectTurns, 1<<selectDigit, selectDigit, selectEdges
	return source{name: "select_edges", need: needVector, text: keySource(s.dt, 3+2*selectBrackets) + fill(selectEdgesOf, h)}
}

// loading returns what the kernels that read all elements have in common, and the text of nd_order.
func (s *selecting) loading() (h holes, order string) {
	h = s.order()
	h["threads"], h["turns"], h["edges"], h["load"] = selectBlock, selectTurns, selectEdges, fill(selectLoad, h)
	return h, fill(selectOrder, h)
}

// withinSource writes the kernel that reads all elements and keeps those in brackets. Each warp collects them in shared memory, so that it
// seldom has to ask where the next ones belong. The last block makes the plan.
func (p *sampling) withinSource() source {
	h, order := p.loading()
	h["brackets"], h["top"], h["counts"], h["plan"] = len(p.brackets), p.open(), selectCounts, selectPlan
	h["bins"], h["digit"], h["blocks"] = 1<<selectDigit, selectDigit, 2
	if len(p.brackets) > 4 { // more counts than registers
		h["blocks"] = 1
	}
	return source{name: "select_within", need: needVector, text: keySource(p.dt, 4+selectMost) + order + fill(selectWithin, h)}
}

// aboveSource writes the kernel that reads all elements and keeps those not less than an edge, with their places.
func (s *selecting) aboveSource() source {
	h, order := s.loading()
	return source{name: "select_above", need: needVector, text: keySource(s.dt, 2) + order + fill(selectAbove, h)}
}

// rankSource writes the kernel that puts the largest of kept elements in order, of equal ones the last first.
func (s *selecting) rankSource() source {
	return source{name: "select_rank", need: needVector, text: keySource(s.dt, 3) + fill(selectRank, holes{"threads": rankThreads, "own": rankOwn, "tile": rankTile})}
}

// few returns the k largest elements of an array of one axis and their places, or nil if a sample cannot tell which elements can be among them,
// or these are many. It waits for the array.
func (n *node) few(op string, k int) (values, places *node) {
	e, length := n.eng, n.lay.size
	s := &selecting{dt: n.dt, mode: sortTies}
	// Some of the largest elements of the sample are enough. They are seldom in the same group, and where they are, the limit is lower.
	all := sampleSize(length, selectTopParts)
	p := &sampling{selecting: s, n: length, size: min(all, selectTops)}
	p.each = all / max(p.size, 1)
	// So many of the sample are above the limit that fewer than k elements are very unlikely (and are seen below).
	share := float64(k) * float64(all) / float64(length)
	above := int(math.Ceil(share + selectSpread*math.Sqrt(share) + selectFew))
	expected := above * (length / max(all, 1))
	if e.describes() || n.dt.Size() < 4 || length > math.MaxUint32 || p.size < max(above, selectLittle) || expected > rankMost {
		return nil, nil
	}
	p.brackets, p.room = [][2]int{{p.size - above, p.size}}, 4*expected // which varies if it is little
	lay := contiguous(op, []int{k})
	values, places = newNode(e, n.dt, lay), newNode(e, Int64, lay)
	count := newNode(e, Int64, contiguous(op, []int{selectState}))
	n = n.packed()
	in := n.buffer()
	e.locked(func() { p.top(e, k, in, count.span(), values.span(), places.span()) })
	runtime.KeepAlive(n)
	if found := int(as[int64](count.slice([]Index{At(0)})).Item()); found < k || found > p.room {
		return nil, nil
	}
	return values, places
}

// top launches the kernels that find the k largest elements. The lock is held.
func (p *sampling) top(e *engine, k int, in, state, values, places *buffer) {
	e.flush()
	temp := scratch{e: e}
	defer temp.free()
	state.Fill(0)
	p.edges(e, &temp, in, state)
	kept, where := temp.alloc(p.room*p.dt.Size()), temp.alloc(4*p.room)
	e.words = e.words[:0].put(p.n).put(p.room)
	e.key = append(append(e.key[:0], "select above "...), byte(p.dt))
	e.submit(&request{key: e.key, words: e.words, write: p.aboveSource, cfg: p.launch()}, p.n*p.dt.Size(), kept, where, state, in)
	e.words = e.words[:0].put(k).put(p.room).put(p.mode)
	e.key = append(append(e.key[:0], "select rank "...), byte(p.dt))
	e.submit(&request{key: e.key, words: e.words, write: p.rankSource, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: min((p.room+rankOwn-1)/rankOwn, rankBlocks), Y: 1, Z: 1}, Block: gpu.Dim3{X: rankThreads, Y: 1, Z: 1},
	}}, k*(p.dt.Size()+8), values, places, kept, where, state)
}
