package nd

import (
	_ "embed"
	"math"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// topRow is the kernel of topOfRows.
//
//go:embed kernels/top_row.cu
var topRow string

// topsRows reports whether topOfRows is the way to find the array's largest elements: without a GPU, unless other devices have parts of it.
func (n *node) topsRows() bool {
	if n.eng == nil {
		n.ready()
	}
	return n.eng.describes() && (n.shards == nil || n.lay.rank() == 1) && n.lay.size > 0 && n.lay.size <= math.MaxInt32
}

// topOfRows is topK by one routine for all rows.
func (n *node) topOfRows(op string, k, at int) (values, places *node) {
	rows, at := n.collected().rows(op, []int{at})
	e, row := rows.eng, rows.lay.shape[rows.lay.rank()-1]
	shape := slices.Clone(rows.lay.shape)
	shape[len(shape)-1] = k
	lay := contiguous(op, shape)
	values, places = newNode(e, rows.dt, lay), newNode(e, Int64, lay)
	in := rows.buffer()
	e.locked(func() {
		e.flush()
		e.words = e.words[:0].put(row).put(k)
		e.key = append(append(e.key[:0], "top row "...), byte(rows.dt))
		e.submit(&request{key: e.key, words: e.words, write: rows.dt.topRowSource, cfg: gpu.Launch{
			Grid: gpu.Dim3{X: rows.lay.size / row, Y: 1, Z: 1}, Block: gpu.Dim3{X: selectBlock, Y: 1, Z: 1},
		}}, rows.lay.size*rows.dt.Size()+lay.size*(rows.dt.Size()+Int64.Size()), values.span(), places.span(), in)
	})
	runtime.KeepAlive(rows)
	return values.moveAxis(-1, at).packed(), places.moveAxis(-1, at).packed()
}

// topRowSource writes the kernel that finds the largest elements of a row by one block.
func (d DType) topRowSource() source {
	return source{name: "top_row", text: keySource(d, 2) + fill(topRow, holes{"threads": selectBlock, "ties": sortTies})}.describedAs([]DType{d})
}
