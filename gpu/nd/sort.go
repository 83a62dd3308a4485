package nd

import (
	"math"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Sort returns a sorted copy, along an axis or, without one, along the last. NaNs come last. Complex numbers are sorted by their real and
// then by their imaginary parts; those with a NaN in their imaginary part, in their real part, and in both come last, in that order.
func Sort[T Elem](a *Array[T], axis ...int) *Array[T] {
	return as[T](nodeOf(a).check("Sort").sort("Sort", axis))
}

func (n *node) sort(name string, axis []int) *node {
	n.withoutGradient()
	if out := n.besides(name, axis, func(p *node, at int) *node { return p.sort(name, []int{at}) }); out != nil {
		return out
	}
	p, at := n.rows(name, axis)
	var out *node
	if p.dt.is(kindComplex) {
		out = p.along(p.places(name))
	} else {
		out = newNode(p.eng, p.dt, p.lay)
		if p.lay.size > 0 {
			p.eng.sort(name, p, out, nil, nil)
		}
	}
	runtime.KeepAlive(p)
	return out.moveAxis(-1, at)
}

// Argsort returns the indices that sort the array as Sort does, along an axis or, without one, along the last. The sort is stable, also
// for NaNs.
func Argsort[T Elem](a *Array[T], axis ...int) *Array[int64] {
	return as[int64](nodeOf(a).check("Argsort").argsort("Argsort", axis))
}

func (n *node) argsort(name string, axis []int) *node {
	n.withoutGradient()
	if out := n.besides(name, axis, func(p *node, at int) *node { return p.argsort(name, []int{at}) }); out != nil {
		return out
	}
	p, at := n.rows(name, axis)
	return p.places(name).moveAxis(-1, at)
}

// SortBy returns the values in the order of the keys, which have the same shape: along an axis or, without one, along the last, they are
// those at the indices of Argsort(keys), so values of equal keys keep their order. The keys themselves are sorted by Sort.
//
//	names := nd.FromSlice([]int32{1, 2, 3, 4})
//	ages := nd.FromSlice([]float32{31, 24, 57, 24})
//	nd.SortBy(names, ages) // 2, 4, 1, 3
//
// It takes less time than to look up the values at the indices, since they move together with the keys, unless these are complex numbers,
// values have more than 8 bytes, or there are several rows of less than a million elements. In a gradient the keys are constants.
func SortBy[V, K Elem](values *Array[V], keys *Array[K], axis ...int) *Array[V] {
	return as[V](nodeOf(values).check("SortBy").sortBy("SortBy", nodeOf(keys).check("SortBy"), axis))
}

func (n *node) sortBy(name string, keys *node, axis []int) *node {
	if !slices.Equal(n.lay.shape, keys.lay.shape) {
		fail(name, "the keys of shape %s do not go with the values of shape %s: each value needs one", shapeString(keys.lay.shape), shapeString(n.lay.shape))
	}
	at := sortAxis(name, axis, n.lay.rank())
	keys = keys.stopped()
	if p := placingOf(n.lay.shape, n, keys); p != nil && p.axis != at {
		return n.sortParts(name, p, keys, at)
	}
	e := common(name, n, keys, nil)
	values, order := n.stopped().onto(e), keys.collected().onto(e)
	v, _ := values.rows(name, []int{at})
	k, _ := order.rows(name, []int{at})
	out := v.sortRows(name, k).moveAxis(-1, at)
	return out.deriveSort(name, n, keys, at)
}

// sortParts is sortBy for each part of arrays that are not split along that axis.
func (n *node) sortParts(name string, p *placing, keys *node, at int) *node {
	values, by := p.of(n.stopped()), p.of(keys)
	parts := make([]*node, len(values))
	for i, v := range values {
		parts[i] = v.sortBy(name, by[i], []int{at})
	}
	return new(node).spread(name, p.mesh, p.axis, parts).deriveSort(name, n, keys, at)
}

// onto returns the array, or a constant, which belongs to no device, as an array of the engine's.
func (n *node) onto(e *engine) *node {
	if n.eng == nil {
		return n.on(e.dev)
	}
	return n
}

// sortRows returns each row of a dense array in the order of that of the keys, which are dense, too.
func (n *node) sortRows(name string, keys *node) *node {
	size := n.lay.size
	if size == 0 {
		return newNode(n.eng, n.dt, n.lay)
	}
	if keys.dt.is(kindComplex) {
		return n.along(keys.placesComplex(name))
	}
	row := n.lay.shape[n.lay.rank()-1]
	if n.dt.Size() > 8 || row < size && row < rowAlone {
		order := newNode(n.eng, Uint32, n.lay)
		n.eng.sort(name, keys, nil, nil, order)
		return n.reshape([]int{-1}).gatherKnown(name, order.reshape([]int{-1}), 0, n.lay.shape, false)
	}
	out := newNode(n.eng, n.dt, n.lay)
	part := func(n *node, i int) *node {
		p := new(node)
		p.view(n, contiguous(name, []int{row}), n.off+i*row)
		return p
	}
	for i := range size / row {
		n.eng.sort(name, part(keys, i), nil, part(n, i), part(out, i))
	}
	runtime.KeepAlive(n)
	runtime.KeepAlive(keys)
	return out
}

// rowAlone is the length from which rows of values are sorted one by one: shorter ones are looked up by indices, which say what row they
// are of, and are near each other in memory.
const rowAlone = 1 << 20

// places returns the indices that sort each row of a dense array.
func (n *node) places(name string) *node {
	if n.dt.is(kindComplex) {
		return n.placesComplex(name)
	}
	found := newNode(n.eng, Uint32, n.lay)
	if n.lay.size > 0 {
		n.eng.sort(name, n, nil, nil, found)
	}
	runtime.KeepAlive(n)
	wide := as[int64](found.unary(name, opCast, Int64))
	if length := max(n.lay.shape[n.lay.rank()-1], 1); length < n.lay.size {
		wide = wide.ModScalar(int64(length)) // the indices are those in the whole array
	}
	return nodeOf(wide)
}

// placesComplex sorts by the imaginary parts, then by the real ones and then by where there are NaNs: each of these sorts is stable.
func (n *node) placesComplex(name string) *node {
	re, im := n.unary(name, opReal, n.dt.realPart()), n.unary(name, opImag, n.dt.realPart())
	flag := func(part *node) *Array[uint8] {
		return as[uint8](part.unary(name, opIsnan, Bool).unary(name, opCast, Uint8))
	}
	nans := flag(im).Add(flag(re).MulScalar(2))
	order := im.packed().places(name)
	for _, key := range []*node{re, nodeOf(nans)} {
		order = order.along(key.packed().along(order).places(name))
	}
	return order
}

// along returns the elements of each row at indices that are known to be in range.
func (n *node) along(places *node) *node {
	return n.gatherKnown("Sort", places, n.lay.rank()-1, n.lay.shape, true)
}

// rows returns a dense array with the given axis, or the last one, as its last, and the number of that axis in n.
func (n *node) rows(name string, axis []int) (rows *node, at int) {
	rank := n.lay.rank()
	at = sortAxis(name, axis, rank)
	if n.eng == nil {
		n.ready()
	}
	return n.moveAxis(at, rank-1).packed(), at
}

// sortAxis returns the number of the given axis, or of the last one.
func sortAxis(name string, axis []int, rank int) int {
	switch len(axis) {
	case 0:
		return axisOf(name, -1, rank)
	case 1:
		return axisOf(name, axis[0], rank)
	}
	fail(name, "%d axes are given, want one or none", len(axis))
	return 0
}

// sortBlock is the number of threads that sort a tile.
const sortBlock = 512

// items returns the number of keys that each of them takes.
func (s *sorting) items() int { return min(64/max(s.dt.Size(), s.values), 16) }

// The modes of a pass over keys.
const (
	sortFirst = 1 << iota // keys are read as numbers, and payloads are made
	sortLast              // keys are written as numbers
	sortTies              // the two zeros are the same
)

// sort sorts the rows of a dense array by their digits of 8 bits, the least significant first, and then, if there are several rows, by
// the digits of the row's number. out gets the sorted keys. With out nil, ordered gets the original index of each key or, if values are
// given, the value that goes with it; then there is one row. How often each digit occurs is counted at once for all passes; then each pass
// reads and writes each key once.
func (e *engine) sort(name string, in, out, values, ordered *node) {
	size := in.lay.size
	n := in.lay.shape[in.lay.rank()-1]
	if size > math.MaxUint32 {
		fail(name, "the array has %d elements, there can be %d", size, uint32(math.MaxUint32))
	}
	s := sorting{dt: in.dt, payload: ordered != nil || size > n, wide: size >= 1<<30, size: size, row: n}
	digits := []int{}
	for shift := 0; shift < 8*s.dt.Size(); shift += 8 {
		digits = append(digits, shift)
	}
	keyDigits, flags := len(digits), 0
	if ordered != nil {
		flags = sortTies
	}
	for shift := 0; (size/n-1)>>shift > 0; shift += 8 {
		digits = append(digits, shift)
	}
	temp := scratch{e: e}
	defer temp.free()
	from := in.buffer()
	fromVals := from // unused without payloads
	if values != nil {
		s.values, fromVals = values.dt.Size(), values.buffer()
	}
	keys := s.buffers(&temp, out, from, s.dt.Size(), len(digits))
	vals := keys // unused without payloads
	if s.payload {
		vals = s.buffers(&temp, ordered, fromVals, s.width(), len(digits))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	counts := temp.alloc(4 * 256 * len(digits))
	counts.Fill(0)
	s.count(e, counts, from, len(digits)-keyDigits, flags|sortFirst)
	state := temp.alloc(s.word() * (1 + 256*s.tiles()))
	for i, shift := range digits {
		mode := flags
		if i == 0 {
			mode |= sortFirst
		}
		to := (len(digits) - 1 - i) % 2 // so that the last one goes to out
		if i == len(digits)-1 {
			mode |= sortLast
		}
		digit := counts.Slice(4*256*i, 4*256*(i+1))
		state.Fill(0)
		if i < keyDigits {
			s.pass(e, shift, mode, digit, from, fromVals, keys[to], vals[to], state)
		} else { // the digit is one of the number of the row that has the payload
			s.rows = true
			s.pass(e, shift, mode, digit, fromVals, from, vals[to], keys[to], state)
		}
		from, fromVals = keys[to], vals[to]
	}
}

// buffers returns the memory that passes write by turns, which has room for elements of that many bytes. The last pass writes the first
// one, which is that of the array, if it is not nil. Where nothing is written, the buffer is any.
func (s *sorting) buffers(temp *scratch, last *node, anything *buffer, width, passes int) [2]*buffer {
	list := [2]*buffer{anything, anything}
	switch {
	case last != nil:
		list[0] = last.buffer()
	case s.values == 0 || passes > 2: // the last pass of values writes no keys
		list[0] = temp.alloc(s.size * width)
	}
	if passes > 1 {
		list[1] = temp.alloc(s.size * width)
	}
	return list
}

// sorting has everything that the kernels of a sort depend on, and the sizes of the array and of its rows.
type sorting struct {
	dt        DType
	payload   bool // keys are accompanied by their original indices, or by values
	values    int  // bytes of such a value
	wide      bool // counts need more than 30 bits
	rows      bool // the payload is sorted by, and keys accompany it
	size, row int
}

// width returns the bytes of what accompanies a key.
func (s *sorting) width() int {
	switch {
	case s.values > 0:
		return s.values
	case s.payload:
		return 4
	}
	return 0
}

func (s *sorting) tiles() int {
	tile := sortBlock * s.items()
	return (s.size + tile - 1) / tile
}

// word returns the size of a count that blocks exchange.
func (s *sorting) word() int {
	if s.wide {
		return 8
	}
	return 4
}

// count launches the kernels that find, for each digit of each pass, how many keys have a lower one. The lock is held.
func (s *sorting) count(e *engine, counts, in *buffer, rowDigits, mode int) {
	block := gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}
	e.words = e.words[:0].put(s.size).put(s.row).put(rowDigits).put(mode)
	e.key = append(e.key[:0], 'c', byte(s.dt))
	e.submit(&request{
		key: e.key, words: e.words, write: s.countSource,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: min(s.tiles(), sortBlocks), Y: 1, Z: 1}, Block: block},
	}, s.size*s.dt.Size(), counts, in)
	e.words = e.words[:0].put(0).put(0).put(0).put(0)
	e.key = append(e.key[:0], 'b')
	e.submit(&request{
		key: e.key, words: e.words, write: beforeSource,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: s.dt.Size() + rowDigits, Y: 1, Z: 1}, Block: block},
	}, 0, counts)
}

// sortBlocks is the number of blocks that count digits: enough to keep a large GPU busy.
const sortBlocks = 132 * 8

// pass sorts by one digit of the elements of lead; those of other accompany them. The lock is held, and state is all zeros.
func (s *sorting) pass(e *engine, shift, mode int, counts, lead, other, toLead, toOther, state *buffer) {
	e.words = e.words[:0].put(s.size).put(s.row).put(shift).put(mode)
	e.key = append(e.key[:0], 'd', byte(s.dt), boolByte(s.payload), boolByte(s.wide), boolByte(s.rows), byte(s.values))
	e.submit(&request{
		key: e.key, words: e.words, write: s.moveSource,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: s.tiles(), Y: 1, Z: 1}, Block: gpu.Dim3{X: sortBlock, Y: 1, Z: 1}},
	}, 2*s.size*(s.dt.Size()+s.width()), lead, other, counts, toLead, toOther, state)
}
