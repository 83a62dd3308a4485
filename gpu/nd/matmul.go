package nd

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// MatMul returns the matrix product, NumPy's a @ b: for shapes (…, m, k) and (…, k, n) it has shape (…, m, n), where the leading axes are
// broadcast. An array of one axis counts as a row on the left and as a column on the right, and that axis is removed from the result.
// Transposed matrices are not copied. Floats and complex numbers are multiplied by cuBLAS or, on the simulator, by loops in Go and assembly or gonum; 16-bit floats
// are accumulated in float32. On a GPU, a matrix of many short rows of float32s and a vector, and two contiguous arrays of one axis of float32s
// or float64s, are multiplied as sums of products, in double precision. There a product of float32 matrices with many rows and few terms is
// not stored if only a reduction of its rows is needed, as in Argmin(squares.Sub(MatMul(x, y).MulScalar(2)), 1); the last digits of its elements
// may then differ from those of the same product computed elsewhere. Integers wrap around.
func MatMul[T Number](a, b *Array[T]) *Array[T] {
	const op = "MatMul"
	nodeOf(a).check(op)
	nodeOf(b).check(op)
	rankA, rankB := nodeOf(a).lay.rank(), nodeOf(b).lay.rank()
	if rankA == 0 || rankB == 0 {
		fail(op, "shapes %s and %s: an array without axes is no matrix; multiply by it with Mul", shapeString(nodeOf(a).lay.shape), shapeString(nodeOf(b).lay.shape))
	}
	depth, at := nodeOf(a).lay.shape[rankA-1], max(rankB-2, 0)
	if other := nodeOf(b).lay.shape[at]; other != depth {
		fail(op, "shapes %s and %s not aligned: %d (axis %d) != %d (axis %d)", shapeString(nodeOf(a).lay.shape), shapeString(nodeOf(b).lay.shape), depth, rankA-1, other, at)
	}
	if rankA == 1 && rankB == 1 {
		if out := innerProduct(op, a, b); out != nil {
			return out
		}
	}
	if rankA <= 2 && rankB <= 2 {
		if out := plainProduct(nodeOf(a), nodeOf(b)); out != nil {
			return as[T](out)
		}
	}
	if rankA == 1 {
		a = a.ExpandDims(0)
	}
	if rankB == 1 {
		b = b.ExpandDims(1)
	}
	out := matmul(op, a, b)
	if rankB == 1 {
		out = out.Squeeze(-1)
	}
	if rankA == 1 {
		out = out.Squeeze(max(rankB-2, 0))
	}
	return out
}

// innerProduct returns the product of two arrays of one axis and the same length, without the views that matmul needs, whose making takes as
// long as a short product. It returns nil for arrays for which matmul does more than one product.
func innerProduct[T Number](op string, a, b *Array[T]) *Array[T] {
	x, y := nodeOf(a), nodeOf(b)
	if _, ok := libraryTypes[x.dt]; !ok || x.lay.size == 0 || traced(x, y) || x.shards != nil || y.shards != nil {
		return nil
	}
	e := common(op, x, y, nil)
	x, y = x.computed(), y.computed()
	if x.lay.strides[0] != 1 || y.lay.strides[0] != 1 {
		return nil
	}
	out := newArray[T](e, scalarLayout)
	if e.addsProducts(x.dt) {
		e.addProducts(x, y, nodeOf(out))
	} else {
		e.callInner(x, y, nodeOf(out))
	}
	return out
}

// plainProduct returns the product of two matrices, or of a matrix and a vector, without the views and loops that matmul needs: to make them
// takes as long as all else that is done for a product. It returns nil for arrays for which matmul does more than one product.
func plainProduct(a, b *node) *node {
	const op = "MatMul"
	kind, ok := libraryTypes[a.dt]
	if !ok || traced(a, b) || a.shards != nil || b.shards != nil {
		return nil
	}
	e := common(op, a, b, nil)
	if a.eng == nil || b.eng == nil || e.foldsProduct(a, b) {
		return nil
	}
	a, b = a.computed(), b.computed()
	left, right := a.lay.asMatrix(true), b.lay.asMatrix(false)
	g := gemm(kind, left, right)
	m, k, n := left.rows, left.cols, right.cols
	if m == 0 || k == 0 || n == 0 || g.A.Lead == 0 || g.B.Lead == 0 {
		return nil
	}
	shape := make([]int, 0, 2)
	if a.lay.rank() == 2 {
		shape = append(shape, m)
	}
	if b.lay.rank() == 2 {
		shape = append(shape, n)
	}
	if len(shape) == 2 && e.productWaits(a, b, m, k, n) {
		return e.putOffProduct(op, a, b, contiguous(op, shape))
	}
	out := newNode(e, a.dt, contiguous(op, shape))
	g.A.Addr, g.B.Addr, g.C.Addr = b.address(), a.address(), out.address()
	e.call(g, a, b, out)
	return out
}

func matmul[T Number](op string, a, b *Array[T]) *Array[T] {
	batchA, m, k := nodeOf(a).matrixShape(op)
	batchB, _, n := nodeOf(b).matrixShape(op)
	batch, ok := broadcastShape(batchA, batchB)
	if !ok {
		fail(op, "operands could not be broadcast together with shapes %s %s", shapeString(nodeOf(a).lay.shape), shapeString(nodeOf(b).lay.shape))
	}
	e := common(op, nodeOf(a), nodeOf(b), nil)
	if _, ok := libraryTypes[nodeOf(a).dt]; !ok {
		return a.ExpandDims(-2).Mul(b.SwapAxes(-1, -2).ExpandDims(-3)).Sum(-1)
	}
	shape := append(slices.Clone(batch), m, n)
	if k == 0 {
		return newArray[T](e, contiguous(op, shape)).Fill(0)
	}
	if out := matmulParts(op, a, b, batch); out != nil {
		if traced(nodeOf(a), nodeOf(b)) {
			deriveMatMul(out, a, b)
		}
		return out
	}
	if e.foldsProduct(nodeOf(a), nodeOf(b)) {
		rows, row := as[T](nodeOf(a).plain()), as[T](nodeOf(b).plain()).Reshape(k)
		out := rows.Mul(row).Sum(1).ExpandDims(1)
		if traced(nodeOf(a), nodeOf(b)) {
			deriveMatMul(out, a, b)
		}
		return out
	}
	out := newArray[T](e, contiguous(op, shape))
	if traced(nodeOf(a), nodeOf(b)) {
		defer deriveMatMul(out, a, b)
	}
	if nodeOf(out).lay.size == 0 {
		return out
	}
	a, b = readable(as[T](nodeOf(a).plain())), readable(as[T](nodeOf(b).plain()))
	// Row-major memory is, in column-major order, the transposed matrix: so outᵀ = bᵀ·aᵀ is requested.
	x, y := nodeOf(a).factor(), nodeOf(b).factor()
	runs := nest(batch, [][]int{nodeOf(a).lay.batchStrides(batch), nodeOf(b).lay.batchStrides(batch), nodeOf(out).lay.batchStrides(batch)})
	last := len(runs.lens) - 1
	g := routine.Gemm{
		Type: libraryTypes[nodeOf(a).dt], M: n, N: m, K: k, Alpha: 1, Count: runs.lens[last],
		TransA: y.op, TransB: x.op,
		A: routine.Matrices{Lead: y.lead, Step: runs.strides[1][last]},
		B: routine.Matrices{Lead: x.lead, Step: runs.strides[0][last]},
		C: routine.Matrices{Lead: n, Step: runs.strides[2][last]},
	}
	size := uint64(nodeOf(a).dt.Size())
	place := make([]int, last) // index in the outer loops
	for {
		offA, offB, offOut := 0, 0, 0
		for i, p := range place {
			offA, offB, offOut = offA+p*runs.strides[0][i], offB+p*runs.strides[1][i], offOut+p*runs.strides[2][i]
		}
		g.A.Addr = nodeOf(b).address() + uint64(offB)*size
		g.B.Addr = nodeOf(a).address() + uint64(offA)*size
		g.C.Addr = nodeOf(out).address() + uint64(offOut)*size
		e.call(&g, nodeOf(a), nodeOf(b), nodeOf(out))
		i := last - 1
		for ; i >= 0; i-- {
			if place[i]++; place[i] < runs.lens[i] {
				break
			}
			place[i] = 0
		}
		if i < 0 {
			return out
		}
	}
}

// foldsProduct reports whether the product of a matrix and a vector is computed as the sums of the rows' products: many short rows are read
// faster so than by cuBLAS, at nine tenths of the memory's rate instead of six.
func (e *engine) foldsProduct(a, b *node) bool {
	shape, lay := b.lay.shape, a.lay
	column := len(shape) == 1 || len(shape) == 2 && shape[1] == 1
	return a.dt == F32 && column && lay.contig && len(lay.shape) == 2 &&
		lay.shape[0] >= fewestInLanes && lay.shape[1] <= longestInLanes && lay.shape[1]%(vector/4) == 0 && !e.describes()
}

// factor describes how a routine reads a matrix of which it needs the transpose.
type factor struct {
	op   routine.Op
	lead int
}

// readable returns the array if routines can read its matrices with its strides, else a copy.
func readable[T Elem](a *Array[T]) *Array[T] {
	nodeOf(a).ready()
	for _, s := range nodeOf(a).lay.strides[:nodeOf(a).lay.rank()-2] {
		if s < 0 {
			return copyOf(a)
		}
	}
	if f := nodeOf(a).factor(); f.lead == 0 {
		return copyOf(a)
	}
	return a
}

// matrix is the arrangement of a matrix: its size, and the distances between adjacent elements of a column and of a row.
type matrix struct{ rows, cols, down, right int }

// asMatrix returns the layout of a matrix or a vector, which is a row on the left of a product and else a column, as that of a matrix.
func (l *layout) asMatrix(left bool) matrix {
	switch {
	case len(l.shape) == 2:
		return l.matrix()
	case left:
		return matrix{rows: 1, cols: l.shape[0], right: l.strides[0]}
	}
	return matrix{rows: l.shape[0], cols: 1, down: l.strides[0]}
}

// matrix returns the arrangement of the last two axes.
func (l *layout) matrix() matrix {
	rank := l.rank()
	return matrix{l.shape[rank-2], l.shape[rank-1], l.strides[rank-2], l.strides[rank-1]}
}

// factor of an array that has been computed has a lead of 0 if a routine cannot read it.
func (n *node) factor() factor { return n.lay.matrix().factor() }

func (m matrix) factor() factor {
	switch {
	case (m.right == 1 || m.cols == 1) && m.rows == 1:
		return factor{routine.AsIs, max(m.cols, 1)}
	case (m.right == 1 || m.cols == 1) && m.down >= m.cols:
		return factor{routine.AsIs, max(m.down, 1)}
	case (m.down == 1 || m.rows == 1) && m.cols == 1:
		return factor{routine.Transposed, max(m.rows, 1)}
	case (m.down == 1 || m.rows == 1) && m.right >= m.rows:
		return factor{routine.Transposed, max(m.right, 1)}
	}
	return factor{}
}

// batchStrides returns the strides of all axes but the last two, for a batch of that shape.
func (l *layout) batchStrides(batch []int) []int {
	lead := layout{shape: l.shape[:l.rank()-2], strides: l.strides[:l.rank()-2]}
	return lead.broadcastStrides(batch, nil)
}

// Dot returns NumPy's dot: the matrix product of matrices, the inner product of arrays of one axis, and otherwise the sum of products
// over the last axis of a and the last but one of b. An array without axes multiplies each element.
func Dot[T Number](a, b *Array[T]) *Array[T] {
	const op = "Dot"
	rankA, rankB := nodeOf(a).check(op).lay.rank(), nodeOf(b).check(op).lay.rank()
	switch {
	case rankA == 0 || rankB == 0:
		return a.Mul(b)
	case rankA <= 2 && rankB <= 2:
		return MatMul(a, b)
	}
	return Tensordot(a, b, []int{-1}, []int{max(rankB-2, 0)})
}

// Inner returns the sum of products over the last axes of a and b.
func Inner[T Number](a, b *Array[T]) *Array[T] {
	if nodeOf(a).check("Inner").lay.rank() == 0 || nodeOf(b).check("Inner").lay.rank() == 0 {
		return a.Mul(b)
	}
	return Tensordot(a, b, []int{-1}, []int{-1})
}

// Outer returns the products of each element of a with each of b; the axes of each count as one.
func Outer[T Number](a, b *Array[T]) *Array[T] {
	return a.Ravel().ExpandDims(1).Mul(b.Ravel())
}

// Kron returns the Kronecker product: a with each element replaced by that element times b. If one has fewer axes, axes of length 1 are
// prepended.
func Kron[T Number](a, b *Array[T]) *Array[T] {
	const op = "Kron"
	rankA, rankB := nodeOf(a).check(op).lay.rank(), nodeOf(b).check(op).lay.rank()
	rank := max(rankA, rankB)
	lensA, lensB := append(slices.Repeat([]int{1}, rank-rankA), nodeOf(a).lay.shape...), append(slices.Repeat([]int{1}, rank-rankB), nodeOf(b).lay.shape...)
	var left, right, shape []int
	for i := range rank {
		left, right = append(left, lensA[i], 1), append(right, 1, lensB[i])
		shape = append(shape, lensA[i]*lensB[i])
	}
	return a.Reshape(left...).Mul(b.Reshape(right...)).Reshape(shape...)
}

// Vdot returns the inner product of all elements in row-major order, those of a conjugated if they are complex.
func Vdot[T Number](a, b *Array[T]) *Array[T] {
	a = a.Ravel()
	if nodeOf(a).dt.is(kindComplex) {
		a = as[T](nodeOf(a).own("Vdot", opConj))
	}
	return MatMul(a, b.Ravel())
}

// Trace returns the sum of the diagonal of the last two axes.
func Trace[T Number](a *Array[T]) *Array[T] { return a.Diagonal(0).Sum(-1) }

// Tensordot returns the sum of products over the axes of a in axesA, each paired with the one of b in axesB. The remaining axes of a come
// first in the result.
func Tensordot[T Number](a, b *Array[T], axesA, axesB []int) *Array[T] {
	const op = "Tensordot"
	nodeOf(a).check(op)
	nodeOf(b).check(op)
	if len(axesA) != len(axesB) {
		fail(op, "%d axes of the one and %d of the other are given", len(axesA), len(axesB))
	}
	split := func(n *node, axes []int) (left, summed []int) {
		axesOf(op, append([]int{}, axes...), n.lay.rank()) // each once
		for _, axis := range axes {
			summed = append(summed, axisOf(op, axis, n.lay.rank()))
		}
		for i := range n.lay.rank() {
			if !slices.Contains(summed, i) {
				left = append(left, i)
			}
		}
		return left, summed
	}
	leftA, summedA := split(nodeOf(a), axesA)
	leftB, summedB := split(nodeOf(b), axesB)
	if len(axesA) == 0 {
		leftA, leftB, summedA, summedB = axesOf(op, nil, nodeOf(a).lay.rank()), axesOf(op, nil, nodeOf(b).lay.rank()), nil, nil
	}
	pick := func(n *node, axes []int) (lens []int) {
		for _, axis := range axes {
			lens = append(lens, n.lay.shape[axis])
		}
		return lens
	}
	lens := pick(nodeOf(a), summedA)
	if other := pick(nodeOf(b), summedB); !slices.Equal(lens, other) {
		fail(op, "shapes %s and %s not aligned: the axes %v of the one have lengths %v, the axes %v of the other %v", shapeString(nodeOf(a).lay.shape), shapeString(nodeOf(b).lay.shape), axesA, lens, axesB, other)
	}
	shapeA, shapeB := pick(nodeOf(a), leftA), pick(nodeOf(b), leftB)
	k := product(lens)
	x := a.Transpose(append(leftA, summedA...)...).Reshape(product(shapeA), k)
	y := b.Transpose(append(summedB, leftB...)...).Reshape(k, product(shapeB))
	return MatMul(x, y).Reshape(append(shapeA, shapeB...)...)
}
