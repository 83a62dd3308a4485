package nd

import (
	_ "embed"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// The kernels of a selection: a short row by one block, or the counts of one digit, and the digit of each statistic.
var (
	//go:embed kernels/select_row.cu
	selectRow string
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
	selectLong   = 1 << 15 // elements of a row that many blocks read
	selectShort  = 1 << 10 // elements of the shortest row that one block reads several times instead of sorting it
	selectHost   = 1 << 6  // the same without a GPU
)

// selects reports whether a selection is faster than a sort for that many elements of each of some rows. A GPU reads a row several times for
// each of them, or several rows one after the other.
func (e *engine) selects(rows, row, ranks int) bool {
	switch {
	case ranks > selectMost || rows*ranks == 0:
		return false
	case e.describes():
		return row >= selectHost
	}
	return rows == 1 && row >= selectShort || row >= rowAlone
}

// statistics returns, for each row of a dense array, the elements that sort would put at the given places.
func (n *node) statistics(name string, ranks []int) *node {
	n.ready()
	row := n.lay.shape[n.lay.rank()-1]
	rows := n.lay.size / max(row, 1)
	lay := contiguous(name, append(slices.Clone(n.lay.shape[:n.lay.rank()-1]), len(ranks)))
	if n.eng.selects(rows, row, len(ranks)) {
		return n.selected(&selecting{dt: n.dt, ranks: ranks}, lay)
	}
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

// selected returns the elements of each row of a dense array in a new array of that layout.
func (n *node) selected(s *selecting, lay *layout) *node {
	out := newNode(n.eng, n.dt, lay)
	size, some := n.dt.Size(), len(s.ranks)
	rows := lay.size / some
	row := n.lay.size / rows
	from, to := n.buffer(), out.buffer()
	if n.eng.describes() || row < selectLong {
		s.short(n.eng, from, to, rows, row)
	} else {
		for i := range rows {
			s.long(n.eng, from.Slice(i*row*size, (i+1)*row*size), to.Slice(i*some*size, (i+1)*some*size), row)
		}
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

// places appends the wanted places to the words of a kernel.
func (s *selecting) places(w words) words {
	for i := range selectMost {
		rank := 0
		if i < len(s.ranks) {
			rank = s.ranks[i]
		}
		w = w.put(rank)
	}
	return w
}

// short puts the elements of each of some rows into out, by a block for each element. Without a GPU it is a routine for rows of any length.
func (s *selecting) short(e *engine, in, out *buffer, rows, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	e.words = s.places(e.words[:0].put(n).put(len(s.ranks)).put(s.mode))
	e.key = append(append(e.key[:0], "select row "...), byte(s.dt))
	e.submit(&request{key: e.key, words: e.words, write: s.rowSource, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: rows * len(s.ranks), Y: 1, Z: 1}, Block: gpu.Dim3{X: selectBlock, Y: 1, Z: 1},
	}}, rows*n*s.dt.Size(), out, in)
}

// long puts the elements of a row of n into out.
func (s *selecting) long(e *engine, in, out *buffer, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	temp := scratch{e: e}
	defer temp.free()
	bits, some := 8*s.dt.Size(), len(s.ranks)
	passes := (bits + selectDigit - 1) / selectDigit
	const bins = 1 << selectDigit
	zeros := temp.alloc(8 * (selectState + bins*some*passes))
	zeros.Fill(0)
	state, counts := zeros.Slice(0, 8*selectState), zeros.Slice(8*selectState, zeros.Len())
	kept, planned := in, 0
	if p := s.sample(e, n); p != nil {
		kept, planned = temp.alloc(s.dt.Size()*(p.room+2*len(p.brackets))), 1
		p.run(e, &temp, in, state, counts, kept)
	}
	plan := state.Slice(8*selectPlan, 8*selectEdges)
	// The digits found so far of each element, and its place among those with the same ones; the first pass reads none.
	found := [2]*buffer{temp.alloc(16 * some), temp.alloc(16 * some)}
	high := bits
	for pass := range passes {
		shift := max(high-selectDigit, 0)
		of := counts.Slice(8*bins*some*pass, 8*bins*some*(pass+1))
		before, after := found[pass%2], found[1-pass%2]
		e.words = e.words[:0].put(n).put(shift).put(high).put(some).put(s.mode).put(planned)
		e.key = append(append(e.key[:0], "select count "...), byte(s.dt))
		tile := selectBlock * selectTurns * 16 / s.dt.Size()
		e.submit(&request{key: e.key, words: e.words, write: s.countSource, cfg: gpu.Launch{
			Grid: gpu.Dim3{X: min((n+tile-1)/tile, selectBlocks), Y: 1, Z: 1}, Block: gpu.Dim3{X: selectBlock, Y: 1, Z: 1},
		}}, n*s.dt.Size()*(1-planned), of, in, before, plan, kept)
		e.words = s.places(e.words[:0].put(some).put(shift).put(high).put(planned))
		e.key = append(append(e.key[:0], "select pick "...), byte(s.dt))
		e.submit(&request{key: e.key, words: e.words, write: s.pickSource, cfg: gpu.Launch{
			Grid: gpu.Dim3{X: some, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1},
		}}, 0, out, after, of, before, plan)
		high = shift
	}
}

// rowSource writes the kernel that finds an element of a row by one block.
func (s *selecting) rowSource() source {
	return source{name: "select_row", text: keySource(s.dt, 3+selectMost) + fill(selectRow, holes{
		"threads": selectBlock, "bins": 1 << selectDigit, "digit": selectDigit,
	})}.describedAs([]DType{s.dt})
}

// countSource writes the kernel that counts the digits of keys whose higher digits are those of a statistic. A block has the counts of
// some lists of higher digits in shared memory; there are more only if many distinct elements are wanted.
func (s *selecting) countSource() source {
	return source{name: "select_count", need: needVector, text: keySource(s.dt, 6) + fill(selectCount, holes{
		"threads": selectBlock, "bins": 1 << selectDigit, "kept": selectKept, "turns": selectTurns,
	})}
}

// pickSource writes the kernel that finds the digit of each statistic, with a block for each, and the element after the last digit.
func (s *selecting) pickSource() source {
	return source{name: "select_pick", text: keySource(s.dt, 4+selectMost) + fill(selectPick, holes{
		"threads": reduceBlock, "bins": 1 << selectDigit,
	})}
}
