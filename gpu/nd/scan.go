package nd

import (
	_ "embed"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Cumsum is the sums of all elements up to each one, along an axis or, without one, of the array with
// one axis. They are computed as Sum computes them. Which sums of float64s are brought together first depends on
// which blocks of the kernel are done first, so that the last digits may differ from run to run.
func Cumsum[T Number](a *Array[T], axis ...int) *Array[T] { return scan("Cumsum", foldSum, a, axis) }

// Cumprod is the products of all elements up to each one, as Cumsum is the sums.
func Cumprod[T Number](a *Array[T], axis ...int) *Array[T] {
	return scan("Cumprod", foldProd, a, axis)
}

// Cummax is the greatest element up to each one, as Cumsum is the sums; NaN from the first NaN on.
func Cummax[T Real](a *Array[T], axis ...int) *Array[T] { return scan("Cummax", foldMax, a, axis) }

// Cummin is the least element up to each one, as Cummax is the greatest.
func Cummin[T Real](a *Array[T], axis ...int) *Array[T] { return scan("Cummin", foldMin, a, axis) }

func scan[T Elem](name string, f fold, a *Array[T], axis []int) *Array[T] {
	a.check(name)
	switch len(axis) {
	case 0:
		a, axis = a.Ravel(), []int{0}
	case 1:
	default:
		fail(name, "%d axes are given, want one or none", len(axis))
	}
	rank := a.lay.rank()
	at := axisOf(name, axis[0], rank)
	last := a
	if at != rank-1 {
		last = a.MoveAxis(at, rank-1)
	}
	p := packed(last)
	out := newArray[T](common(name, a.core(), nil, nil), contiguous(name, p.Shape()))
	if out.lay.size > 0 {
		out.eng.scan(f, p.core(), out.core(), p.lay.shape[rank-1])
	}
	runtime.KeepAlive(p)
	if at != rank-1 {
		out = out.MoveAxis(rank-1, at)
	}
	return out
}

// scanItems is how many elements a thread goes through: up to 64 bytes of them.
func scanItems(dt DType) int { return min(64/dt.Size(), 16) }

// scanBlock is how many threads go through a tile of rows of n elements.
func scanBlock(dt DType, n int) int {
	block := 32
	for block < 512 && block*scanItems(dt) < n {
		block *= 4
	}
	return block
}

// scan folds each row of n elements of a dense array up to each element.
func (e *engine) scan(f fold, in, out *node, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := scanning{fold: f, dt: in.dt, acc: f.accumulator(in.dt), block: scanBlock(in.dt, n)}
	tile := s.block * scanItems(in.dt)
	perRow := (n + tile - 1) / tile
	tiles := in.lay.size / n * perRow
	s.chained = perRow > 1
	state := out.mem.now.buf // is not used by rows of one tile
	if s.chained {
		temp := scratch{e: e}
		defer temp.free()
		state = temp.alloc(8 * (1 + tiles*s.words()))
		state.Fill(0)
	}
	e.words = e.words[:0].put(n).put(perRow)
	e.key = append(e.key[:0], 's', byte(f), byte(in.dt), boolByte(s.chained), byte(s.block/32))
	e.submit(&request{
		key: e.key, words: e.words, write: s.source,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: tiles, Y: 1, Z: 1}, Block: gpu.Dim3{X: s.block, Y: 1, Z: 1}},
	}, 2*out.lay.size*out.dt.Size(), out.buffer(), in.buffer(), state)
}

// The kernel of scans, and the part of it by which a tile learns what the tiles before it amount to.
var (
	//go:embed kernels/scan.cu
	scanKernel string
	//go:embed kernels/scan_chain.cu
	scanChain string
)

// scanning is what the kernel of a scan depends on.
type scanning struct {
	fold    fold
	dt, acc DType
	block   int
	chained bool // rows have several tiles
}

// words is how many words of 32 bits an accumulator has. They travel between threads as such, and
// between blocks each in 64 bits, of which the others say what it is, so that no word is read without.
func (s scanning) words() int { return (s.fold.accBytes(s.acc) + 3) / 4 }

// source writes the kernel. Blocks take tiles in the order in which they begin. Each says what its tile amounts
// to and, when it knows what comes before it, what all up to it amount to. It learns that from the
// tiles before it, 32 at a time, back to one that knows. Blocks that wait are behind the ones they wait for,
// so that also one block at a time gets through. Meanwhile what a thread has read lies in shared memory, which leaves
// registers for more blocks. A warp has a part of the tile, whose vectors neighbours take in turn.
func (s scanning) source() source {
	f, dt := s.fold, s.dt
	join, need := f.source(s.acc)
	result, more := castExpr(dt, s.acc, "acc.value")
	_, lifted := castExpr(s.acc, dt, "")
	need |= more | lifted | dt.needs() | needVector
	name := "scan_" + f.name()
	ticket, chain := "blockIdx.x", ""
	if s.chained {
		ticket, chain = "(unsigned)atomicAdd(state, 1ull)", scanChain
	}
	blocks := 1 // at once, which limits the registers
	if s.block == 512 {
		blocks = 2
		if s.words() <= 2 {
			blocks = 4
		}
	}
	width := vector / dt.Size()
	none := f.none(s.acc)
	switch { // 0 would change the sign of an array's first zeros
	case f == foldSum && s.acc == F64:
		none = "{-0.0}"
	case f == foldSum && s.acc == C128:
		none = "{" + s.acc.info().held + "(-0.0, -0.0)}"
	}
	text := fill(scanKernel, holes{
		"join": join, "words": s.words(), "threads": s.block, "blocks": blocks, "name": name,
		"T": dt.info().stored, "width": width, "turns": scanItems(dt) / width,
		"none": none, "ticket": ticket, "chain": chain, "result": dt.store(result),
		"first": f.lift(s.acc, dt, dt.load("x.at[0]"), "0"),
		"next":  f.lift(s.acc, dt, dt.load("x.at[e]"), "0"),
		"edge":  f.lift(s.acc, dt, dt.load("room[k * threads + threadIdx.x].at[e]"), "0"),
	})
	return source{name, need, text}
}
