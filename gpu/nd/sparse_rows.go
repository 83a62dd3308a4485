package nd

import (
	_ "embed"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// The kernel of products of sparse matrices and vectors.
//
//go:embed kernels/sparse_rows.cu
var sparseRows string

const (
	sparseBlock = 256 // threads
	sparseTurns = 8   // elements of a thread, in the mean
	sparseMost  = 10  // elements of a thread between two times that the block waits
	sparseTimes = 4   // that the block with the most elements waits so
	sparseTerms = 256 // of a row that a thread adds
)

// rowForm is how the kernel for matrices of short rows divides a matrix. Its zero value is for those that it is not made for.
type rowForm struct {
	lanes int // threads that add the elements of a row
	rows  int // of a block
	turns int // elements of a thread between two times that the block waits
}

// formOf returns the form of a matrix whose rows begin there. A block has as many rows as have about sparseTurns elements for each of its
// threads, but not more than one for each. All its threads multiply the elements, wherever rows begin, and then a few add those of a row, so
// a row must not be much longer than others.
func formOf(start []int32) rowForm {
	rows, elements := len(start)-1, int(start[len(start)-1])
	if elements == 0 {
		return rowForm{}
	}
	f := rowForm{lanes: 1}
	for f.lanes < 32 && elements > rows*f.lanes*sparseTurns {
		f.lanes *= 2
	}
	f.rows = sparseBlock / f.lanes
	longest, most := 0, 0
	for i, from := range start[:rows] {
		longest = max(longest, int(start[i+1]-from))
	}
	for i := 0; i < rows; i += f.rows {
		most = max(most, int(start[min(i+f.rows, rows)]-start[i]))
	}
	usual := elements * f.rows / rows * 5 / 4 // so many elements do most blocks have at most
	f.turns = min(most, max(usual, 1), sparseMost*sparseBlock)
	f.turns = (f.turns + sparseBlock - 1) / sparseBlock
	if longest > f.lanes*sparseTerms || most > sparseTimes*f.turns*sparseBlock {
		return rowForm{}
	}
	return f
}

// multiplies reports whether the kernel computes a product with an array of k columns.
func (f rowForm) multiplies(e *engine, trans routine.Op, k int, dt DType) bool {
	return f.lanes > 0 && trans == routine.AsIs && k == 1 && (dt == F32 || dt == F64) && !e.describes()
}

// multiplyRows submits the kernel for the product of a sparse matrix and a vector.
func (e *engine) multiplyRows(f rowForm, start, column, values, x, out *node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	rows := out.lay.size
	e.words = e.words[:0].put(rows).put(f.rows)
	e.key = append(append(e.key[:0], "sparse rows "...), byte(x.dt), byte(f.lanes), byte(f.turns))
	list := []*node{out, start, column, values, x}
	buffers, bytes := make([]*buffer, len(list)), 0
	for i, n := range list {
		buffers[i] = n.span()
		bytes += n.lay.size * n.dt.Size()
	}
	e.submit(&request{key: e.key, words: e.words, write: func() source { return f.source(x.dt) }, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: (rows + f.rows - 1) / f.rows, Y: 1, Z: 1}, Block: gpu.Dim3{X: sparseBlock, Y: 1, Z: 1},
	}}, bytes, buffers...)
	runtime.KeepAlive(list)
}

// source writes the kernel. The elements of the matrix are read once and do not take the place of the vector's in the cache. There are
// fewer blocks at once than there could be, so that a thread has registers for all of its loads.
func (f rowForm) source(dt DType) source {
	const name = "sparse_rows"
	blocks := 6
	if dt == F64 {
		blocks = 5
	}
	return source{name: name, text: fill(sparseRows, holes{
		"name": name, "T": dt.info().stored, "threads": sparseBlock, "lanes": f.lanes, "turns": f.turns, "blocks": blocks,
	})}
}
