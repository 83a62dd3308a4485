package nd

import (
	_ "embed"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// Cumsum returns the cumulative sum along an axis or, without one, of all elements in row-major order, as an array of one axis. Sums are
// computed as by Sum. The order in which float64s are added depends on which blocks of the kernel finish first, so the last digits may
// differ from run to run. On a GPU one kernel computes the elements, scans the rows, and computes what is made of the sums of each row, if
// the rows are along the last axis and not too long.
func Cumsum[T Number](a *Array[T], axis ...int) *Array[T] { return scan("Cumsum", foldSum, a, axis) }

// Cumprod returns the cumulative product, with arguments as for Cumsum.
func Cumprod[T Number](a *Array[T], axis ...int) *Array[T] {
	return scan("Cumprod", foldProd, a, axis)
}

// Cummax returns the cumulative maximum, with arguments as for Cumsum; it is NaN from the first NaN on.
func Cummax[T Real](a *Array[T], axis ...int) *Array[T] { return scan("Cummax", foldMax, a, axis) }

// Cummin returns the cumulative minimum, with arguments as for Cumsum; it is NaN from the first NaN on.
func Cummin[T Real](a *Array[T], axis ...int) *Array[T] { return scan("Cummin", foldMin, a, axis) }

func scan[T Elem](name string, f fold, a *Array[T], axis []int) *Array[T] {
	nodeOf(a).check(name)
	switch len(axis) {
	case 0:
		a, axis = a.Ravel(), []int{0}
	case 1:
	default:
		fail(name, "%d axes are given, want one or none", len(axis))
	}
	rank := nodeOf(a).lay.rank()
	at := axisOf(name, axis[0], rank)
	last := a
	if at != rank-1 {
		last = a.MoveAxis(at, rank-1)
	}
	if at == rank-1 {
		if later := nodeOf(a).scanLater(name, f); later != nil {
			return as[T](later)
		}
	}
	out := as[T](nodeOf(last).besides(name, nil, func(p *node, _ int) *node { return nodeOf(scan(name, f, as[T](p), []int{-1})) }))
	if out == nil {
		p := as[T](nodeOf(last).plain().packed())
		out = newArray[T](common(name, nodeOf(a), nil, nil), contiguous(name, p.Shape()))
		if nodeOf(out).lay.size > 0 {
			nodeOf(out).eng.scan(f, nodeOf(p), nodeOf(out), nodeOf(p).lay.shape[rank-1])
		}
		runtime.KeepAlive(p)
	}
	nodeOf(out).deriveScan(name, f, nodeOf(last))
	if at != rank-1 {
		out = out.MoveAxis(rank-1, at)
	}
	return out
}

// scanItems returns how many elements a thread scans: up to 64 bytes of them.
func scanItems(dt DType) int { return min(64/dt.Size(), 16) }

// scanBlock returns how many threads scan a tile of rows of n elements.
func scanBlock(dt DType, n int) int {
	block := 32
	for block < 512 && block*scanItems(dt) < n {
		block *= 4
	}
	return block
}

// scan replaces each element of each row, of n elements of a dense array, by the fold of the row up to that element.
func (e *engine) scan(f fold, in, out *node, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.submitScan(f, out, n, in.span(), out.span())
}

// submitScan launches the kernel of a scan. The lock is held.
func (e *engine) submitScan(f fold, out *node, n int, from, to *buffer) {
	r, bytes := e.scanRequest(f, out.dt, out.lay.size, n)
	state := to // unused for rows of one tile
	if bytes > 0 {
		temp := scratch{e: e}
		defer temp.free()
		state = temp.alloc(bytes)
		state.Fill(0)
	}
	e.submit(&r, 2*out.lay.size*out.dt.Size(), to, from, state)
}

// scanRequest returns the launch of the kernel that scans rows of n elements, and how many bytes of memory, which are 0, it needs besides. The
// lock is held.
func (e *engine) scanRequest(f fold, dt DType, size, n int) (r request, bytes int) {
	s := scanning{fold: f, dt: dt, acc: f.accumulator(dt), block: scanBlock(dt, n)}
	tile := s.block * scanItems(dt)
	perRow := (n + tile - 1) / tile
	tiles := size / n * perRow
	s.chained = perRow > 1
	if s.chained {
		bytes = 8 * (1 + tiles*s.words())
	}
	e.words = e.words[:0].put(n).put(perRow)
	e.key = append(f.key(e.key[:0], 's'), byte(dt), boolByte(s.chained), byte(s.block/32))
	return request{
		key: e.key, words: e.words, write: s.source,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: tiles, Y: 1, Z: 1}, Block: gpu.Dim3{X: s.block, Y: 1, Z: 1}},
	}, bytes
}

// The kernel of scans, and the part of it by which a tile gets the fold of all tiles before it.
var (
	//go:embed kernels/scan.cu
	scanKernel string
	//go:embed kernels/scan_chain.cu
	scanChain string
)

// scanning has everything that the kernel of a scan depends on.
type scanning struct {
	fold    fold
	dt, acc DType
	block   int
	chained bool // rows have several tiles
}

// words returns how many words of 32 bits an accumulator has. They are exchanged between threads as such, and between blocks each as 64
// bits, the other half of which is its status, so that no word is read before it is valid.
func (s scanning) words() int { return (s.fold.accBytes(s.acc) + 3) / 4 }

// source writes the kernel. Blocks take tiles in the order in which they begin. Each publishes the fold of its tile and, when it knows
// the fold of all earlier tiles, the fold of all tiles up to its own. It finds the former from the tiles before it, 32 at a time, back to
// one that has published the latter. Blocks wait only for blocks that began earlier, so the scan also finishes if one block runs at a
// time. Meanwhile the values that a thread has read are in shared memory, which leaves registers for more blocks. A warp has a part of
// the tile, whose vectors adjacent threads take in turn.
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
	text := fill(scanKernel, holes{
		"join": join, "words": s.words(), "threads": s.block, "blocks": blocks, "name": name,
		"T": dt.info().stored, "width": width, "turns": scanItems(dt) / width,
		"none": f.before(s.acc), "ticket": ticket, "chain": chain, "result": dt.store(result),
		"first": f.lift(s.acc, dt, dt.load("x.at[0]"), "0"),
		"next":  f.lift(s.acc, dt, dt.load("x.at[e]"), "0"),
		"edge":  f.lift(s.acc, dt, dt.load("room[k * threads + threadIdx.x].at[e]"), "0"),
	})
	made := source{name: name, need: need, text: text}
	if f >= foldGo {
		return made
	}
	return made.describedBy(&expression.Kernel{
		Form: expression.Routine, Name: "scan", Types: []expression.Type{expression.Type(dt)}, Folding: expression.Folding(f), Acc: expression.Type(s.acc),
	})
}

// before returns the accumulator before the first element of a row, in C.
func (f fold) before(acc DType) string {
	switch { // 0 would change the sign of an array's leading zeros
	case f == foldSum && acc == F64:
		return "{-0.0}"
	case f == foldSum && acc == C128:
		return "{" + acc.info().held + "(-0.0, -0.0)}"
	}
	return f.none(acc)
}
