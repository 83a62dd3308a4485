package sim

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest/corpus"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestOrders runs a kernel whose threads record the order in which they run.
func TestOrders(t *testing.T) {
	dev, l := prepare(t, `__global__ void k(int *x, long n) {
		int me = blockIdx.x * blockDim.x + threadIdx.x;
		x[1 + atomicAdd(x, 1)] = me;
		__syncthreads();
		x[1 + atomicAdd(x, 1)] = me;
	}`)
	d := dev.(*device)
	run := func(m manner) []int32 {
		t.Helper()
		d.manner = m
		addr := binary.LittleEndian.Uint64(l.Args)
		check(t, d.Fill(addr, []byte{0}, 4, 0))
		check(t, d.Launch(l))
		return readInts(t, d, addr+4, 2*4*64)
	}
	sorted := func(s []int32) []int32 { s = slices.Clone(s); slices.Sort(s); return s }
	// Blocks in the default order run concurrently, so one is enough.
	l.Grid[0] = 1
	var want []int32
	for range 2 {
		for i := range int32(64) {
			want = append(want, i)
		}
	}
	for _, m := range []manner{{}, {unsplit: 1}} {
		if got := run(m)[:128]; !slices.Equal(got, want) {
			t.Errorf("forward, %+v: got %v", m, got)
		}
	}
	l.Grid[0] = 4
	want = nil
	for b := int32(3); b >= 0; b-- {
		for range 2 {
			for i := int32(63); i >= 0; i-- {
				want = append(want, b*64+i)
			}
		}
	}
	if got := run(manner{order: backward}); !slices.Equal(got, want) {
		t.Errorf("backward: got %v", got)
	}
	first := run(manner{order: shuffled, seed: 7})
	if again := run(manner{order: shuffled, seed: 7}); !slices.Equal(first, again) {
		t.Errorf("one seed gave %v and %v", first, again)
	}
	if other := run(manner{order: shuffled, seed: 8}); slices.Equal(first, other) {
		t.Errorf("two seeds gave the same order %v", other)
	}
	if !slices.Equal(sorted(first), sorted(want)) {
		t.Errorf("shuffled: threads are missing in %v", first)
	}
}

// A fault in a split kernel is attributed to its thread, and earlier output of the block is not
// printed twice.
func TestSplitFault(t *testing.T) {
	d, l := prepare(t, `__global__ void k(int *x, long n) {
		__shared__ int s[64];
		s[threadIdx.x] = threadIdx.x;
		__syncthreads();
		if (blockIdx.x == 3 && s[63 - threadIdx.x] == 20) *(volatile int *)n = 1;
		__syncthreads();
		x[0] = s[0];
	}`)
	if entry := d.(*device).funcs[1].entry; entry.split == 0 {
		t.Fatal("the kernel is not split")
	}
	err := d.Launch(l)
	if e, ok := err.(*backend.Error); !ok || e.Code != codeIllegalAddress || e.Message[:48] != "kernel k, block (3,0,0), thread (43,0,0): access" {
		t.Errorf("got %v", err)
	}
}

func readInts(t *testing.T, d backend.Device, addr uint64, n int) []int32 {
	t.Helper()
	data := make([]byte, 4*n)
	check(t, d.CopyDtoH(data, addr, 0))
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}

// TestSplitSame runs the whole corpus with split kernels and with a stack for every thread, forward
// and in other orders: the results must be bitwise equal.
func TestSplitSame(t *testing.T) {
	cases, err := corpus.Load()
	check(t, err)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var want corpus.Memory
			for _, m := range []manner{{}, {unsplit: 1}, {order: backward}, {order: shuffled, seed: 3}} {
				dev, err := New().Open(0)
				check(t, err)
				d := dev.(*device)
				d.manner = m
				chunk, err := d.CreateChunk(4<<20, 0)
				check(t, err)
				got, err := c.Run(d, chunk.Addr, chunk.Size)
				check(t, err)
				check(t, d.Close())
				closeFD(chunk.FD)
				if want == nil {
					want = got
				}
				for name := range want {
					if !slices.Equal(got[name], want[name]) {
						t.Errorf("%s: memory %s differs between %+v and the ordinary way", c.Name, name, m)
					}
				}
			}
		})
	}
}

// TestSplitCorpus lists the kernels of the corpus with barriers that are not split, so that changes
// are noticed.
func TestSplitCorpus(t *testing.T) {
	cases, err := corpus.Load()
	check(t, err)
	whole := []string{}
	split := 0
	for _, c := range cases {
		f, err := cudac.Parse(c.Source)
		check(t, err)
		for _, s := range loopsplit.Splits(f, "", c.Name, nil) {
			if s.Reason != "" {
				whole = append(whole, c.Name+" "+s.Kernel.Name)
				t.Logf("%s, kernel %s: %s", c.Name, s.Kernel.Name, s.Reason)
			} else {
				split++
			}
		}
	}
	slices.Sort(whole)
	// They wait for the grid, for parts of warps or on objects, use tensor cores, have assembly, lambdas or labels, or leave a loop on a condition read from memory.
	if want := []string{
		"assembly carry", "assembly combine", "assembly extract", "assembly place", // as the simulator sees them there is none
		"async_copy by_barrier", "async_copy by_group", "async_copy hand_over", "async_copy staged", "atomic_objects counts", "atomic_objects flag",
		"atomic_objects locked", "control copy", "control jump", "control machine", "device_heap objects_of", "grid_sync reduce", "grid_sync relax",
		"group_kinds by_kind", "group_kinds large_tiles", "group_parts by_label", "group_parts by_side", "group_parts late", "group_parts scan", "modern bind",
		"tensor_cores in_half", "tensor_cores of_bfloat16", "tensor_cores of_bytes", "tensor_cores of_double", "tensor_cores of_tf32",
		"tensor_cores product", "warp_primitives match", "warp_primitives who", "warp_reduce reduce",
	}; !slices.Equal(whole, want) {
		t.Errorf("not split are %q, want %q", whole, want)
	}
	if split < 45 {
		t.Errorf("%d kernels are split, want at least 45", split)
	}
}

// TestSplitWrites runs kernels that change or use a variable in a way that is hard to detect. Split, they must have the
// same results.
func TestSplitWrites(t *testing.T) {
	const prelude = `
#define THE(v) v
#define FIELD(s) s.v
struct S {
	unsigned v;
	__device__ void set(unsigned x) { v = x; }
	__device__ unsigned get() const { return v; }
};
__device__ void set(unsigned &v, unsigned x) { v = x; }
__device__ void set(unsigned *v, unsigned x) { *v = x; }
template <class T> __device__ T *same(T *p) { return p; }
`
	tests := []struct{ name, body string }{
		{"in parentheses", "unsigned u = 1; (u) = t; __syncthreads(); x[t] = u;"},
		{"increased in parentheses", "unsigned u = t / 40; unsigned w = 1; (w) += t; __syncthreads(); x[t] = u + w;"},
		{"address behind a cast", "unsigned u = 1; *(unsigned *)&u = t; __syncthreads(); x[t] = u;"},
		{"address behind a cast, as an argument", "unsigned u = 1; set((unsigned *)&u, t); __syncthreads(); x[t] = u;"},
		{"cast to a reference", "unsigned u = 1; (unsigned &)u = t; __syncthreads(); x[t] = u;"},
		{"named cast to a reference", "unsigned u = 1; reinterpret_cast<unsigned &>(u) = t; __syncthreads(); x[t] = u;"},
		{"behind a macro", "unsigned u = 1; THE(u) = t; __syncthreads(); x[t] = u;"},
		{"field behind a macro", "FIELD(s) = t; __syncthreads(); x[t] = s.v;"},
		{"one of two", "unsigned u = 1, w = 2; (n > 3 ? u : w) = t; __syncthreads(); x[t] = u + w;"},
		{"field by reference", "dim3 d(1, 2, 3); set(d.y, t); __syncthreads(); x[t] = d.y;"},
		{"by reference in parentheses", "unsigned u = 1; set((u), t); __syncthreads(); x[t] = u;"},
		{"method", "s.set(t); __syncthreads(); x[t] = s.v;"},
		{"const method", "x[t] = s.get(); __syncthreads(); x[t] += s.get();"},
		{"pointer to an array over a barrier", "unsigned v[2]; unsigned *p = v; p[0] = t; __syncthreads(); x[t] = p[0];"},
		{"pointer to a row", "unsigned v[2][2]; unsigned *p; p = v[1]; p[0] = t; __syncthreads(); x[t] = p[0];"},
		{"address over a barrier", "unsigned u = t; unsigned *p = &u; __syncthreads(); x[t] = *p;"},
		{"address by two ways", "unsigned u = t; unsigned *q = &u; unsigned *p = q + 0; __syncthreads(); x[t] = *p;"},
		{"address by a call", "unsigned v[2] = {t}; unsigned *p = same(v); __syncthreads(); x[t] = p[0];"},
		{"address in a branch", "unsigned u = t, *p = x; if (t > 3) { p = &u; } __syncthreads(); x[t] = *p;"},
		{"element of an array", "unsigned v[2] = {t, 2}; x[t] = v[n & 1]; __syncthreads(); x[t] += t;"},
		{"condition that looks like a declaration", "unsigned u = t & 1, w = t & 2; __syncthreads(); if (u && w) x[t] = 1; while (u & w) u = 0; x[t] += u;"},
	}
	source := prelude
	for i, tt := range tests {
		source += fmt.Sprintf("__global__ void k%d(unsigned *data, unsigned n, S s) {\n\tunsigned *x = data + blockIdx.x * 64;\n"+
			"\tunsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n\t%s\n}\n", i, tt.body)
	}
	dev, err := New().Open(0)
	check(t, err)
	d := dev.(*device)
	defer d.Close()
	img, err := d.Compile(backend.Program{Name: "writes.cu", Source: source})
	check(t, err)
	check(t, d.Load(1, img))
	c, err := d.CreateChunk(1<<20, 0)
	check(t, err)
	defer closeFD(c.FD)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := d.Function(1, 1, fmt.Sprintf("k%d", i))
			check(t, err)
			if d.funcs[1].entry.split == 0 {
				t.Error("the kernel is not split")
			}
			results := bothWays(t, d, c.Addr, 64, [3]uint32{8, 3, 2}, []byte{5, 0, 0, 0, 9, 0, 0, 0})
			if !slices.Equal(results[0], results[1]) {
				t.Error("split, the kernel does something else")
			}
		})
	}
}
