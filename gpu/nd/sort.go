package nd

import (
	"math"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Sort returns a sorted copy, along an axis or, without one, along the last. NaNs come last. Complex numbers are sorted by their real and
// then by their imaginary parts; those with a NaN in their imaginary part, in their real part, and in both come last, in that order.
func Sort[T Elem](a *Array[T], axis ...int) *Array[T] {
	const name = "Sort"
	a.check(name).withoutGradient()
	if out := a.core().besides(name, axis, func(p *node, at int) *node { return Sort(as[T](p), at).core() }); out != nil {
		return as[T](out)
	}
	p, at := rowsOf(name, a, axis)
	if p.dt.is(kindComplex) {
		return as[T](p.core().along(p.core().places(name))).MoveAxis(-1, at)
	}
	out := newArray[T](p.eng, p.lay)
	if p.lay.size > 0 {
		p.eng.sort(name, p.core(), out.core(), nil)
	}
	runtime.KeepAlive(p)
	return out.MoveAxis(-1, at)
}

// Argsort returns the indices that sort the array as Sort does, along an axis or, without one, along the last. The sort is stable, also
// for NaNs.
func Argsort[T Elem](a *Array[T], axis ...int) *Array[int64] {
	const name = "Argsort"
	a.check(name).withoutGradient()
	if out := a.core().besides(name, axis, func(p *node, at int) *node { return Argsort(as[T](p), at).core() }); out != nil {
		return as[int64](out)
	}
	p, at := rowsOf(name, a, axis)
	return as[int64](p.core().places(name)).MoveAxis(-1, at)
}

// places returns the indices that sort each row of a dense array.
func (n *node) places(name string) *node {
	if n.dt.is(kindComplex) {
		return n.placesComplex(name)
	}
	found := newNode(n.eng, Uint32, n.lay)
	if n.lay.size > 0 {
		keys := newNode(n.eng, n.dt, n.lay)
		n.eng.sort(name, n, keys, found)
	}
	runtime.KeepAlive(n)
	wide := as[int64](found.unary(name, opCast, Int64))
	if length := max(n.lay.shape[n.lay.rank()-1], 1); length < n.lay.size {
		wide = wide.ModScalar(int64(length)) // the indices are those in the whole array
	}
	return wide.core()
}

// placesComplex sorts by the imaginary parts, then by the real ones and then by where there are NaNs: each of these sorts is stable.
func (n *node) placesComplex(name string) *node {
	re, im := n.unary(name, opReal, n.dt.realPart()), n.unary(name, opImag, n.dt.realPart())
	flag := func(part *node) *Array[uint8] {
		return as[uint8](part.unary(name, opIsnan, Bool).unary(name, opCast, Uint8))
	}
	nans := flag(im).Add(flag(re).MulScalar(2))
	order := im.packed().places(name)
	for _, key := range []*node{re, nans.core()} {
		order = order.along(key.packed().along(order).places(name))
	}
	return order
}

// along returns the elements of each row at indices that are known to be in range.
func (n *node) along(places *node) *node {
	return n.gatherKnown("Sort", places, n.lay.rank()-1, n.lay.shape, true)
}

// rowsOf returns a dense array with the given axis, or the last one, as its last, and the number of that axis in a.
func rowsOf[T Elem](name string, a *Array[T], axis []int) (rows *Array[T], at int) {
	rank := a.check(name).lay.rank()
	switch len(axis) {
	case 0:
		at = axisOf(name, -1, rank)
	case 1:
		at = axisOf(name, axis[0], rank)
	default:
		fail(name, "%d axes are given, want one or none", len(axis))
	}
	if a.eng == nil {
		a.core().ready()
	}
	return packed(a.MoveAxis(at, rank-1)), at
}

// sortBlock is the number of threads that sort a tile.
const sortBlock = 512

// sortItems returns the number of keys that each of them takes.
func sortItems(dt DType) int { return min(64/dt.Size(), 16) }

// The modes of a pass over keys.
const (
	sortFirst = 1 << iota // keys are read as numbers, and payloads are made
	sortLast              // keys are written as numbers
	sortTies              // the two zeros are the same
)

// sort sorts the rows of a dense array by their digits of 8 bits, the least significant first, and then, if there are several rows, by
// the digits of the row's number. places, if not nil, gets the original index of each element. How often each digit occurs is counted at
// once for all passes; then each pass reads and writes each key once.
func (e *engine) sort(name string, in, out, places *node) {
	size := in.lay.size
	n := in.lay.shape[in.lay.rank()-1]
	if size > math.MaxUint32 {
		fail(name, "the array has %d elements, there can be %d", size, uint32(math.MaxUint32))
	}
	s := sorting{dt: in.dt, payload: places != nil || size > n, wide: size >= 1<<30, size: size, row: n}
	digits := []int{}
	for shift := 0; shift < 8*s.dt.Size(); shift += 8 {
		digits = append(digits, shift)
	}
	keyDigits, flags := len(digits), 0
	if places != nil {
		flags = sortTies
	}
	for shift := 0; (size/n-1)>>shift > 0; shift += 8 {
		digits = append(digits, shift)
	}
	temp := scratch{e: e}
	defer temp.free()
	keys := [2]*gpu.Buffer[byte]{out.buffer(), temp.alloc(size * s.dt.Size())}
	vals := keys // unused without payloads
	if s.payload {
		vals[1] = temp.alloc(4 * size)
		if vals[0] = vals[1]; places != nil {
			vals[0] = places.buffer()
		} else if len(digits) > 1 {
			vals[0] = temp.alloc(4 * size)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	counts := temp.alloc(4 * 256 * len(digits))
	counts.Fill(0)
	s.count(e, counts, in.buffer(), len(digits)-keyDigits, flags|sortFirst)
	state := temp.alloc(s.word() * (1 + 256*s.tiles()))
	from, fromVals := in.buffer(), vals[0]
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

// sorting has everything that the kernels of a sort depend on, and the sizes of the array and of its rows.
type sorting struct {
	dt        DType
	payload   bool // keys are accompanied by their original indices
	wide      bool // counts need more than 30 bits
	rows      bool // the payload is sorted by, and keys accompany it
	size, row int
}

func (s *sorting) tiles() int {
	tile := sortBlock * sortItems(s.dt)
	return (s.size + tile - 1) / tile
}

func (s *sorting) kernelKey(e *engine, kind byte) []byte {
	e.key = append(e.key[:0], kind, byte(s.dt), boolByte(s.payload), boolByte(s.wide), boolByte(s.rows))
	return e.key
}

// word returns the size of a count that blocks exchange.
func (s *sorting) word() int {
	if s.wide {
		return 8
	}
	return 4
}

// count launches the kernels that find, for each digit of each pass, how many keys have a lower one. The lock is held.
func (s *sorting) count(e *engine, counts, in *gpu.Buffer[byte], rowDigits, mode int) {
	block := gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}
	e.words = e.words[:0].put(s.size).put(s.row).put(rowDigits).put(mode)
	e.submit(&request{
		key: s.kernelKey(e, 'c'), words: e.words, write: s.countSource,
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
func (s *sorting) pass(e *engine, shift, mode int, counts, lead, other, toLead, toOther, state *gpu.Buffer[byte]) {
	e.words = e.words[:0].put(s.size).put(s.row).put(shift).put(mode)
	bytes := s.dt.Size()
	if s.payload {
		bytes += 4
	}
	e.submit(&request{
		key: s.kernelKey(e, 'd'), words: e.words, write: s.moveSource,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: s.tiles(), Y: 1, Z: 1}, Block: gpu.Dim3{X: sortBlock, Y: 1, Z: 1}},
	}, 2*s.size*bytes, lead, other, counts, toLead, toOther, state)
}
