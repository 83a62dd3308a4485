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

// scanItems is how many neighbours a thread goes through: 64 bytes of them.
func scanItems(dt DType) int { return min(64/dt.Size(), 16) }

// scan folds each row of n elements of a dense array up to each element.
func (e *engine) scan(f fold, in, out *node, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	acc := f.accumulator(in.dt)
	tile := reduceBlock * scanItems(in.dt)
	perRow := (n + tile - 1) / tile
	tiles := in.lay.size / n * perRow
	chained := perRow > 1
	state := out.mem.now.buf // is not used by rows of one tile
	if chained {
		temp := scratch{e: e}
		defer temp.free()
		state = temp.alloc(8 * (1 + tiles*scanWords(f, acc)))
		state.Fill(0)
	}
	e.words = e.words[:0].put(n).put(perRow)
	e.key = append(e.key[:0], 's', byte(f), byte(in.dt), boolByte(chained))
	e.submit(&request{
		key: e.key, words: e.words, write: func() source { return scanSource(f, in.dt, acc, chained) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: tiles, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}},
	}, 2*out.lay.size*out.dt.Size(), out.buffer(), in.buffer(), state)
}

// scanWords is how many words of 32 bits an accumulator has. They travel between threads as such, and
// between blocks each in 64 bits, of which the others say what it is, so that no word is read without.
func scanWords(f fold, acc DType) int { return (f.accBytes(acc) + 3) / 4 }

// scanSource writes the kernel. Blocks take tiles in the order in which they begin. Each says what its tile amounts
// to and, when it knows what comes before it, what all up to it amount to. It learns that from the
// tiles before it, 32 at a time, back to one that knows. Blocks that wait are behind the ones they wait for,
// so that also one block at a time gets through.
func scanSource(f fold, dt, acc DType, chained bool) source {
	items := scanItems(dt)
	join, need := f.source(acc)
	result, more := castExpr(dt, acc, "acc.value")
	_, lifted := castExpr(acc, dt, "")
	need |= more | lifted | dt.needs()
	name := "scan_" + f.name()
	ticket, chain := "blockIdx.x", ""
	if chained {
		ticket, chain = "(unsigned)atomicAdd(state, 1ull)", scanChain
	}
	w := writer{}
	fmt.Fprintf(&w, "struct nd_args { long long v[2]; };\n%s", join)
	fmt.Fprintf(&w, `struct nd_words { unsigned at[%[12]d]; };
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
extern "C" __global__ void __launch_bounds__(%[1]d) %[2]s(%[3]s *out, const %[3]s *in, unsigned long long *state, const nd_args a) {
    __shared__ %[3]s tile[%[1]d * %[4]d];
    __shared__ nd_acc of_warp[%[1]d / 32];
    __shared__ nd_acc before_tile;
    __shared__ unsigned ticket;
    const nd_acc none = %[5]s;
    const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32, words = %[12]d;
    if (threadIdx.x == 0) {
        ticket = %[6]s;
        before_tile = none;
    }
    __syncthreads();
    const unsigned perRow = (unsigned)a.v[1], t = ticket %% perRow;
    const long long begin = (long long)t * %[7]d, base = (long long)(ticket / perRow) * a.v[0] + begin;
    const int count = (int)min(a.v[0] - begin, (long long)%[7]d);
    // Neighbours are read by neighbours, and then each thread takes its own, with a gap behind them.
    const %[3]s *from = in + base + threadIdx.x;
    const int place = threadIdx.x + threadIdx.x / %[8]d, own = threadIdx.x * %[4]d;
    if (count == %[7]d) {
#pragma unroll
        for (int k = 0; k < %[8]d; k++)
            tile[place + k * %[13]d] = from[k * %[1]d];
    } else {
        for (int k = 0; k < %[8]d; k++)
            if (k * %[1]d + (int)threadIdx.x < count)
                tile[place + k * %[13]d] = from[k * %[1]d];
    }
    __syncthreads();
    nd_acc part[%[8]d];
    nd_acc acc = none;
#pragma unroll
    for (int k = 0; k < %[8]d; k++) {
        if (count == %[7]d || (int)threadIdx.x * %[8]d + k < count)
            acc = nd_join(acc, %[9]s);
        part[k] = acc;
    }
    // What the threads before this one amount to: in its warp, and in the warps before.
    nd_acc sum = acc;
    for (int d = 1; d < 32; d *= 2) {
        nd_words w = nd_pack(sum);
        for (int k = 0; k < words; k++)
            w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
        if (lane >= d)
            sum = nd_join(nd_unpack(w), sum);
    }
    nd_words w = nd_pack(sum);
    for (int k = 0; k < words; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], 1);
    nd_acc before = lane > 0 ? nd_unpack(w) : none;
    if (lane == 31)
        of_warp[warp] = sum;
    __syncthreads();
    nd_acc others = none;
    for (int k = 0; k < warp; k++)
        others = nd_join(others, of_warp[k]);
    before = nd_join(others, before);
%[10]s    before = nd_join(before_tile, before);
#pragma unroll
    for (int k = 0; k < %[8]d; k++) {
        if (count == %[7]d || (int)threadIdx.x * %[8]d + k < count) {
            acc = nd_join(before, part[k]);
            tile[own + k] = %[11]s;
        }
    }
    __syncthreads();
    %[3]s *to = out + base + threadIdx.x;
    if (count == %[7]d) {
#pragma unroll
        for (int k = 0; k < %[8]d; k++)
            to[k * %[1]d] = tile[place + k * %[13]d];
    } else {
        for (int k = 0; k < %[8]d; k++)
            if (k * %[1]d + (int)threadIdx.x < count)
                to[k * %[1]d] = tile[place + k * %[13]d];
    }
}
`, reduceBlock, name, dt.info().stored, items+1, f.none(acc), ticket, reduceBlock*items, items,
		f.lift(acc, dt, dt.load("tile[own + k]"), "0"), chain, dt.store(result), scanWords(f, acc), reduceBlock+reduceBlock/items)
	return source{name, need, w.String()}
}

const scanChain = `    if (warp == 0) {
        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        nd_acc total = none;
        for (int k = 0; k < (int)blockDim.x / 32; k++)
            total = nd_join(total, of_warp[k]);
        nd_acc all = none;
        if (t > 0) {
            const nd_words own_words = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | own_words.at[lane];
            for (int at = (int)t - 1;; at -= 32) {
                unsigned known = 2;
                nd_acc v = none;
                if (at >= lane) {
                    volatile unsigned long long *const theirs = mine - (size_t)(t - at + lane) * words;
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
        }
        if (lane == 0) {
            before_tile = all;
            const nd_words w = nd_pack(nd_join(all, total));
            for (int k = 0; k < words; k++)
                mine[k] = 2ull << 32 | w.at[k];
        }
    }
    __syncthreads();
`
