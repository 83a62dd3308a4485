package nd

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Take returns the elements at the given indices along an axis or, without an axis, in row-major order. In the result the axes of index
// replace that axis. Negative indices count from the end. It waits for index, to check that all indices are in range, unless that is known
// from an earlier call. On a GPU elements of an array of one axis may be taken later, as part of the kernel of an expression.
func Take[T Elem, I Integer](a *Array[T], index *Array[I], axis ...int) *Array[T] {
	const op = "Take"
	n, i := nodeOf(a).check(op), nodeOf(index).check(op)
	if len(axis) == 0 {
		n, axis = n.reshape([]int{-1}), []int{0}
	}
	if len(axis) > 1 {
		fail(op, "%d axes are given, want one or none", len(axis))
	}
	at := axisOf(op, axis[0], n.lay.rank())
	shape := slices.Concat(n.lay.shape[:at], i.lay.shape, n.lay.shape[at+1:])
	return as[T](n.gather(op, i, at, shape, false))
}

// TakeAlong returns, along an axis, the elements at the indices that index has for each row, as NumPy's take_along_axis does: with the
// result of Argsort it sorts the array. Apart from that axis, index has the shape of the array.
func TakeAlong[T Elem, I Integer](a *Array[T], index *Array[I], axis int) *Array[T] {
	const op = "TakeAlong"
	n, i := nodeOf(a).check(op), nodeOf(index).check(op)
	at := axisOf(op, axis, n.lay.rank())
	want := slices.Clone(n.lay.shape)
	if i.lay.rank() == len(want) {
		want[at] = i.lay.shape[at]
	}
	if !slices.Equal(want, i.lay.shape) {
		fail(op, "the index of shape %s does not go with the array of shape %s: only axis %d may differ", shapeString(i.lay.shape), shapeString(n.lay.shape), at)
	}
	return as[T](n.gather(op, i, at, want, true))
}

// Gather returns a[i, j, …] for arrays of indices of the first axes: the indices are broadcast to a common shape, which replaces those
// axes in the result. It waits for them, as Take does.
func Gather[T Elem](a *Array[T], index ...*Array[int64]) *Array[T] {
	const op = "Gather"
	n := nodeOf(a).check(op)
	if len(index) == 0 || len(index) > n.lay.rank() {
		fail(op, "%d indices are given, an array of %d axes takes 1 to %[2]d", len(index), n.lay.rank())
	}
	var flat *Array[int64]
	for axis, i := range index {
		length := n.lay.shape[axis]
		checkPlaces(op, nodeOf(i).check(op), axis, length)
		i = i.ModScalar(int64(max(length, 1))) // negative ones count from the end
		if flat == nil {
			flat = i
		} else {
			flat = flat.MulScalar(int64(length)).Add(i)
		}
	}
	rest := n.lay.shape[len(index):]
	joined := n.reshape(append([]int{product(n.lay.shape[:len(index)])}, rest...))
	return as[T](joined.gatherLater(op, nodeOf(flat), 0, slices.Concat(nodeOf(flat).lay.shape, rest), false))
}

// checkPlaces waits for an index and panics if one of its elements is out of range for the axis.
func checkPlaces(op string, i *node, axis, length int) {
	if i.lay.size == 0 {
		return
	}
	low, high := i.extremes(op)
	for _, at := range []int64{low, high} {
		if at < int64(-length) || at >= int64(length) {
			fail(op, "index %d is out of bounds for axis %d with size %d", at, axis, length)
		}
	}
}

// gather computes Take into an array of that shape, or TakeAlong if index has the indices of each row.
func (n *node) gather(op string, index *node, axis int, shape []int, along bool) *node {
	checkPlaces(op, index.narrow(), axis, n.lay.shape[axis])
	return n.gatherLater(op, index, axis, shape, along)
}

// gatherLater is gather for indices that are known to be in range. Of an array of one axis it returns an expression, so that the kernel of
// what is made of the elements takes them, unless the device computes descriptions, which have no such operation.
func (n *node) gatherLater(op string, index *node, axis int, shape []int, along bool) *node {
	e := common(op, n, index, nil)
	size := product(shape)
	if n.shards != nil || index.shards != nil || index.op == opConst || size == 0 || size != index.lay.size || n.lay.size != n.lay.shape[axis] || e.describes() {
		return n.gatherKnown(op, index, axis, shape, along)
	}
	p, i := n.plain().packed(), index.narrow()
	if e.takesNow(p, i) {
		return n.gatherKnown(op, index, axis, shape, along)
	}
	if n.dt.half() {
		i = i.indices(op) // for the kernel that keeps the bits of NaNs
	} else if i.dt == Uint64 {
		i = i.cast(op, Int64)
	}
	if !slices.Equal(i.lay.shape, shape) { // by axes of one element; operands of an expression are broadcast
		i = i.reshape(slices.Clone(shape))
	}
	length := new(node)
	length.constant(Int64, number{uint64(p.lay.size)})
	out := new(node)
	out.init(op, opGather, n.dt, e, contiguous(op, shape), p, i, length)
	return out.deriveGather(n, index, func(places, index *node) *node { return places.gatherKnown(op, index, axis, shape, along) })
}

// takesNow reports whether elements of p at indices are taken at once: if others may write to these arrays, if p is a large part of the
// device's memory, which the expression would hold, or if the indices need reductions or scans.
func (e *engine) takesNow(p, index *node) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return p.open() || index.open() || p.held() > e.mostHeld || index.usesResults()
}

// usesResults reports whether the expression needs reductions or scans that are computed later. The lock is held.
func (n *node) usesResults() bool {
	return n.result() != nil || n.apart() || slices.ContainsFunc(n.args[:], func(a *node) bool { return a != nil && a.usesResults() })
}

const (
	cachedSource = 16 << 20 // bytes of a source that a GPU's cache surely has room for
	sector       = 32       // bytes that are read from memory at once
)

// scattered reports whether the elements that n takes may be far from each other in memory and not in a cache. The lock is held.
func (n *node) scattered() bool { return n.args[0].lay.size*n.dt.Size() > cachedSource }

// takes returns the launch of the kernel that only takes elements, to compute n alone, and its operands, or false if that kernel cannot read the
// indices. The lock is held.
func (e *engine) takes(n *node) (r request, from, index leaf, ok bool) {
	i := n.args[1]
	if i.op != opLeaf || !i.lay.contig || i.dt != Int32 && i.dt != Uint32 && i.dt != Int64 {
		return request{}, leaf{}, leaf{}, false
	}
	from = leaf{buf: n.content(0).buf, dt: n.dt, off: n.args[0].off, lay: n.args[0].lay}
	index = leaf{buf: n.content(1).buf, dt: i.dt, off: i.off, lay: i.lay}
	g := newGathering(n, n.args[0], i)
	g.plain = true
	e.key = append(e.key[:0], g.key()...)
	e.words = e.words[:0].list([]int{n.lay.size, 1, n.lay.size, from.lay.size, 0})
	return request{key: e.key, write: g.source, words: e.words, cfg: g.launch(n.lay.size)}, from, index, true
}

// gatherKnown is gather for indices that are known to be in range.
func (n *node) gatherKnown(op string, index *node, axis int, shape []int, along bool) *node {
	e := common(op, n, index, nil)
	length := n.lay.shape[axis]
	p, i := n.plain().packed(), index.narrow().indices(op)
	out := newNode(e, n.dt, contiguous(op, shape))
	inner, count := product(n.lay.shape[axis+1:]), index.lay.size
	each := 0
	if along {
		each, count = 1, index.lay.shape[axis]
	}
	if out.lay.size > 0 {
		g := newGathering(out, n, i)
		g.plain = inner == 1 && out.lay.size == count
		e.routine(g.key(), g.launch(out.lay.size), g.source, []int{out.lay.size, inner, count, length, each}, out.buffer(), p.buffer(), i.buffer())
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(i)
	return out.deriveGather(n, index, func(places, index *node) *node { return places.gatherKnown(op, index, axis, shape, along) })
}

// narrow returns the integers of 32 bits that n only converts to int64s, if that has not been done yet, or n.
func (n *node) narrow() *node {
	if n.eng == nil {
		return n
	}
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	if n.op == opCast && n.dt == Int64 && n.args[0].op == opLeaf && n.vers[0] == n.args[0].mem.now {
		if a := n.args[0]; a.dt == Int32 || a.dt == Uint32 {
			return a
		}
	}
	return n
}

// indices returns integers as the kernel of gather reads them: contiguous, as int32s, uint32s or int64s.
func (n *node) indices(op string) *node {
	if n.dt != Int32 && n.dt != Uint32 {
		n = n.cast(op, Int64)
	}
	n.computed()
	if !n.lay.contig {
		return n.copied()
	}
	return n
}

// gathering has what the kernel of gather depends on.
type gathering struct {
	dt, index DType
	plain     bool // there is an index for each element, and the array has no other axes
	wide      bool // elements are counted in 64 bits: to divide these takes long
}

// newGathering returns that of elements of n at indices into out.
func newGathering(out, n, index *node) gathering {
	return gathering{dt: n.dt, index: index.dt, wide: max(out.lay.size, n.lay.size) > math.MaxInt32}
}

func (g gathering) key() string {
	return fmt.Sprintf("take%d_%d_%t_%t", g.dt.Size(), g.index, g.plain, g.wide)
}

// gatherTurns is the number of elements of a thread where there is little to compute: their loads do not wait for each other.
const gatherTurns = 4

func (g gathering) launch(n int) gpu.Launch {
	perBlock := mapBlock
	if g.plain {
		perBlock *= gatherTurns
	}
	return gpu.Launch{Grid: gpu.Dim3{X: (n + perBlock - 1) / perBlock, Y: 1, Z: 1}, Block: gpu.Dim3{X: mapBlock, Y: 1, Z: 1}}
}

// source writes the kernel, whose words are the number of elements, how many each index stands for, the number of indices, the length of
// the axis, and whether each row has its own indices.
func (g gathering) source() source {
	raw, declare := rawType(g.dt.Size())
	number := "int"
	if g.wide {
		number = "long long"
	}
	values := holes{"T": raw, "Index": g.index.info().stored, "N": number, "turns": gatherTurns}
	body := gatherAny
	if g.plain {
		body = gatherPlain
	}
	k := elementKernel{
		name: "take", types: []DType{g.dt, g.index}, before: declare,
		params: fill("{{T}} *out, const {{T}} *in, const {{Index}} *index", values), body: fill(body, values),
	}
	return k.source(5)
}

// The code of gather for item i.
const (
	gatherPlain = `    const long long step = (long long)gridDim.x * blockDim.x;
    long long at[{{turns}}];
    {{T}} x[{{turns}}];
#pragma unroll
    for (int k = 0; k < {{turns}}; k++)
        if (i + k * step < a.v[0])
            at[k] = index[i + k * step];
#pragma unroll
    for (int k = 0; k < {{turns}}; k++)
        if (i + k * step < a.v[0])
            x[k] = in[at[k] < 0 ? at[k] + a.v[3] : at[k]];
#pragma unroll
    for (int k = 0; k < {{turns}}; k++)
        if (i + k * step < a.v[0])
            out[i + k * step] = x[k];
`
	gatherAny = `    const {{N}} inner = a.v[1], count = a.v[2], n = a.v[3], me = i;
    const {{N}} x = me % inner, row = me / inner;
    long long at = index[a.v[4] ? me : row % count];
    if (at < 0)
        at += n;
    out[i] = in[(row / count * n + at) * inner + x];
`
)

// Put sets the elements at the given indices, in row-major order, to values, which are repeated if there are fewer. If an index occurs
// twice, either value may be stored. It waits for index, as Take does.
func Put[T Elem, I Integer](a *Array[T], index *Array[I], values *Array[T]) {
	const op = "Put"
	n, i, v := nodeOf(a).check(op), nodeOf(index).check(op), nodeOf(values).check(op)
	n.mustBeWritable(op)
	e := common(op, n, i, v)
	checkPlaces(op, i, 0, n.lay.size)
	if i.lay.size == 0 {
		return
	}
	if v.lay.size == 0 {
		fail(op, "there are no values for %d places", i.lay.size)
	}
	places, from := i.unary(op, opCast, Int64).computed(), v.packed()
	if from.mem == n.mem {
		from = from.copied()
	}
	to := n.packed()
	e.locked(func() { e.own(to.mem) })
	size := n.dt.Size()
	e.each(fmt.Sprintf("put%d", size), i.lay.size, func() elementKernel {
		raw, declare := rawType(size)
		return elementKernel{name: "put", types: []DType{n.dt}, before: declare, params: fmt.Sprintf("%[1]s *out, const %[1]s *values, const long long *index", raw), body: `    const long long at = index[i];
    out[at < 0 ? at + a.v[1] : at] = values[i % a.v[2]];
`}
	}, []int{n.lay.size, v.lay.size}, to.buffer(), from.buffer(), places.buffer())
	runtime.KeepAlive(from)
	if to != n {
		n.assign(to)
	}
}

// Flatnonzero returns the indices of the nonzero elements, in row-major order. It waits for the array.
func Flatnonzero[T Elem](a *Array[T]) *Array[int64] {
	return as[int64](nodeOf(a).check("Flatnonzero").nonzero("Flatnonzero"))
}

func (n *node) nonzero(op string) *node {
	mask := n
	if n.dt != Bool {
		mask = n.unary(op, opCast, Bool)
	}
	return compact(op, mask, nil)
}

// Nonzero returns the indices of the nonzero elements, in row-major order, as an array for each axis. It waits for the array.
func Nonzero[T Elem](a *Array[T]) []*Array[int64] {
	const op = "Nonzero"
	flat := as[int64](nodeOf(a).check(op).nonzero(op))
	list := make([]*Array[int64], nodeOf(a).lay.rank())
	for axis := len(list) - 1; axis >= 0; axis-- {
		n := int64(max(nodeOf(a).lay.shape[axis], 1))
		list[axis] = flat.ModScalar(n)
		flat = flat.DivScalar(n)
	}
	return list
}

// Mask returns the elements where mask is true, a[mask], in row-major order. The mask has the shape of the first axes of the array; the
// other axes are kept. It waits for the mask.
func Mask[T Elem](a *Array[T], mask *Array[bool]) *Array[T] {
	const op = "Mask"
	n, m := nodeOf(a).check(op), nodeOf(mask).check(op)
	rank := m.lay.rank()
	if rank > n.lay.rank() || !slices.Equal(m.lay.shape, n.lay.shape[:rank]) {
		fail(op, "the mask of shape %s does not go with the array of shape %s", shapeString(m.lay.shape), shapeString(n.lay.shape))
	}
	common(op, n, m, nil)
	rest := n.lay.shape[rank:]
	if product(rest) == 1 {
		found := compact(op, m, n)
		return as[T](found.reshape(append([]int{found.lay.size}, rest...)))
	}
	places := m.nonzero(op)
	joined := n.reshape(append([]int{m.lay.size}, rest...))
	return as[T](joined.gatherKnown(op, places, 0, append([]int{places.lay.size}, rest...), false))
}

// PutMask sets the elements where mask is true to the corresponding ones of values. Mask and values are broadcast to the array's shape.
func PutMask[T Elem](a *Array[T], mask *Array[bool], values *Array[T]) *Array[T] {
	return a.Assign(Where(mask, values, a))
}
