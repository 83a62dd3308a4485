package nd

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// placing is where the elements of a result of some shape are computed: each device has a part of an axis, or all. Operands are broadcast
// to the shape.
type placing struct {
	mesh  *mesh
	axis  int
	shape []int
}

// placingOf returns where an element-wise operation is computed, or nil if no operand is split.
func placingOf(shape []int, operands ...*node) *placing {
	var found *placing
	for _, x := range operands {
		if x == nil || x.shards == nil {
			continue
		}
		s := x.shards
		if s.axis == everywhere {
			if found == nil {
				found = &placing{s.mesh, everywhere, shape}
			}
			continue
		}
		// An axis of length 1 that is stretched is split no more.
		if axis := len(shape) - x.lay.rank() + s.axis; shape[axis] == x.lay.shape[s.axis] {
			return &placing{s.mesh, axis, shape}
		}
	}
	return found
}

// axisOf returns the axis of an operand that goes along the split axis, or everywhere.
func (p *placing) axisOf(x *node) int {
	if p.axis == everywhere {
		return everywhere
	}
	axis := p.axis - (len(p.shape) - x.lay.rank())
	if axis < 0 || x.lay.shape[axis] != p.shape[p.axis] {
		return everywhere
	}
	return axis
}

// of returns the part of an operand that each device needs.
func (p *placing) of(x *node) []*node {
	list := make([]*node, len(p.mesh.engines))
	if x == nil || x.eng == nil { // a constant is an argument of kernels
		for i := range list {
			list[i] = x
		}
		return list
	}
	axis := p.axisOf(x)
	if s := x.shards; s != nil && s.mesh == p.mesh {
		return x.resplit(axis).shards.parts
	}
	x = x.whole()
	if axis == everywhere {
		for i, e := range p.mesh.engines {
			list[i] = x.moved(e)
		}
		return list
	}
	b := p.mesh.bounds(x.lay.shape[axis])
	for i, e := range p.mesh.engines {
		list[i] = x.between(axis, b[i], b[i+1]).moved(e)
	}
	return list
}

// part returns the shape that device number i computes.
func (p *placing) part(i int) []int {
	shape := slices.Clone(p.shape)
	if p.axis != everywhere {
		b := p.mesh.bounds(shape[p.axis])
		shape[p.axis] = b[i+1] - b[i]
	}
	return shape
}

// initParts makes n an expression of which each device has a part.
func (n *node) initParts(p *placing, name string, op op, dt DType, a, b, c *node) {
	of := [3][]*node{p.of(a), p.of(b), p.of(c)}
	parts := make([]*node, len(p.mesh.engines))
	for i, e := range p.mesh.engines {
		parts[i] = new(node)
		parts[i].init(name, op, dt, e, contiguous(name, p.part(i)), of[0][i], of[1][i], of[2][i])
	}
	n.spread(name, p.mesh, p.axis, parts)
}

// reduceParts returns the reduction of a split array, or nil if n is none or there is no other way than to collect it.
func (n *node) reduceParts(name string, f fold, dt DType, axes []int, initial *node) *node {
	s := n.shards
	if s == nil {
		return nil
	}
	if s.axis == everywhere || !slices.Contains(axes, s.axis) {
		return n.eachPart(name, axisWithout(s.axis, axes), func(_ int, p *node) *node { return p.reduceFrom(name, f, dt, axes, initial) })
	}
	if n.lay.shape[s.axis] < len(s.parts) || initial != nil {
		return nil // a part without elements has no extreme
	}
	switch f {
	case foldSum, foldMean, foldProd:
		return n.sumParts(name, f, dt, axes)
	case foldArgmin, foldArgmax:
		return n.argParts(name, f, axes)
	}
	return s.mesh.allGather(name, n.partials(name, f, dt, axes)).reduce(name, f, dt, []int{0})
}

// axisWithout returns the number that an axis has in an array without some others.
func axisWithout(axis int, others []int) int {
	at := axis
	for _, other := range others {
		if other < axis {
			at--
		}
	}
	return at
}

// partials returns the reduction of each part.
func (n *node) partials(name string, f fold, dt DType, axes []int) []*node {
	list := make([]*node, len(n.shards.parts))
	for i, p := range n.shards.parts {
		list[i] = p.reduceFrom(name, f, dt, axes, nil)
	}
	return list
}

// sumParts returns a sum, mean or product over the split axis, and maybe others. What the devices add has the type in which each of them adds.
func (n *node) sumParts(name string, f fold, dt DType, axes []int) *node {
	how, each := gpu.ReduceSum, foldSum
	if f == foldProd {
		how, each = gpu.ReduceProduct, foldProd
	}
	out := n.shards.mesh.allReduce(name, how, n.partials(name, each, f.accumulator(n.dt), axes))
	if f == foldMean {
		count := 1
		for _, a := range axes {
			count *= n.lay.shape[a]
		}
		out = out.over(out.like(float64(count)))
	}
	if out.dt != dt {
		out = out.unary(name, opCast, dt)
	}
	return out
}

// argParts returns the places of extremes over the split axis, or nil if those are counted in an order in which parts are not adjacent.
func (n *node) argParts(name string, f fold, axes []int) *node {
	s := n.shards
	each := 1 // place for each index of the split axis
	if len(axes) > 1 {
		if s.axis != 0 {
			return nil
		}
		each = n.lay.size / n.lay.shape[0]
	}
	extreme := foldMin
	if f == foldArgmax {
		extreme = foldMax
	}
	places := n.partials(name, f, Int64, axes)
	b := s.mesh.bounds(n.lay.shape[s.axis])
	for i, p := range places {
		places[i] = nodeOf(as[int64](p).AddScalar(int64(b[i] * each)))
	}
	at := as[int64](s.mesh.allGather(name, places))
	best := as[int64](s.mesh.allGather(name, n.partials(name, extreme, n.dt, axes)).reduce(name, f, Int64, []int{0}))
	out := at.Slice(At(0))
	for i := 1; i < len(s.parts); i++ {
		out = Where(best.EqualScalar(int64(i)), at.Slice(At(i)), out)
	}
	return nodeOf(out)
}

// allReduce combines an array of each device, which all have the same shape, and returns the result on all of them. The arrays are
// overwritten.
func (m *mesh) allReduce(op string, how gpu.Reduction, parts []*node) *node {
	for i, p := range parts {
		parts[i] = p.packed()
	}
	if parts[0].lay.size > 0 && len(parts) > 1 {
		reduceAll(op, m.communicator(), how, parts)
	}
	return new(node).spread(op, m, everywhere, parts)
}

// reduceAll overwrites arrays, one for each device of a communicator in this process, with the reduction of those of all devices.
func reduceAll(op string, c *gpu.Communicator, how gpu.Reduction, parts []*node) {
	var err error
	switch dt := parts[0].dt; dt {
	case F16:
		err = gpu.AllReduce(c, how, buffers[Float16](parts)...)
	case BF16:
		err = gpu.AllReduce(c, how, buffers[BFloat16](parts)...)
	case F32:
		err = gpu.AllReduce(c, how, buffers[float32](parts)...)
	case F64:
		err = gpu.AllReduce(c, how, buffers[float64](parts)...)
	case C64:
		err = gpu.AllReduce(c, how, buffers[complex64](parts)...)
	case C128:
		err = gpu.AllReduce(c, how, buffers[complex128](parts)...)
	case Int8:
		err = gpu.AllReduce(c, how, buffers[int8](parts)...)
	case Int32:
		err = gpu.AllReduce(c, how, buffers[int32](parts)...)
	case Int64:
		err = gpu.AllReduce(c, how, buffers[int64](parts)...)
	case Uint8:
		err = gpu.AllReduce(c, how, buffers[uint8](parts)...)
	case Uint32:
		err = gpu.AllReduce(c, how, buffers[uint32](parts)...)
	case Uint64:
		err = gpu.AllReduce(c, how, buffers[uint64](parts)...)
	default:
		fail(op, "devices do not reduce arrays of %v: convert it with nd.AsType[int32]", dt)
	}
	if err != nil {
		panic(err)
	}
}

// allGather returns the arrays of the devices, which all have the same shape, one after the other along a new first axis, on all devices.
func (m *mesh) allGather(op string, parts []*node) *node {
	if len(parts) == 1 {
		return new(node).spread(op, m, everywhere, []*node{parts[0].expandDims(0)})
	}
	shape := append([]int{len(parts)}, parts[0].lay.shape...)
	out := make([]*node, len(parts))
	for i, e := range m.engines {
		out[i] = newNode(e, parts[i].dt, contiguous(op, shape))
	}
	if parts[0].lay.size > 0 {
		if err := gpu.AllGather(m.communicator(), buffers[byte](out), buffers[byte](parts)); err != nil {
			panic(err)
		}
	}
	return new(node).spread(op, m, everywhere, out)
}

// buffers returns the memory of arrays, which are contiguous or become so.
func buffers[T gpu.Element](list []*node) []*gpu.Buffer[T] {
	out := make([]*gpu.Buffer[T], len(list))
	for i, n := range list {
		out[i] = gpu.Reinterpret[T](bufferOf(n.packed().buffer()))
	}
	return out
}

// choose returns elements of the split axis as an array of the first device: count of them, from first on, step apart.
func (n *node) choose(op string, first, count, step int) *node {
	s := n.shards
	shape := n.Shape()
	shape[s.axis] = count
	out := newNode(n.eng, n.dt, contiguous(op, shape))
	b := s.mesh.bounds(n.lay.shape[s.axis])
	for i, p := range s.parts {
		// The numbers of the elements that are in this part.
		from, to := count, 0
		for _, k := range crossings(first, step, b[i], b[i+1]) {
			from, to = min(from, k), max(to, k+1)
		}
		from, to = max(from, 0), min(to, count)
		if from >= to {
			continue
		}
		local := p.picked(s.axis, first+from*step-b[i], to-from, step)
		out.between(s.axis, from, to).assign(local.on(n.eng.dev))
	}
	out.mem.fixed.Store(true)
	return out
}

// picked returns a view of count elements of an axis, from first on, step apart.
func (n *node) picked(axis, first, count, step int) *node {
	shape, strides := n.Shape(), n.Strides()
	off := first * strides[axis]
	shape[axis] = count
	strides[axis] *= step
	return n.viewWith(strided(shape, strides), off)
}

// crossings returns the smallest and the largest k for which begin <= first + k·step < end, if there are any.
func crossings(first, step, begin, end int) []int {
	low, high := begin-first, end-1-first
	if step < 0 {
		low, high, step = -high, -low, -step
	}
	from, to := ceilDiv(low, step), floorDiv(high, step)
	if from > to {
		return nil
	}
	return []int{from, to}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// sliceParts returns the part of a split array that the indices select, one for each axis, or nil if n is not split.
func (n *node) sliceParts(op string, index []Index) *node {
	s := n.shards
	if s == nil {
		return nil
	}
	if s.axis == everywhere {
		return n.eachPart(op, everywhere, func(_ int, p *node) *node { return p.slice(index) })
	}
	// Where the split axis is spoken of, and where it is in the result.
	axis, at := 0, 0
	for i, x := range index {
		switch {
		case x.kind == indexNew:
			at++
		case axis == s.axis:
			return n.sliceAlong(op, index, i, at)
		default:
			axis++
			if x.kind != indexAt {
				at++
			}
		}
	}
	return nil
}

// sliceAlong is sliceParts where index number i is that of the split axis, which is axis at of the result.
func (n *node) sliceAlong(op string, index []Index, i, at int) *node {
	x, length := index[i], n.lay.shape[n.shards.axis]
	others := slices.Clone(index)
	others[i] = All
	out := n.eachPart(op, at, func(_ int, p *node) *node { return p.slice(others) })
	if x.kind == indexAt {
		place := x.start
		if place < 0 {
			place += length
		}
		return out.choose(op, place, 1, 1).without(op, []int{at})
	}
	first, count, step := x.span(length)
	if count == length && step == 1 {
		return out
	}
	return out.choose(op, first, count, step)
}

// reshapeParts returns a split array with another shape, or nil if n is none or the shape cuts the split axis.
func (n *node) reshapeParts(op string, shape []int) *node {
	s := n.shards
	if s == nil {
		return nil
	}
	if s.axis == everywhere {
		return n.eachPart(op, everywhere, func(_ int, p *node) *node { return p.reshape(slices.Clone(shape)) })
	}
	before, length := product(n.lay.shape[:s.axis]), n.lay.shape[s.axis]
	for at, have := 0, 1; at < len(shape) && have <= before; at++ {
		if have == before && shape[at] == length {
			return n.eachPart(op, at, func(_ int, p *node) *node {
				to := slices.Clone(shape)
				to[at] = p.lay.shape[s.axis]
				return p.reshape(to)
			})
		}
		have *= shape[at]
	}
	return nil
}

// matmulParts returns the product of matrices of which one is split, or nil if none is.
func matmulParts[T Number](op string, a, b *Array[T], batch []int) *Array[T] {
	x, y := nodeOf(a), nodeOf(b)
	if x.shards == nil && y.shards == nil {
		return nil
	}
	m := x.mesh()
	if m == nil {
		m = y.mesh()
	}
	rank := len(batch) + 2
	// along splits each operand along an axis, counted from the end; the products are parts of that axis, or if it is 0 they are summed.
	along := func(axisX, axisY, axis int) *Array[T] {
		parts := products[T](op, x.splitFromEnd(m, axisX), y.splitFromEnd(m, axisY))
		switch {
		case axis == 0:
			return as[T](m.allReduce(op, gpu.ReduceSum, parts))
		case axis < 0:
			return as[T](new(node).spread(op, m, rank+axis, parts))
		}
		return as[T](new(node).spread(op, m, everywhere, parts))
	}
	atX, atY := x.fromEnd(), y.fromEnd()
	switch {
	case atX < -2 || atY < -2:
		return batchParts(op, a, b, append(slices.Clone(batch), 1, 1))
	case atX == -2:
		return along(-2, 0, -2)
	case atY == -1:
		return along(0, -1, -1)
	case (atX == -1 || atY == -2) && nodeOf(a).dt.half():
		// What is rounded to 16 bits cannot be added.
		return AsType[T](matmul(op, AsType[float32](as[T](x.stopped())), AsType[float32](as[T](y.stopped()))))
	case atX == -1 || atY == -2:
		return along(-1, -2, 0)
	}
	return along(0, 0, 1)
}

// batchParts is matmulParts where an axis before the last two is split.
func batchParts[T Number](op string, a, b *Array[T], shape []int) *Array[T] {
	// The last two axes are not looked at: they are shorter than the shape's only in operands that have them.
	x, y := nodeOf(a), nodeOf(b)
	p := placingOf(shape, x, y)
	if p == nil || p.axis == everywhere || p.axis >= len(shape)-2 {
		return nil // one of length 1 in the other operand was found
	}
	return as[T](new(node).spread(op, p.mesh, p.axis, products[T](op, p.of(x), p.of(y))))
}

// products returns the product of each x by the y with its number.
func products[T Number](op string, x, y []*node) []*node {
	list := make([]*node, len(x))
	for i := range list {
		list[i] = nodeOf(matmul(op, as[T](x[i]), as[T](y[i])))
	}
	return list
}

func (n *node) mesh() *mesh {
	if n.shards == nil {
		return nil
	}
	return n.shards.mesh
}

// fromEnd returns the split axis counted from the end, -1 for the last one, or 0 if there is none.
func (n *node) fromEnd() int {
	if n.splitAxis() == everywhere {
		return 0
	}
	return n.shards.axis - n.lay.rank()
}

// splitFromEnd returns the parts of an array split along an axis that is counted from the end, or all of it for each device if axis is 0.
func (n *node) splitFromEnd(m *mesh, axis int) []*node {
	p := &placing{m, everywhere, n.lay.shape}
	if axis < 0 {
		p.axis = n.lay.rank() + axis
	}
	return p.of(n)
}

// countParts counts the integers of a split array of one axis as Bincount does, or returns nil if n is none.
func (n *node) countParts(op string, weights *node, least int) *node {
	s := n.shards
	if s == nil || s.axis == everywhere || n.lay.rank() != 1 || weights != nil && !slices.Equal(n.lay.shape, weights.lay.shape) {
		return nil // collected, and checked there
	}
	of := make([]*node, len(s.parts))
	if weights != nil {
		common(op, n, weights, nil)
		weights.withoutGradient()
		of = (&placing{s.mesh, s.axis, n.lay.shape}).of(weights)
	}
	bins := max(least, 0)
	for _, p := range s.parts {
		bins = max(bins, p.bins(op, least))
	}
	parts := make([]*node, len(s.parts))
	for i, p := range s.parts {
		parts[i] = count(op, p, 0, bins, of[i])
	}
	return s.mesh.allReduce(op, gpu.ReduceSum, parts)
}

// besides returns what f makes of each part along an axis, by default the last one, or nil if n is not split or that axis is the split one.
func (n *node) besides(op string, axis []int, f func(p *node, axis int) *node) *node {
	if n.shards == nil || len(axis) > 1 {
		return nil
	}
	at := axisOf(op, append(axis, -1)[0], n.lay.rank())
	if at == n.shards.axis {
		return nil
	}
	return n.eachPart(op, n.shards.axis, func(_ int, p *node) *node { return f(p, at) })
}

// fourierParts transforms the axes of a split array by f, or returns nil if n is none, or has no axis that is not transformed.
func (n *node) fourierParts(op string, axes []int, f func(p *node) *node) *node {
	s := n.shards
	if s == nil {
		return nil
	}
	n.withoutGradient()
	if s.axis == everywhere || !slices.Contains(axes, s.axis) {
		return n.eachPart(op, s.axis, func(_ int, p *node) *node { return f(p) })
	}
	for axis := range n.lay.rank() {
		if !slices.Contains(axes, axis) {
			out := n.resplit(axis)
			return out.eachPart(op, axis, func(_ int, p *node) *node { return f(p) }).resplit(s.axis)
		}
	}
	return nil
}
