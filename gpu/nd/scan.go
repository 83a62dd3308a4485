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
	state, carry := out.mem.now.buf, out.mem.now.buf // are not used by rows of one tile
	if chained {
		state = e.alloc(4 * (1 + tiles))
		state.Fill(0)
		carry = e.alloc(2 * tiles * f.accBytes(acc))
	}
	e.words = e.words[:0].put(n).put(perRow)
	e.key = append(e.key[:0], 's', byte(f), byte(in.dt), boolByte(chained))
	e.submit(&request{
		key: e.key, words: e.words, write: func() source { return scanSource(f, in.dt, acc, chained) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: tiles, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}},
	}, 2*out.lay.size*out.dt.Size(), out.buffer(), in.buffer(), state, carry)
}

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
	ticket, before := "blockIdx.x", ""
	if chained {
		ticket, before = "atomicAdd(state, 1u)", scanChain
	}
	w := writer{}
	fmt.Fprintf(&w, "struct nd_args { long long v[2]; };\n%s", join)
	fmt.Fprintf(&w, `extern "C" __global__ void __launch_bounds__(%[1]d) %[2]s(%[3]s *out, const %[3]s *in, unsigned *state, nd_acc *carry, const nd_args a) {
    __shared__ %[3]s tile[%[1]d * %[4]d];
    __shared__ nd_acc part[2][%[1]d];
    __shared__ nd_acc look[32];
    __shared__ unsigned ticket;
    const nd_acc none = %[5]s;
    if (threadIdx.x == 0) {
        ticket = %[6]s;
        look[0] = none;
    }
    __syncthreads();
    const unsigned perRow = (unsigned)a.v[1], t = ticket %% perRow;
    const long long begin = (long long)t * %[7]d, base = (long long)(ticket / perRow) * a.v[0] + begin;
    const int count = (int)min(a.v[0] - begin, (long long)%[7]d);
#pragma unroll
    for (int k = 0; k < %[8]d; k++) {
        const int i = k * %[1]d + threadIdx.x;
        if (i < count)
            tile[i + i / %[8]d] = in[base + i];
    }
    __syncthreads();
    nd_acc acc = none;
#pragma unroll
    for (int k = 0; k < %[8]d; k++)
        if ((int)threadIdx.x * %[8]d + k < count)
            acc = nd_join(acc, %[9]s);
    part[0][threadIdx.x] = acc;
    __syncthreads();
    for (int d = 1, from = 0; d < %[1]d; d *= 2, from = 1 - from) {
        nd_acc x = part[from][threadIdx.x];
        if (threadIdx.x >= d)
            x = nd_join(part[from][threadIdx.x - d], x);
        part[1 - from][threadIdx.x] = x;
        __syncthreads();
    }
%[10]s    acc = look[0];
    if (threadIdx.x > 0)
        acc = nd_join(acc, part[0][threadIdx.x - 1]);
#pragma unroll
    for (int k = 0; k < %[8]d; k++) {
        if ((int)threadIdx.x * %[8]d + k < count) {
            acc = nd_join(acc, %[9]s);
            tile[threadIdx.x * %[4]d + k] = %[11]s;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < %[8]d; k++) {
        const int i = k * %[1]d + threadIdx.x;
        if (i < count)
            out[base + i] = tile[i + i / %[8]d];
    }
}
`, reduceBlock, name, dt.info().stored, items+1, f.none(acc), ticket, reduceBlock*items, items,
		f.lift(acc, dt, dt.load(fmt.Sprintf("tile[threadIdx.x * %d + k]", items+1)), "0"), before, dt.store(result))
	return source{name, need, w.String()}
}

const scanChain = `    if (threadIdx.x < 32) {
        const int lane = threadIdx.x;
        const nd_acc total = part[0][blockDim.x - 1];
        nd_acc before = none;
        if (t > 0) {
            if (lane == 0) {
                carry[2 * (size_t)ticket] = total;
                __threadfence();
                *(volatile unsigned *)(state + 1 + ticket) = 1;
            }
            for (int at = (int)t - 1;; at -= 32) {
                unsigned s = 2;
                nd_acc v = none;
                if (at >= lane) {
                    const unsigned from = ticket - t + at - lane;
                    do
                        s = *(volatile unsigned *)(state + 1 + from);
                    while (s == 0);
                    __threadfence();
                    v = carry[2 * (size_t)from + s - 1];
                }
                const unsigned known = __ballot_sync(0xffffffffu, s == 2);
                look[lane] = known == 0 || lane < __ffs(known) ? v : none;
                __syncwarp();
                for (int half = 16; half > 0; half /= 2) {
                    if (lane < half)
                        look[lane] = nd_join(look[lane + half], look[lane]);
                    __syncwarp();
                }
                before = nd_join(look[0], before);
                __syncwarp();
                if (known != 0)
                    break;
            }
        }
        if (lane == 0) {
            carry[2 * (size_t)ticket + 1] = nd_join(before, total);
            __threadfence();
            *(volatile unsigned *)(state + 1 + ticket) = 2;
            look[0] = before;
        }
    }
    __syncthreads();
`
