package nd

import (
	"fmt"
	"math"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Sort is a sorted copy, along an axis or, without one, along the last. NaNs come last. Complex numbers are in the order of
// their real parts and then of their imaginary ones; those with a NaN in their imaginary part, in their real part, and in
// both come last, in that order.
func Sort[T Elem](a *Array[T], axis ...int) *Array[T] {
	const name = "Sort"
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

// Argsort is the places, along an axis or, without one, along the last, that the elements have in the
// order of Sort. Equal elements keep their order, and so do NaNs.
func Argsort[T Elem](a *Array[T], axis ...int) *Array[int64] {
	const name = "Argsort"
	p, at := rowsOf(name, a, axis)
	return as[int64](p.core().places(name)).MoveAxis(-1, at)
}

// places are those that the elements of each row of a dense array have in the order of Sort.
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
	// The places are those in the whole array.
	length := max(n.lay.shape[n.lay.rank()-1], 1)
	return as[int64](found.unary(name, opCast, Int64)).ModScalar(int64(length)).core()
}

// placesComplex sorts by the imaginary parts, then by the real ones and then by where there are NaNs: each sorting keeps the order of
// what is equal.
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

// along is the elements of each row at places that are known to be in it.
func (n *node) along(places *node) *node {
	return n.gatherKnown("Sort", places, n.lay.rank()-1, n.lay.shape, true)
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
// each number was. How often each digit occurs is counted at once for all passes; then each pass reads
// and writes each key once.
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
	vals := keys // are not used without payloads
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
		s.pass(e, shift, mode, counts.Slice(4*256*i, 4*256*(i+1)), from, fromVals, keys[to], vals[to])
		from, fromVals = keys[to], vals[to]
	}
}

// sorting is what the kernels of a sort depend on, and the sizes of the array and of its rows.
type sorting struct {
	dt        DType
	payload   bool // keys carry where they were
	wide      bool // counts need more than 30 bits
	size, row int
}

func (s *sorting) tiles() int {
	tile := reduceBlock * sortItems(s.dt)
	return (s.size + tile - 1) / tile
}

func (s *sorting) kernelKey(e *engine, kind byte) []byte {
	e.key = append(e.key[:0], kind, byte(s.dt), boolByte(s.payload), boolByte(s.wide))
	return e.key
}

// count launches the kernels that find for each digit of each pass how many keys have a lower one. The lock is held.
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

// sortBlocks is how many blocks count digits: so many keep a large GPU busy.
const sortBlocks = 132 * 8

// pass sorts by one digit. The lock is held.
func (s *sorting) pass(e *engine, shift, mode int, counts, from, fromVals, to, toVals *gpu.Buffer[byte]) {
	word := 4
	if s.wide {
		word = 8
	}
	temp := scratch{e: e}
	defer temp.free()
	state := temp.alloc(word * (1 + 256*s.tiles()))
	state.Fill(0)
	e.words = e.words[:0].put(s.size).put(s.row).put(shift).put(mode)
	e.submit(&request{
		key: s.kernelKey(e, 'd'), words: e.words, write: s.moveSource,
		cfg: gpu.Launch{Grid: gpu.Dim3{X: s.tiles(), Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}},
	}, 2*s.size*s.dt.Size(), from, fromVals, counts, to, toVals, state)
}

// keySource is what the kernels need: numbers as keys, which are unsigned and in the same order, and
// the digit of a key.
func (s *sorting) keySource() string {
	dt := s.dt
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
	if s.payload {
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

// countSource writes the kernel that counts the digits of all passes.
func (s *sorting) countSource() source {
	const name = "sort_count"
	return source{name, 0, s.keySource() + fmt.Sprintf(`extern "C" __global__ void __launch_bounds__(%[1]d) %[2]s(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * %[1]d + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * %[1]d) {
        const nd_key k = nd_encode(keys[i], mode);
#pragma unroll
        for (int d = 0; d < digits; d++)
            atomicAdd(&count_of[d][(unsigned)(k >> 8 * d) & 255], 1u);
        if (rows > 0) {
            const unsigned row = (unsigned)i / (unsigned)a.v[1];
            for (int d = 0; d < rows; d++)
                atomicAdd(&count_of[digits + d][row >> 8 * d & 255], 1u);
        }
    }
    __syncthreads();
    for (int d = 0; d < digits + rows; d++)
        if (count_of[d][threadIdx.x] != 0)
            atomicAdd(counts + d * 256 + threadIdx.x, count_of[d][threadIdx.x]);
}
`, reduceBlock, name)}
}

// beforeSource writes the kernel that turns the counts of each pass into how many keys come before.
func beforeSource() source {
	const name = "sort_before"
	return source{name, 0, fmt.Sprintf(`struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) %s(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}
`, name)}
}

// moveSource writes the kernel that moves keys to where they belong. Each warp goes through its part
// of the tile in order and ranks its keys among those of the same digit; the tile is put in order in shared
// memory, so that neighbours go to neighbours. How many keys of a digit the tiles before have is found as scans
// find it, by a thread for each digit.
func (s *sorting) moveSource() source {
	const name = "sort_move"
	dt, payload := s.dt, s.payload
	items := sortItems(dt)
	word, bits := "unsigned", 30
	if s.wide {
		word, bits = "unsigned long long", 62
	}
	load, stage, store, declare := "", "", "", ""
	if payload {
		declare = fmt.Sprintf("    __shared__ unsigned tile_vals[%d];\n", reduceBlock*items)
		load = fmt.Sprintf("            val[j] = mode & %d ? (unsigned)(base + i) : vals[base + i];\n", sortFirst)
		stage = "        tile_vals[at] = val[j];\n"
		store = "        to_vals[to] = tile_vals[i];\n"
	}
	return source{name, 0, s.keySource() + fmt.Sprintf(`extern "C" __global__ void __launch_bounds__(%[1]d) %[2]s(const nd_key *keys, const unsigned *vals, const unsigned *counts, nd_key *to_keys, unsigned *to_vals, %[13]s *state, const nd_args a) {
    __shared__ nd_key tile_keys[%[3]d];
%[4]s    __shared__ unsigned warp_count[%[5]d][256];
    __shared__ unsigned sums[2][256];
    __shared__ unsigned first[256];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (%[13]s)1);
    for (int w = 0; w < %[5]d; w++)
        warp_count[w][threadIdx.x] = 0;
    __syncthreads();
    const int items = %[6]d, tile = items * %[1]d;
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;
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
    // Of each tile and digit: the count, and above it 1 for the tile alone and 2 for all up to it.
    volatile %[13]s *const mine = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const %[13]s one = (%[13]s)1 << %[14]d;
    *mine = (ticket == 0 ? 2 * one : one) | sum;
    sums[0][threadIdx.x] = sum;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    // Where the digit begins in the tile, and how far from there to where it goes.
    const unsigned begin = sums[0][threadIdx.x] - sum;
    unsigned before = 0;
    if (ticket > 0) {
        %[13]s theirs = 0;
        for (volatile %[13]s *at = mine - 256; theirs < 2 * one; at -= 256) {
            do
                theirs = *at;
            while (theirs == 0);
            before += (unsigned)(theirs & (one - 1));
        }
        *mine = 2 * one | (before + sum);
    }
    first[threadIdx.x] = counts[threadIdx.x] + before - begin;
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
`, reduceBlock, name, reduceBlock*items, declare, reduceBlock/32, items, sortFirst, load, stage,
		map[bool]string{true: "tile_vals[i]", false: "0"}[payload], sortLast, store, word, bits)}
}
