package nd

import "fmt"

// keySource is what the kernels need: numbers as keys, which are unsigned and in the same order, and which threads
// have the same digit.
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
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %%1, %%2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %%0, p, 0xffffffff;\n @!p not.b32 %%0, %%0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
`, u, bits-1, encode, decode)
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
// find it, by a thread for each digit, while other blocks are still at their ranks. What goes with the keys takes their place in
// shared memory afterwards.
func (s *sorting) moveSource() source {
	name := "sort_move"
	word, bits := "unsigned", 30
	if s.wide {
		word, bits = "unsigned long long", 62
	}
	encode := func(k string) string { return fmt.Sprintf("(mode & %d ? nd_encode(%s, mode) : %s)", sortFirst, k, k) }
	decode := func(k string) string { return fmt.Sprintf("(mode & %d ? nd_decode(%s) : %s)", sortLast, k, k) }
	lead, other, digit := "nd_key", "unsigned", "(unsigned)(k >> shift)"
	read, write := encode("lead[base + i]"), decode("k")
	readOther, writeOther := fmt.Sprintf("mode & %d ? (unsigned)(base + i) : other[base + i]", sortFirst), "room.other[i]"
	if s.rows {
		name, lead, other, digit = "sort_move_rows", other, lead, "k / row >> shift"
		read, write = "lead[base + i]", "k"
		readOther, writeOther = "other[base + i]", decode("room.other[i]")
	}
	follow := ""
	if s.payload {
		follow = fmt.Sprintf(`    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = %s;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = %s;
    }
`, readOther, writeOther)
	}
	return source{name, 0, s.keySource() + fmt.Sprintf(`extern "C" __global__ void __launch_bounds__(%[1]d, 2) %[2]s(const %[3]s *lead, const %[4]s *other, const unsigned *counts, %[3]s *to_lead, %[4]s *to_other, %[5]s *state, const nd_args a) {
    const int threads = %[1]d, items = %[6]d, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        %[3]s lead[tile];
        %[4]s other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (%[5]s)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i %% 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;
    %[3]s key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(%[3]s)0;
        if (i < count)
            key[j] = %[7]s;
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const %[3]s k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? %[8]s & 255 : 255;
            const unsigned same = nd_same(digit);
            const int leader = 31 - __clz(same);
            unsigned before = 0;
            if (lane == leader) {
                before = mine[digit];
                mine[digit] = before + __popc(same);
            }
            rank[j] = __shfl_sync(0xffffffffu, before, leader) + __popc(same & ((1u << lane) - 1));
            __syncwarp();
        }
    }
    __syncthreads();
    // Of each tile and digit: the count, and above it 1 for the tile alone and 2 for all up to it.
    volatile %[5]s *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const %[5]s one = (%[5]s)1 << %[9]d;
    unsigned sum = 0, begin = 0;
    if (threadIdx.x < 256) {
        for (int w = 0; w < warps; w++) {
            const unsigned c = room.count[w][threadIdx.x];
            room.count[w][threadIdx.x] = sum;
            sum += c;
        }
        *told = (ticket == 0 ? 2 * one : one) | sum;
        begin = sum;
        for (int d = 1; d < 32; d *= 2) {
            const unsigned left = __shfl_up_sync(0xffffffffu, begin, d);
            if (lane >= d)
                begin += left;
        }
        if (lane == 31)
            sums[warp] = begin;
        begin -= sum;
    }
    __syncthreads();
    if (threadIdx.x < 256) {
        for (int w = 0; w < warp; w++)
            begin += sums[w];
        first[threadIdx.x] = begin; // in the tile
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const %[3]s k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[%[8]s & 255] + mine[%[8]s & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            %[5]s theirs = 0;
            for (volatile %[5]s *at = told - 256; theirs < 2 * one; at -= 256) {
                do
                    theirs = *at;
                while (theirs == 0);
                before += (unsigned)(theirs & (one - 1));
            }
            *told = 2 * one | (before + sum);
        }
        first[threadIdx.x] = counts[threadIdx.x] + before - begin; // from a place in the tile to where it goes
    }
    __syncthreads();
    unsigned to[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count) {
            const %[3]s k = room.lead[i];
            to[j] = first[%[8]s & 255] + i;
            to_lead[to[j]] = %[10]s;
        }
    }
%[11]s}
`, sortBlock, name, lead, other, word, sortItems(s.dt), read, digit, bits, write, follow)}
}
