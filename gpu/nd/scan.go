package nd

import (
	"fmt"
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
	w := writer{}
	fmt.Fprintf(&w, `struct nd_args { long long v[2]; };
%[1]sstruct nd_words { unsigned at[%[2]d]; };
static __device__ __forceinline__ nd_words nd_pack(nd_acc a) {
    nd_words w = {};
    memcpy(&w, &a, sizeof(a));
    return w;
}
static __device__ __forceinline__ nd_acc nd_unpack(nd_words w) {
    nd_acc a;
    memcpy(&a, &w, sizeof(a));
    return a;
}
// The value of the thread d before this one in the warp, and that of thread at.
static __device__ __forceinline__ nd_acc nd_up(nd_acc a, int d) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < %[2]d; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
    return nd_unpack(w);
}
static __device__ __forceinline__ nd_acc nd_of(nd_acc a, int at) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < %[2]d; k++)
        w.at[k] = __shfl_sync(0xffffffffu, w.at[k], at);
    return nd_unpack(w);
}
extern "C" __global__ void __launch_bounds__(%[3]d, %[4]d) %[5]s(%[6]s *out, const %[6]s *in, unsigned long long *state, const nd_args a) {
    const int threads = %[3]d, warps = threads / 32, width = %[7]d, turns = %[8]d, tile = threads * width * turns, words = %[2]d;
    typedef nd_vector<%[6]s, width> elements;
    __shared__ elements room[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = %[9]s;
    const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = %[10]s;
    __syncthreads();
    // Where the thread's first element is, and how many the tile has from there on. What else it takes to know that is forgotten: registers are scarce.
    long long at;
    int rest;
    bool whole; // tiles that can be read as vectors
    {
        const unsigned perRow = (unsigned)a.v[1], row = ticket < perRow ? 0 : ticket / perRow;
        const long long begin = (long long)(ticket - row * perRow) * tile;
        const int own = (warp * turns * 32 + lane) * width;
        at = (long long)row * a.v[0] + begin;
        whole = a.v[0] - begin >= tile && ((size_t)(in + at) | (size_t)(out + at)) %% sizeof(elements) == 0;
        rest = (int)min(a.v[0] - begin, (long long)tile) - own;
        at += own;
    }
    // What the warp's threads before this one amount to, for each turn.
    nd_acc sum[turns];
    if (whole) {
        elements x[turns];
#pragma unroll
        for (int k = 0; k < turns; k++)
            x[k] = *(const elements *)(in + at + k * 32 * width);
#pragma unroll
        for (int k = 0; k < turns; k++)
            room[k * threads + threadIdx.x] = x[k];
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const elements x = room[k * threads + threadIdx.x];
            nd_acc acc = %[11]s;
#pragma unroll
            for (int e = 1; e < width; e++)
                acc = nd_join(acc, %[12]s);
            sum[k] = acc;
        }
    } else {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            nd_acc acc = none;
#pragma unroll 1
            for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
                room[k * threads + threadIdx.x].at[e] = in[at + k * 32 * width + e];
                acc = nd_join(acc, %[15]s);
            }
            sum[k] = acc;
        }
    }
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const nd_acc left = nd_up(sum[k], d);
            if (lane >= d)
                sum[k] = nd_join(left, sum[k]);
        }
    nd_acc carry = none;
#pragma unroll
    for (int k = 0; k < turns; k++) {
        const nd_acc whole = nd_of(sum[k], 31), left = nd_up(sum[k], 1);
        sum[k] = lane > 0 ? nd_join(carry, left) : carry;
        carry = nd_join(carry, whole);
    }
    if (lane == 0)
        of_warp[warp] = carry;
    __syncthreads();
    if (warp == 0) {
        nd_acc part = lane < warps ? of_warp[lane] : none;
        for (int d = 1; d < warps; d *= 2) {
            const nd_acc left = nd_up(part, d);
            if (lane >= d)
                part = nd_join(left, part);
        }
        const nd_acc total = nd_of(part, warps - 1), left = nd_up(part, 1);
        nd_acc all = none; // before the tile
%[13]s        if (lane < warps)
            of_warp[lane] = lane > 0 ? nd_join(all, left) : all;
    }
    __syncthreads();
    const nd_acc before = of_warp[warp];
#pragma unroll
    for (int k = 0; k < turns; k++) {
        elements x = room[k * threads + threadIdx.x];
        nd_acc acc = nd_join(before, sum[k]);
        if (whole) {
#pragma unroll
            for (int e = 0; e < width; e++) {
                acc = nd_join(acc, %[12]s);
                x.at[e] = %[14]s;
            }
            *(elements *)(out + at + k * 32 * width) = x;
            continue;
        }
#pragma unroll 1
        for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
            acc = nd_join(acc, %[15]s);
            out[at + k * 32 * width + e] = %[14]s;
        }
    }
}
`, join, s.words(), s.block, blocks, name, dt.info().stored, width, scanItems(dt)/width, f.none(s.acc), ticket,
		f.lift(s.acc, dt, dt.load("x.at[0]"), "0"), f.lift(s.acc, dt, dt.load("x.at[e]"), "0"), chain, dt.store(result),
		f.lift(s.acc, dt, dt.load("room[k * threads + threadIdx.x].at[e]"), "0"))
	return source{name, need, w.String()}
}

const scanChain = `        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        const unsigned perRow = (unsigned)a.v[1], t = ticket < perRow ? ticket : ticket % perRow;
        if (t > 0) {
            const nd_words told = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | told.at[lane];
            for (int last = (int)t - 1;; last -= 32) {
                unsigned known = 2;
                nd_acc v = none;
                if (last >= lane) {
                    volatile unsigned long long *const theirs = mine - (size_t)(t - last + lane) * words;
                    nd_words found;
                    do {
                        unsigned least = 2, most = 0;
                        for (int k = 0; k < words; k++) {
                            const unsigned long long word = theirs[k];
                            found.at[k] = (unsigned)word;
                            least = min(least, (unsigned)(word >> 32));
                            most = max(most, (unsigned)(word >> 32));
                        }
                        known = least == most ? least : 0;
                    } while (known == 0);
                    v = nd_unpack(found);
                }
                const unsigned done = __ballot_sync(0xffffffffu, known == 2);
                if (done != 0 && lane >= __ffs(done))
                    v = none;
                for (int d = 1; d < 32; d *= 2) {
                    nd_words w = nd_pack(v);
                    for (int k = 0; k < words; k++)
                        w.at[k] = __shfl_down_sync(0xffffffffu, w.at[k], d);
                    if (lane + d < 32)
                        v = nd_join(nd_unpack(w), v);
                }
                all = nd_join(v, all); // the first lane's counts
                if (done != 0)
                    break;
            }
            all = nd_of(all, 0);
        }
        if (lane == 0) {
            const nd_words w = nd_pack(nd_join(all, total));
            for (int k = 0; k < words; k++)
                mine[k] = 2ull << 32 | w.at[k];
        }
`
