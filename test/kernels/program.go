package kernels

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Kernel is a kernel of a Program, with the shape of its launches.
type Kernel struct {
	Name   string
	Source string // its text alone, without the Prelude
	Grid   [3]int
	Block  [3]int // a multiple of 32 threads in all, at most 256
}

// Threads returns the number of threads of a launch.
func (k Kernel) Threads() int {
	n := 1
	for i := range 3 {
		n *= k.Grid[i] * k.Block[i]
	}
	return n
}

// Totals is the number of elements of the parameter totals.
const Totals = 8

// Program returns n random kernels and the source that has them all. The same seed returns the same kernels. Their parameters are
//
//	const unsigned *in   256 numbers
//	unsigned *out        one for each thread of the launch, 0 before
//	unsigned long long *totals  Totals of them, 0 before
//	unsigned n           1 to 8
func Program(seed uint64, n int) (source string, list []Kernel) {
	var all strings.Builder
	all.WriteString(Prelude)
	for i := range n {
		k := newWriter(seed, i).kernel(fmt.Sprintf("k%d", i))
		all.WriteString(k.Source)
		list = append(list, k)
	}
	return all.String(), list
}

// Prelude is what stands before the kernels. There is no recursion: ptxas of CUDA 13.0 makes kernels with it that do not end or use
// wrong addresses, unless it does not optimise. bound returns f where it is a number of ordinary size, so that no infinity or NaN comes up,
// whose bits differ between processors.
const Prelude = `
#define MIX(a, b) ((a) * 31u + (b))
struct pair {
	unsigned a;
	short b;
	float c;
	__device__ pair(unsigned v) : a(v), b((short)(v & 1023u)), c((float)(v & 255u)) {}
	__device__ unsigned sum() const { return a + (unsigned)b + (unsigned)(int)c; }
	__device__ void add(unsigned v) { a += v; b = (short)((b + (int)(v & 15u)) & 1023); }
};
__constant__ unsigned table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ inline float bound(float f) { return f > -1e6f && f < 1e6f ? f : 1.0f; }
__device__ inline double bound(double f) { return f > -1e6 && f < 1e6 ? f : 1.0; }
__device__ inline unsigned bits(float f) { return __float_as_uint(bound(f) + 0.0f); }
__device__ inline unsigned bits(double f) { return (unsigned)(__double_as_longlong(bound(f) + 0.0) >> 17); }
__device__ void twist(unsigned &v) { v = v * 5u + 1u; }
__device__ unsigned collatz(unsigned v) {
	unsigned steps = 0;
	for (v &= 63u; v > 1u; steps++) {
		if (steps > 40u) return v;
		v = v & 1u ? 3u * v + 1u : v / 2u;
	}
	return steps;
}
__device__ unsigned digits(unsigned v, int n) {
	unsigned list[8];
	for (int i = 0; i < n; i++, v /= 10u) list[i] = v % 10u;
	for (int i = 0; i < n; i++) v = v * 7u + list[i];
	return v;
}
template <int N> __device__ unsigned times(unsigned v) { return v * N; }
template <class T> __device__ T larger(T a, T b) { return a > b ? a : b; }
__device__ unsigned total(unsigned v) {
	for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
	return v;
}
template <class T> __device__ T running(T v, unsigned lane) {
	for (unsigned d = 1; d < 32u; d *= 2u) {
		T other = __shfl_up_sync(0xffffffffu, v, d);
		if (lane >= d) v += other;
	}
	return v;
}
__device__ void highest(unsigned *p, unsigned v) {
	unsigned old = atomicOr(p, 0u);
	while (v > old) {
		unsigned was = atomicCAS(p, old, v);
		if (was == old) break;
		old = was;
	}
}
`

// writer writes one kernel.
type writer struct {
	r       *rand.Rand
	b       strings.Builder
	names   int
	budget  int // statements that may still come
	threads int // of a block
	scope   scope
	arrays  []*array
	uniform int // loops that are the same for all threads, around the statement
	inLoop  bool
}

// scope is what a statement can see. A block of statements gets a copy.
type scope struct {
	vars  []variable // of the thread
	same  []string   // unsigned variables that are the same for all threads of a block, and are never assigned
	local []string   // arrays of four unsigned
}

type variable struct {
	name string
	t    kind
	set  bool // it may be assigned
}

func newWriter(seed uint64, number int) *writer {
	return &writer{r: rand.New(rand.NewPCG(seed, uint64(number))), budget: 28}
}

// shapes are those of blocks.
var shapes = [][3]int{{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {96, 1, 1}, {16, 4, 1}, {32, 4, 1}, {8, 8, 2}, {4, 4, 4}, {160, 1, 1}, {1, 32, 3}}

func (w *writer) kernel(name string) Kernel {
	k := Kernel{Name: name, Grid: [3]int{1 + w.r.IntN(4), 1 + w.r.IntN(2), 1}, Block: shapes[w.r.IntN(len(shapes))]}
	w.threads = k.Block[0] * k.Block[1] * k.Block[2]
	bounds := ""
	if w.chance(4) {
		bounds = fmt.Sprintf(" __launch_bounds__(%d)", w.threads)
	}
	fmt.Fprintf(&w.b, "extern \"C\" __global__ void%s %s(const unsigned *%s in, unsigned *out, unsigned long long *totals, unsigned n) {\n",
		bounds, name, w.pick("", "__restrict__"))
	w.line("const unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);")
	w.line("const unsigned gid = (blockIdx.x + gridDim.x * blockIdx.y) * %d + tid;", w.threads)
	w.line("unsigned seen = tid;")
	w.scope = scope{vars: []variable{{"tid", u32, false}, {"gid", u32, false}, {"seen", u32, true}}, same: []string{"n"}}
	for range 1 + w.r.IntN(3) {
		w.array()
	}
	w.barrier()
	for w.budget > 0 {
		w.statement(true)
	}
	w.barrier()
	w.fold()
	w.b.WriteString("}\n")
	k.Source = w.b.String()
	return k
}

// fold writes the thread's result, in which all that it can see counts.
func (w *writer) fold() {
	w.line("unsigned result = 17u;")
	for _, v := range w.scope.vars {
		w.line("result = MIX(result, %s);", v.t.number(v.name))
	}
	for _, v := range w.scope.local {
		w.line("result = MIX(result, %s[0] ^ %s[1] ^ %s[2] ^ %s[3]);", v, v, v, v)
	}
	for _, a := range w.arrays {
		w.line("result = MIX(result, %s);", a.t.number(a.at("255u - tid")))
	}
	w.line("out[gid] += result;")
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteByte('\t')
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *writer) name(prefix string) string {
	w.names++
	return fmt.Sprintf("%s%d", prefix, w.names)
}

// chance reports true once in n times.
func (w *writer) chance(n int) bool { return w.r.IntN(n) == 0 }

func (w *writer) pick(list ...string) string { return list[w.r.IntN(len(list))] }
