package sim

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest/corpus"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestOrders runs a kernel whose threads note when they come by.
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
	// Blocks of the ordinary order run beside each other, so one is enough to look at.
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

// A fault in a split kernel is traced to its thread, and what the block printed before is
// not printed twice.
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

// TestSplitSame runs the whole corpus with split kernels and with a stack for every
// thread, forward and in other orders: the results must be the same bits.
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
				chunk, err := d.CreateChunk(4 << 20)
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

// TestSplitCorpus says which kernels of the corpus with barriers are not split, so that a
// change in that does not go unnoticed.
func TestSplitCorpus(t *testing.T) {
	cases, err := corpus.Load()
	check(t, err)
	whole := []string{}
	split := 0
	for _, c := range cases {
		f, err := cudac.Parse(c.Source)
		check(t, err)
		for _, s := range loopsplit.Splits(f, c.Name) {
			if s.Reason != "" {
				whole = append(whole, c.Name+" "+s.Kernel.Name)
				t.Logf("%s, kernel %s: %s", c.Name, s.Kernel.Name, s.Reason)
			} else {
				split++
			}
		}
	}
	slices.Sort(whole)
	// They have warp operations, wait for the grid or at objects, or leave a loop by what memory says.
	if want := []string{
		"async_copy by_barrier", "async_copy hand_over", "async_copy staged", "atomic_objects counts", "atomic_objects flag",
		"graph bfs", "grid_sync reduce", "grid_sync relax", "reduction shuffled", "reduction unrolled", "scan by_warps", "warp_primitives compact",
	}; !slices.Equal(whole, want) {
		t.Errorf("not split are %q, want %q", whole, want)
	}
	if split < 45 {
		t.Errorf("%d kernels are split, want at least 45", split)
	}
}
