package nd

import (
	"fmt"
	"math"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Sort is a sorted copy, along an axis or, without one, along the last. NaNs come last.
func Sort[T Real | bool](a *Array[T], axis ...int) *Array[T] {
	const name = "Sort"
	p, at := rowsOf(name, a, axis)
	out := newArray[T](p.eng, p.lay)
	if p.lay.size > 0 {
		p.eng.sort(name, p.core(), out.core(), nil)
	}
	runtime.KeepAlive(p)
	return out.MoveAxis(-1, at)
}

// Argsort is the places, along an axis or, without one, along the last, that the elements have in the
// order of Sort. Equal elements keep their order, and so do NaNs.
func Argsort[T Real | bool](a *Array[T], axis ...int) *Array[int64] {
	const name = "Argsort"
	p, at := rowsOf(name, a, axis)
	places := newArray[uint32](p.eng, p.lay)
	if p.lay.size > 0 {
		keys := newArray[T](p.eng, p.lay)
		p.eng.sort(name, p.core(), keys.core(), places.core())
	}
	runtime.KeepAlive(p)
	// The places are those in the whole array.
	n := max(p.lay.shape[p.lay.rank()-1], 1)
	return AsType[int64](places).ModScalar(int64(n)).MoveAxis(-1, at)
}

// rowsOf is the array, dense, with the axis that is given, or the last one, as its last one, and where that was.
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

// sortItems is how many keys a thread of a sorting kernel takes.
func sortItems(dt DType) int { return min(64/dt.Size(), 16) }

// The modes of a pass over keys.
const (
	sortFirst = 1 << iota // keys are read as numbers, and payloads are made
	sortLast              // keys are written as numbers
	sortRows              // the digit is one of the row that the payload lies in
	sortTies              // the two zeros are the same
)

// sort sorts the rows of a dense array by their digits of 8 bits, the lowest first, and then, if
// there are several rows, by the digits of the row's number. places, if it is not nil, gets where
// each number was.
func (e *engine) sort(name string, in, out, places *node) {
	size := in.lay.size
	n := in.lay.shape[in.lay.rank()-1]
	if size > math.MaxUint32 {
		fail(name, "the array has %d elements, there can be %d", size, uint32(math.MaxUint32))
	}
	dt := in.dt
	rows := size / n
	digits := []int{}
	for shift := 0; shift < 8*dt.Size(); shift += 8 {
		digits = append(digits, shift)
	}
	keyDigits, flags := len(digits), 0
	if places != nil {
		flags = sortTies
	}
	for shift := 0; (rows-1)>>shift > 0; shift += 8 {
		digits = append(digits, shift)
	}
	payload := places != nil || rows > 1
	tile := reduceBlock * sortItems(dt)
	tiles := (size + tile - 1) / tile
	counts := &node{}
	counts.leaf(e, Uint32, contiguous(name, []int{256 * tiles}))

	keys := [2]*gpu.Buffer[byte]{out.buffer(), e.alloc(size * dt.Size())}
	vals := keys // are not used without payloads
	if payload {
		vals[1] = e.alloc(4 * size)
		if vals[0] = vals[1]; places != nil {
			vals[0] = places.buffer()
		} else if len(digits) > 1 {
			vals[0] = e.alloc(4 * size)
		}
	}
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
		if i >= keyDigits {
			mode |= sortRows
		}
		e.sortPass(dt, payload, size, n, shift, mode, tiles, counts, from, fromVals, keys[to], vals[to])
		from, fromVals = keys[to], vals[to]
	}
}

// sortPass sorts by one digit: it counts the digits of each tile, adds up what comes before each, and moves the keys.
func (e *engine) sortPass(dt DType, payload bool, size, n, shift, mode, tiles int, counts *node, from, fromVals, to, toVals *gpu.Buffer[byte]) {
	e.mu.Lock()
	e.words = e.words[:0].put(size).put(n).put(shift).put(mode)
	cfg := gpu.Launch{Grid: gpu.Dim3{X: tiles, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}}
	e.key = append(e.key[:0], 'c', byte(dt), boolByte(payload))
	e.submit(&request{key: e.key, words: e.words, cfg: cfg, write: func() source { return countSource(dt, payload) }},
		size*dt.Size(), from, fromVals, counts.buffer())
	e.mu.Unlock()
	e.scan(foldSum, counts, counts, counts.lay.size)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.words = e.words[:0].put(size).put(n).put(shift).put(mode)
	e.key = append(e.key[:0], 'd', byte(dt), boolByte(payload))
	e.submit(&request{key: e.key, words: e.words, cfg: cfg, write: func() source { return moveSource(dt, payload) }},
		2*size*dt.Size(), from, fromVals, counts.buffer(), to, toVals)
}

// keySource is what both kernels of a pass need: numbers as keys, which are unsigned and in the same order, and
// the digit of a key.
func keySource(dt DType, payload bool) string {
	bits := 8 * dt.Size()
	u := dtypeTable[[...]DType{8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64}[bits]].stored
	encode, decode := "k", "k"
	switch {
	case dt.is(kindInt):
		encode, decode = "(nd_key)(k ^ nd_sign)", "(nd_key)(k ^ nd_sign)"
	case dt.is(kindFloat):
		infinity := map[DType]string{F16: "0x7c00", BF16: "0x7f80", F32: "0x7f800000u", F64: "0x7ff0000000000000ull"}[dt]
		encode = fmt.Sprintf("(nd_key)((nd_key)(k & ~nd_sign) > %[1]s ? ~(nd_key)0 : mode & %[2]d && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign)", infinity, sortTies)
		decode = "(nd_key)(k & nd_sign ? k ^ nd_sign : ~k)"
	}
	digit := "(unsigned)(k >> shift) & 255"
	if payload {
		digit = fmt.Sprintf("(mode & %d ? v / row >> shift : (unsigned)(k >> shift)) & 255", sortRows)
	}
	return fmt.Sprintf(`struct nd_args { long long v[4]; };
typedef %[1]s nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << %[2]d;
    return %[3]s;
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << %[2]d;
    return %[4]s;
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        const unsigned set = __ballot_sync(0xffffffffu, digit >> b & 1);
        same &= digit >> b & 1 ? set : ~set;
    }
    return same;
#endif
}
static __device__ __forceinline__ unsigned nd_digit(nd_key k, unsigned v, unsigned row, int shift, int mode) { return %[5]s; }
`, u, bits-1, encode, decode, digit)
}

// sortHead begins both kernels: where the tile is and what the pass is about.
func sortHead(dt DType) string {
	return fmt.Sprintf(`    const int items = %[2]d, tile = items * %[1]d;
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)blockIdx.x * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
`, reduceBlock, sortItems(dt))
}

// countSource writes the kernel that counts the digits of each tile, those of a digit next to each other.
func countSource(dt DType, payload bool) source {
	const name = "sort_count"
	value := "0"
	if payload {
		value = fmt.Sprintf("mode & %d ? (unsigned)(base + i) : vals[base + i]", sortFirst)
	}
	return source{name, 0, keySource(dt, payload) + fmt.Sprintf(`extern "C" __global__ void __launch_bounds__(%[1]d) %[2]s(const nd_key *keys, const unsigned *vals, unsigned *counts, const nd_args a) {
    __shared__ unsigned count_of[256];
%[3]s    count_of[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * %[1]d + threadIdx.x;
        if (i < count) {
            const nd_key k = mode & %[4]d ? nd_encode(keys[base + i], mode) : keys[base + i];
            const unsigned v = %[5]s;
            atomicAdd(&count_of[nd_digit(k, v, row, shift, mode)], 1u);
        }
    }
    __syncthreads();
    counts[(size_t)threadIdx.x * gridDim.x + blockIdx.x] = count_of[threadIdx.x];
}
`, reduceBlock, name, sortHead(dt), sortFirst, value)}
}

// moveSource writes the kernel that moves keys to where they belong. Each warp goes through its part
// of the tile in order and ranks its keys among those of the same digit; the tile is put in order in shared
// memory, so that neighbours go to neighbours.
func moveSource(dt DType, payload bool) source {
	const name = "sort_move"
	items := sortItems(dt)
	load, stage, store, declare := "", "", "", ""
	if payload {
		declare = fmt.Sprintf("    __shared__ unsigned tile_vals[%d];\n", reduceBlock*items)
		load = fmt.Sprintf("            val[j] = mode & %d ? (unsigned)(base + i) : vals[base + i];\n", sortFirst)
		stage = "        tile_vals[at] = val[j];\n"
		store = "        to_vals[to] = tile_vals[i];\n"
	}
	return source{name, 0, keySource(dt, payload) + fmt.Sprintf(`extern "C" __global__ void __launch_bounds__(%[1]d) %[2]s(const nd_key *keys, const unsigned *vals, const unsigned *counts, nd_key *to_keys, unsigned *to_vals, const nd_args a) {
    __shared__ nd_key tile_keys[%[3]d];
%[4]s    __shared__ unsigned warp_count[%[5]d][256];
    __shared__ unsigned sums[2][256];
    __shared__ unsigned first[256];
%[6]s    const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;
    for (int w = 0; w < %[5]d; w++)
        warp_count[w][threadIdx.x] = 0;
    __syncthreads();
    nd_key key[items];
    unsigned val[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        val[j] = ~0u;
        if (i < count) {
            key[j] = mode & %[7]d ? nd_encode(keys[base + i], mode) : keys[base + i];
%[8]s        }
    }
#pragma unroll
    for (int j = 0; j < items; j++) {
        // What lies behind the end counts as the last digit and is the last there.
        const bool there = (warp * items + j) * 32 + lane < count;
        const unsigned digit = there ? nd_digit(key[j], val[j], row, shift, mode) : 255;
        const unsigned same = nd_same(digit);
        const unsigned before = warp_count[warp][digit];
        rank[j] = before + __popc(same & ((1u << lane) - 1));
        __syncwarp();
        if ((same & ((1u << lane) - 1)) == 0)
            warp_count[warp][digit] = before + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < %[5]d; w++) {
        const unsigned c = warp_count[w][threadIdx.x];
        warp_count[w][threadIdx.x] = sum;
        sum += c;
    }
    sums[0][threadIdx.x] = sum;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    // Where the digit begins in the tile, and how far from there to where it goes.
    const unsigned begin = sums[0][threadIdx.x] - sum;
    const size_t place = (size_t)threadIdx.x * gridDim.x + blockIdx.x;
    first[threadIdx.x] = (place > 0 ? counts[place - 1] : 0) - begin;
    for (int w = 0; w < %[5]d; w++)
        warp_count[w][threadIdx.x] += begin;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const bool there = (warp * items + j) * 32 + lane < count;
        const unsigned digit = there ? nd_digit(key[j], val[j], row, shift, mode) : 255;
        const unsigned at = warp_count[warp][digit] + rank[j];
        tile_keys[at] = key[j];
%[9]s    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += %[1]d) {
        const nd_key k = tile_keys[i];
        const unsigned to = first[nd_digit(k, %[10]s, row, shift, mode)] + i;
        to_keys[to] = mode & %[11]d ? nd_decode(k) : k;
%[12]s    }
}
`, reduceBlock, name, reduceBlock*items, declare, reduceBlock/32, sortHead(dt), sortFirst, load, stage,
		map[bool]string{true: "tile_vals[i]", false: "0"}[payload], sortLast, store)}
}
