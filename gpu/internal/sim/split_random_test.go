package sim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestSplitRandom runs randomly generated kernels, split and with a stack for every thread. They
// have races, but the order of threads between two barriers is the same both ways, and so must be
// the results. Split kernels also cut the threads' work before and after each statement that
// contains a barrier, so the kernels have barriers there.
// GOPHERWARP_SEED sets the seed of the generator.
func TestSplitRandom(t *testing.T) {
	seeds := []uint64{1, 31} // of 31, first lanes of tiles have returned when the others reduce
	if text := os.Getenv("GOPHERWARP_SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		check(t, err)
		seeds = []uint64{n}
	}
	for _, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { compareSplit(t, seed) })
	}
}

// compareSplit runs the kernels of a seed in both ways.
func compareSplit(t *testing.T, seed uint64) {
	const kernels = 16
	g := &kernelWriter{r: rand.New(rand.NewPCG(seed, 0))}
	var src strings.Builder
	src.WriteString(randomPrelude)
	for i := range kernels {
		src.WriteString(g.kernel(fmt.Sprintf("k%d", i)))
	}
	source := src.String()
	file, err := cudac.Parse(source)
	check(t, err)
	split := map[string]bool{}
	for _, s := range loopsplit.Splits(file, "", "random.cu", nil) {
		split[s.Kernel.Name] = s.Reason == ""
		if s.Reason != "" {
			t.Logf("%s: %s", s.Kernel.Name, s.Reason)
		}
	}
	if n := len(split); n < kernels*3/4 {
		t.Errorf("%d of %d kernels have barriers", n, kernels)
	}
	// With 48 threads the last warp is not whole.
	both := compareBothWays(t, source, kernels, func(name string) bool { return split[name] }, 64, 5, [][3]uint32{{8, 3, 2}, {32, 2, 1}})
	if both < kernels/2 {
		t.Errorf("only %d of %d kernels are split", both, kernels)
	}
}

// compareBothWays compares what kernels k0, k1, … of a source compute in their split form and with a stack for every thread, in blocks of those
// shapes. Each gets the address of so many numbers for each block, and n. split reports whether a kernel must have a split form. It returns the
// number of those that have one.
func compareBothWays(t *testing.T, source string, kernels int, split func(name string) bool, numbers int, n byte, blocks [][3]uint32) (both int) {
	t.Helper()
	dev, err := New().Open(0)
	check(t, err)
	d := dev.(*device)
	defer d.Close()
	img, err := d.Compile(backend.Program{Name: "random.cu", Source: source})
	check(t, err)
	check(t, d.Load(1, img))
	c, err := d.CreateChunk(1<<20, 0)
	check(t, err)
	defer closeFD(c.FD)
	for i := range kernels {
		name := fmt.Sprintf("k%d", i)
		_, err := d.Function(1, 1, name)
		check(t, err)
		if (d.funcs[1].entry.split != 0) != split(name) {
			t.Fatalf("%s: the split form did not compile", name)
		}
		if !split(name) {
			continue
		}
		both++
		for _, block := range blocks {
			results := bothWays(t, d, c.Addr, numbers, block, []byte{n, 0, 0, 0})
			if !bytes.Equal(results[0], results[1]) {
				at := strings.Index(source, "__global__ void "+name+"(")
				end := at + strings.Index(source[at:], "\n}\n")
				t.Errorf("%s differs with blocks of %v:\n%s\n}", name, block, source[at:end])
			}
		}
	}
	return both
}

// everyKernel is for compareBothWays where all kernels must be split.
func everyKernel(string) bool { return true }

// bothWays launches function 1 in its split form and with a stack for every thread, and returns the results in the
// memory that its first argument points to, which has so many numbers for each block. args are the other arguments.
func bothWays(t *testing.T, d *device, addr uint64, numbers int, block [3]uint32, args []byte) (results [2][]byte) {
	t.Helper()
	for way := range results {
		d.manner = manner{unsplit: uint32(way)}
		start := make([]byte, 4*3*numbers)
		for k := range start {
			start[k] = byte(k * 37)
		}
		check(t, d.CopyHtoD(addr, start, 0))
		// Blocks share only the program, so their order does not matter.
		check(t, d.Launch(&backend.Launch{
			Func: 1, Grid: [3]uint32{3, 1, 1}, Block: block, Args: append(binary.LittleEndian.AppendUint64(nil, addr), args...),
		}))
		results[way] = make([]byte, len(start))
		check(t, d.CopyDtoH(results[way], addr, 0))
	}
	return results
}

const randomPrelude = `
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ unsigned lanes() { return 0xffffffffu; }
template <class T> __device__ T sumOf(T v) {
	for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
	return v;
}
__device__ unsigned scanOf(unsigned v) {
	unsigned lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
#pragma unroll
	for (unsigned d = 1; d < 32; d <<= 1) {
		unsigned other = __shfl_up_sync(0xffffffff, v, d);
		if (lane >= d) v += other;
	}
	return v;
}
__device__ unsigned blockOf(unsigned val) {
	static __shared__ unsigned sums[32];
	unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	unsigned lane = linear % 32, warp = linear / 32;
	val = sumOf(val);
	if (lane == 0) sums[warp] = val;
	__syncthreads();
	val = linear < 2 ? sums[lane] : 0;
	if (warp == 0) val = sumOf(val);
	__syncthreads();
	return val;
}
#define MIX(a, b) ((a) * 31 + (b))
#define THE(v) v
#define AT(i) x[(i) & 63]
struct pair {
	unsigned a, b;
	__device__ void set(unsigned v) { a = v; }
	__device__ unsigned sum() const { return a + b; }
};
__device__ unsigned where(unsigned v) { return v + threadIdx.x * 3 + threadIdx.y; }
__device__ void twist(unsigned &v) { v = v * 5 + 1; }
__device__ void bump(unsigned *v) { *v += 3; }
template <class T> __device__ T *same(T *p) { return p; }
`

// A kernelWriter generates kernels of x, an area of 64 numbers for each block, and n.
type kernelWriter struct {
	r       *rand.Rand
	b       strings.Builder
	names   int
	uniform []string // variables that are the same for all threads
	all     []string // variables that may be written to anywhere
	reads   []string // variables that may be read
	arrays  []string
	budget  int
}

func (g *kernelWriter) kernel(name string) string {
	g.b.Reset()
	g.uniform, g.all, g.arrays = []string{"n"}, nil, nil
	g.reads = []string{"n", "tid"}
	g.budget = 25
	fmt.Fprintf(&g.b, "__global__ void %s(unsigned *data, unsigned n) {\n", name)
	g.line(1, "__shared__ unsigned s[64];")
	g.line(1, "unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);")
	g.line(1, "unsigned *x = data + blockIdx.x * 64;")
	g.line(1, "auto block = cg::this_thread_block();")
	g.line(1, "auto tile = cg::tiled_partition<16>(block);")
	g.line(1, "auto rest = cg::tiled_partition<4>(tile);")
	g.line(1, "s[tid] = tid * 7; if (tid < 16) s[tid + 48] = 3;")
	g.line(1, "__syncthreads();")
	g.statements(1, true, false)
	g.line(1, "__syncthreads();")
	g.line(1, "x[tid] += s[63 - tid] + %s;", g.expr(2))
	g.b.WriteString("}\n")
	return g.b.String()
}

func (g *kernelWriter) line(depth int, format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", depth))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *kernelWriter) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *kernelWriter) pick(from []string) string { return from[g.r.IntN(len(from))] }

// expr writes any expression, same one whose value is the same for all threads.
func (g *kernelWriter) expr(depth int) string {
	switch k := g.r.IntN(10); {
	case depth == 0 || k < 2:
		return g.pick(g.reads)
	case k < 3:
		return strconv.Itoa(g.r.IntN(100)) + "u"
	case k < 4:
		return "s[" + g.expr(depth-1) + " & 63]"
	case k < 5:
		return "x[" + g.expr(depth-1) + " & 63]"
	case k < 6:
		return "where(" + g.expr(depth-1) + ")"
	case k < 7:
		return "MIX(" + g.expr(depth-1) + ", " + g.pick(g.reads) + ")"
	case k < 8 && len(g.arrays) > 0:
		return g.pick(g.arrays) + "[" + g.expr(depth-1) + " % 3]"
	}
	return "(" + g.expr(depth-1) + " " + g.pick([]string{"+", "-", "*", "^", "&", "|", ">", "<="}) + " " + g.expr(depth-1) + ")"
}

func (g *kernelWriter) same(depth int) string {
	switch k := g.r.IntN(6); {
	case depth == 0 || k < 2:
		return g.pick(g.uniform)
	case k < 3:
		return strconv.Itoa(g.r.IntN(9)) + "u"
	case k < 4:
		return g.pick([]string{"blockIdx.x", "blockDim.x", "gridDim.x"})
	}
	return "(" + g.same(depth-1) + " " + g.pick([]string{"+", "-", "*", "^"}) + " " + g.same(depth-1) + ")"
}

// statements writes a list of statements. Where all threads run together it may have barriers.
func (g *kernelWriter) statements(depth int, together, inLoop bool) {
	uniform, all, reads, arrays := len(g.uniform), len(g.all), len(g.reads), len(g.arrays)
	for range 2 + g.r.IntN(6) {
		if g.budget--; g.budget < 0 {
			break
		}
		g.statement(depth, together, inLoop)
	}
	g.uniform, g.all, g.reads, g.arrays = g.uniform[:uniform], g.all[:all], g.reads[:reads], g.arrays[:arrays]
}

func (g *kernelWriter) body(depth int, together, inLoop bool) {
	g.statements(depth+1, together, inLoop)
	if together {
		g.line(depth+1, "__syncthreads();")
	}
	g.line(depth, "}")
}

func (g *kernelWriter) statement(depth int, together, inLoop bool) {
	if g.r.IntN(6) == 0 {
		g.oddStatement(depth)
		return
	}
	if together && g.r.IntN(4) == 0 {
		// Warps do not wait for each other here, so they must have nothing to race for.
		g.line(depth, "__syncthreads();")
		g.exchange(depth)
		g.line(depth, "__syncthreads();")
		return
	}
	k := g.r.IntN(20)
	if together && k >= 10 {
		if k >= 15 {
			g.line(depth, "__syncthreads();")
		}
		g.togetherStatement(depth, k, inLoop)
		if k >= 15 {
			g.line(depth, "__syncthreads();")
		}
		return
	}
	switch k % 10 {
	case 0:
		v := g.name("v")
		g.line(depth, "%sunsigned %s = %s;", g.pick([]string{"", "const ", ""}), v, g.expr(2))
		g.reads = append(g.reads, v)
	case 1:
		v, w := g.name("v"), g.name("v")
		g.line(depth, "unsigned %s = %s, %s;", v, g.expr(1), w)
		g.line(depth, "%s = %s;", w, g.expr(1))
		g.reads, g.all = append(g.reads, v, w), append(g.all, v, w)
	case 2:
		v := g.name("a")
		g.line(depth, "unsigned %s[3] = {%s, %s};", v, g.expr(1), g.expr(1))
		g.arrays = append(g.arrays, v)
	case 3:
		if len(g.all) > 0 {
			g.line(depth, "%s %s %s;", g.pick(g.all), g.pick([]string{"=", "+=", "^="}), g.expr(2))
		}
	case 4:
		g.line(depth, "s[%s & 63] = %s;", g.expr(1), g.expr(2))
	case 5:
		g.line(depth, "x[%s & 63] += %s;", g.expr(1), g.expr(1))
	case 6:
		g.line(depth, "if (%s & 1) {", g.expr(1))
		g.body(depth, false, inLoop)
	case 7:
		i := g.name("j")
		g.line(depth, "for (unsigned %s = 0; %s < (%s & 3); %s++) {", i, i, g.expr(1), i)
		g.line(depth+1, "if (%s %% 5 == 2) %s;", g.expr(1), g.pick([]string{"break", "continue"}))
		g.body(depth, false, true)
	case 8:
		if len(g.all) > 0 {
			g.line(depth, "twist(%s);", g.pick(g.all))
		} else if g.r.IntN(4) == 0 {
			g.line(depth, "if (%s %% 13 == 3) return;", g.expr(1))
		}
	case 9:
		p := g.name("p")
		g.line(depth, "unsigned *%s = s + (%s & 31);", p, g.expr(1))
		g.line(depth, "%s[%s & 31] ^= *%s + 1;", p, g.expr(1), p)
		if len(g.arrays) > 0 {
			g.line(depth, "%s[%s %% 3]++;", g.pick(g.arrays), g.expr(1))
		}
	}
}

// oddStatement writes to a variable, or takes its address, in a way that is hard to detect. The variable may be one
// that is the same for all threads so far.
func (g *kernelWriter) oddStatement(depth int) {
	v := g.name("o")
	g.line(depth, "unsigned %s = %s;", v, g.pick([]string{g.same(1), g.expr(1)}))
	switch g.r.IntN(14) {
	case 0:
		g.line(depth, "(%s) %s %s;", v, g.pick([]string{"=", "+=", "^="}), g.expr(2))
	case 1:
		g.line(depth, "*(unsigned *)&%s = %s;", v, g.expr(2))
	case 2:
		g.line(depth, "bump((unsigned *)&%s);", v)
	case 3:
		g.line(depth, "reinterpret_cast<unsigned &>(%s) += %s;", v, g.expr(1))
	case 4:
		g.line(depth, "THE(%s) = %s;", v, g.expr(2))
	case 5:
		g.line(depth, "AT(%s) = %s;", v, g.expr(2))
	case 6:
		w := g.name("o")
		g.line(depth, "unsigned %s = 3;", w)
		g.line(depth, "(%s & 1 ? %s : %s) = %s;", g.expr(1), v, w, g.expr(1))
		g.reads = append(g.reads, w)
	case 7:
		w := g.name("o")
		g.line(depth, "pair %s = {%s, 1};", w, g.expr(1))
		g.line(depth, "%s.set(%s); twist(%s.b);", w, g.expr(1), w)
		g.reads = append(g.reads, w+".sum()", w+".a")
	case 8:
		p := g.name("p")
		g.line(depth, "unsigned *%s = &%s;", p, v)
		g.reads, g.all = append(g.reads, "*"+p), append(g.all, "*"+p)
	case 9:
		p, q := g.name("p"), g.name("p")
		g.line(depth, "unsigned *%s = &%s, *%s = same(%s + 0);", p, v, q, p)
		g.reads = append(g.reads, q+"[0]")
	case 10:
		a, p := g.name("a"), g.name("p")
		g.line(depth, "unsigned %s[3] = {%s}; unsigned *%s = %s;", a, g.expr(1), p, g.pick([]string{a, "same(" + a + ")", "&" + a + "[0]"}))
		g.arrays = append(g.arrays, p)
	case 11:
		g.line(depth, "unsigned &%s_ref = %s; %s_ref += %s;", v, v, v, g.expr(1))
	case 12:
		g.line(depth, "twist((%s)), %s++;", v, v)
	case 13:
		g.line(depth, "if (%s & tid) x[%s & 63] = %s -= 1;", v, g.expr(1), v)
	}
	g.reads = append(g.reads, v)
	if g.r.IntN(2) == 0 {
		g.all = append(g.all, v)
	}
}

// exchange writes operations of warps, whose last one has 16 threads only.
func (g *kernelWriter) exchange(depth int) {
	v := g.name("v")
	full := g.pick([]string{"0xffffffffu", "0xffffffff", "~0u", "lanes()"})
	switch g.r.IntN(12) {
	case 0:
		g.line(depth, "unsigned %s = __shfl_sync(%s, %s, %s & 31);", v, full, g.expr(2), g.expr(1))
	case 1:
		g.line(depth, "const unsigned %s = __shfl_%s_sync(%s, %s, %s);", v, g.pick([]string{"up", "down", "xor"}), full, g.expr(1),
			g.pick([]string{"1", "2", "16", "3", "n & 31", "tid & 7"}))
		g.reads = append(g.reads, v)
		return
	case 2:
		g.line(depth, "unsigned %s = %s + __shfl_%s_sync(%s, %s, %d, %s) * 3;", v, g.expr(1), g.pick([]string{"up", "down", "xor"}), full, g.expr(1),
			1+g.r.IntN(9), g.pick([]string{"8", "16", "4", "32"}))
	case 3:
		g.line(depth, "unsigned %s = __popc(__ballot_sync(%s, %s & 1)) + (__any_sync(%s, %s & 4) ? 3 : 5);", v, full, g.expr(2), full, g.expr(1))
	case 4:
		g.line(depth, "unsigned %s = %s;", v, g.expr(1))
		g.line(depth, "if (__all_sync(%s, %s %% 5)) %s += 9; else %s ^= 3;", full, g.expr(2), v, v)
	case 5:
		g.line(depth, "unsigned %s = %s;", v, g.expr(1))
		g.line(depth, "for (int o = 16; o > 0; o /= 2) %s += __shfl_%s_sync(%s, %s, o);", v, g.pick([]string{"down", "xor"}), full, v)
	case 6:
		g.line(depth, "unsigned %s = %s(%s);", v, g.pick([]string{"sumOf", "sumOf<unsigned>", "scanOf", "blockOf"}), g.expr(2))
	case 7:
		g.line(depth, "unsigned %s = 1;", v)
		g.line(depth, "if (%s & 1) {", g.expr(2))
		g.line(depth+1, "unsigned %sm = __activemask();", v)
		g.line(depth+1, "%s = __shfl_sync(%sm, %s, __ffs(%sm) - 1);", v, v, g.expr(1), v)
		if g.r.IntN(2) == 0 {
			g.line(depth+1, "for (int o = 0; o < 3; o++) if (__ballot_sync(%sm, %s & 2) %% 3) %s += o;", v, g.expr(1), v)
		}
		g.line(depth, "} else %s += %s;", v, g.expr(1))
	case 8:
		g.line(depth, "unsigned %s = %s;", v, g.expr(1))
		g.line(depth, "if (tid / 32 == %d) %s = sumOf(%s + __match_any_sync(__activemask(), %s & 3));", g.r.IntN(2), v, v, g.expr(1))
	case 9:
		g.line(depth, "unsigned %s = __reduce_%s_sync(%s, %s);", v, g.pick([]string{"add", "min", "max", "xor"}), full, g.expr(1))
	case 10:
		g.line(depth, "unsigned %s = tile.shfl_%s(%s, %d) + rest.%s(%s);", v, g.pick([]string{"down", "up", "xor"}), g.expr(1), 1+g.r.IntN(3),
			g.pick([]string{"any", "all", "ballot"}), g.expr(1))
	case 11:
		g.line(depth, "unsigned %s = cg::reduce(tile, %s, cg::plus<unsigned>()) + tile.thread_rank() + rest.meta_group_rank() + __syncthreads_count(%s & 1);", v, g.expr(1), g.expr(1))
	}
	g.reads, g.all = append(g.reads, v), append(g.all, v)
}

// togetherStatement writes a statement that is valid only where all threads run together.
func (g *kernelWriter) togetherStatement(depth, k int, inLoop bool) {
	switch k {
	case 10, 11, 12:
		g.line(depth, "__syncthreads();")
	case 13:
		v := g.name("u")
		g.line(depth, "unsigned %s = %s;", v, g.same(2))
		g.uniform, g.reads = append(g.uniform, v), append(g.reads, v)
	case 14:
		if v := g.pick(g.uniform); v[0] == 'u' {
			g.line(depth, "%s %s %s;", v, g.pick([]string{"=", "+=", "*="}), g.same(1))
		}
	case 15, 16:
		i := g.name("i")
		g.line(depth, "for (int %s = %d; %s > 0; %s%s) {", i, 1+g.r.IntN(4), i, i, g.pick([]string{"--", " /= 2", " -= 2"}))
		g.line(depth+1, "__syncthreads();")
		if g.r.IntN(2) == 0 {
			g.line(depth+1, "if (%s %% 7 == 5) %s;", g.same(1), g.pick([]string{"break", "continue"}))
		}
		g.uniform, g.reads = append(g.uniform, i), append(g.reads, i)
		g.body(depth, true, true)
		g.uniform, g.reads = g.uniform[:len(g.uniform)-1], g.reads[:len(g.reads)-1]
	case 17:
		w := g.name("w")
		g.line(depth, "unsigned %s = %d;", w, 1+g.r.IntN(3))
		g.line(depth, "while (%s > 0) {", w)
		g.line(depth+1, "%s--;", w)
		g.line(depth+1, "__syncthreads();")
		g.uniform, g.reads = append(g.uniform, w), append(g.reads, w)
		g.body(depth, true, true)
		g.uniform[len(g.uniform)-1], g.reads[len(g.reads)-1] = "n", "n" // it must not change from here on
	case 18:
		g.line(depth, "if (%s & 1) {", g.same(2))
		g.line(depth+1, "__syncthreads();")
		g.body(depth, true, inLoop)
		if g.r.IntN(2) == 0 {
			g.line(depth, "else {")
			g.line(depth+1, "__syncthreads();")
			g.body(depth, true, inLoop)
		}
	case 19:
		g.line(depth, "{")
		g.line(depth+1, "__syncthreads();")
		g.body(depth, true, inLoop)
	}
}
