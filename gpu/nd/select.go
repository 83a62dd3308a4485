package nd

import (
	_ "embed"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// The kernels of a selection: the counts of one digit, and the digit of each statistic.
var (
	//go:embed kernels/select_count.cu
	selectCount string
	//go:embed kernels/select_pick.cu
	selectPick string
)

const (
	selectBlock  = 512     // threads
	selectBlocks = 2 * 132 // at most: each adds its counts to those of all
	selectDigit  = 11      // bits
	selectKept   = 4       // counts of all digits that a block has room for
	selectTurns  = 4       // loads of 16 bytes that a thread makes at once
	selectMost   = 17      // statistics: two neighbours of each of eight quantiles, and the largest element
	selectRow    = 1 << 15 // elements of the shortest row that is read several times instead of being sorted
)

// selects reports whether select is faster than sort for that many elements of each of some rows.
func selects(rows, row, ranks int) bool {
	return ranks <= selectMost && row >= selectRow && (rows == 1 || row >= rowAlone)
}

// statistics returns, for each row of a dense array, the elements that sort would put at the given places.
func (n *node) statistics(name string, ranks []int) *node {
	n.ready()
	row := n.lay.shape[n.lay.rank()-1]
	rows := n.lay.size / max(row, 1)
	lay := contiguous(name, append(append([]int{}, n.lay.shape[:n.lay.rank()-1]...), len(ranks)))
	if !selects(rows, row, len(ranks)) {
		sorted := newNode(n.eng, n.dt, n.lay)
		if n.lay.size > 0 {
			n.eng.sort(name, n, sorted, nil, nil)
		}
		runtime.KeepAlive(n)
		places := make([]int64, len(ranks))
		for i, r := range ranks {
			places[i] = int64(r)
		}
		return sorted.gatherKnown(name, nodeOf(FromSlice(places).To(n.eng.dev)), n.lay.rank()-1, lay.shape, false)
	}
	out := newNode(n.eng, n.dt, lay)
	s := selecting{dt: n.dt, ranks: ranks}
	size := n.dt.Size()
	from, to := n.buffer(), out.buffer()
	for i := range rows {
		s.row(n.eng, from.Slice(i*row*size, (i+1)*row*size), to.Slice(i*len(ranks)*size, (i+1)*len(ranks)*size), row)
	}
	runtime.KeepAlive(n)
	return out
}

// selecting finds the elements that a sort would put at some places, by their digits, the most significant first: each pass reads all
// elements and counts the digits of those that have the same higher digits as one of the wanted ones. Which digit a wanted one has follows
// from the counts. Nothing waits for the device.
type selecting struct {
	dt    DType
	ranks []int // at most selectMost
	mode  int   // sortTies or 0
}

// row puts the elements into out. It reads n elements.
func (s *selecting) row(e *engine, in, out *buffer, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	temp := scratch{e: e}
	defer temp.free()
	bits, some := 8*s.dt.Size(), len(s.ranks)
	passes := (bits + selectDigit - 1) / selectDigit
	const bins = 1 << selectDigit
	counts := temp.alloc(8 * bins * some * passes)
	counts.Fill(0)
	// The digits found so far of each element, and its place among those with the same ones; the first pass reads none.
	found := [2]*buffer{temp.alloc(16 * some), temp.alloc(16 * some)}
	high := bits
	for pass := range passes {
		shift := max(high-selectDigit, 0)
		of := counts.Slice(8*bins*some*pass, 8*bins*some*(pass+1))
		before, after := found[pass%2], found[1-pass%2]
		e.words = e.words[:0].put(n).put(shift).put(high).put(some).put(s.mode)
		e.key = append(e.key[:0], "select count "...)
		e.key = append(e.key, byte(s.dt))
		tile := selectBlock * selectTurns * 16 / s.dt.Size()
		e.submit(&request{key: e.key, words: e.words, write: s.countSource, cfg: gpu.Launch{
			Grid: gpu.Dim3{X: min((n+tile-1)/tile, selectBlocks), Y: 1, Z: 1}, Block: gpu.Dim3{X: selectBlock, Y: 1, Z: 1},
		}}, n*s.dt.Size(), of, in, before)
		e.words = e.words[:0].put(some).put(shift).put(high)
		for i := range selectMost {
			rank := 0
			if i < some {
				rank = s.ranks[i]
			}
			e.words = e.words.put(rank)
		}
		e.key = append(e.key[:0], "select pick "...)
		e.key = append(e.key, byte(s.dt))
		e.submit(&request{key: e.key, words: e.words, write: s.pickSource, cfg: gpu.Launch{
			Grid: gpu.Dim3{X: some, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1},
		}}, 0, out, after, of, before)
		high = shift
	}
}

// countSource writes the kernel that counts the digits of keys whose higher digits are those of a statistic. A block has the counts of
// some lists of higher digits in shared memory; there are more only if many distinct elements are wanted.
func (s *selecting) countSource() source {
	return source{name: "select_count", need: needVector, text: keySource(s.dt, 5) + fill(selectCount, holes{
		"threads": selectBlock, "bins": 1 << selectDigit, "kept": selectKept, "turns": selectTurns,
	})}.describedAs([]DType{s.dt})
}

// pickSource writes the kernel that finds the digit of each statistic, with a block for each, and the element after the last digit.
func (s *selecting) pickSource() source {
	return source{name: "select_pick", text: keySource(s.dt, 3+selectMost) + fill(selectPick, holes{
		"threads": reduceBlock, "bins": 1 << selectDigit,
	})}.describedAs([]DType{s.dt})
}
