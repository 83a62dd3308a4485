package backendtest

import (
	"testing"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// testSymbols sets and reads variables of modules.
func testSymbols(t *testing.T, s *suite) {
	r := newRig(t, s)
	const source = `
		__constant__ float coef[3];
		__device__ int count = 5;
		static __device__ int hidden = 7;
		namespace a { namespace b { __device__ double deep[2] = {1, 2}; } }
		__global__ void k(float *out) {
			count++;
			hidden++;
			out[0] = coef[0] + coef[1] + coef[2] + a::b::deep[0];
		}`
	img, err := r.d.Compile(backend.Program{Name: "symbols.cu", Source: source})
	try(t, err)
	out := r.alloc(4)
	for mod := uint32(21); mod <= 22; mod++ { // each has its own variables
		try(t, r.d.Load(mod, img))
		_, err := r.d.Function(mod, mod, "k")
		try(t, err)
		addr, size, err := r.d.Symbol(mod, "coef")
		try(t, err)
		if size != 12 {
			t.Errorf("coef has %d bytes, want 12", size)
		}
		try(t, r.d.CopyHtoD(addr, bytesOf([]float32{1, 2, float32(mod)}), 0))
		deep, size, err := r.d.Symbol(mod, "a::b::deep")
		try(t, err)
		if size != 16 {
			t.Errorf("a::b::deep has %d bytes, want 16", size)
		}
		try(t, r.d.CopyHtoD(deep, bytesOf([]float64{0.5}), 0))
		try(t, r.d.Launch(launch(mod, one(1), one(1), 0, out)))
		wantSlice(t, "sum", download[float32](r, out, 1), []float32{3.5 + float32(mod)})
		for name, want := range map[string]int32{"count": 6, "hidden": 8} {
			addr, size, err := r.d.Symbol(mod, name)
			try(t, err)
			if size != 4 {
				t.Errorf("%s has %d bytes, want 4", name, size)
			}
			wantSlice(t, name, download[int32](r, addr, 1), []int32{want})
		}
	}
	_, _, err = r.d.Symbol(21, "nothing")
	wantError(t, "a variable that is not there", err, 500)
	_, _, err = r.d.Symbol(77, "coef")
	wantError(t, "a module that is not there", err, 400)
}

func testOccupancy(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: `
		__global__ void k(int *x) { x[threadIdx.x] = 1; }
		__global__ void bounded(int *x) { __shared__ volatile int s[5000]; s[threadIdx.x] = 1; x[threadIdx.x] = s[0]; }`})
	p := r.d.Properties()
	warps := p.MaxThreadsPerMultiProcessor / p.WarpSize
	for _, tt := range []struct {
		threads, shared int
		want            int
	}{
		{256, 0, warps / 8},
		{1024, 0, warps / 32},
		{32, 0, min(p.MaxBlocksPerMultiProcessor, warps)},
		{p.MaxThreadsPerBlock + 32, 0, 0},
		{32, p.SharedMemPerBlockOptin, p.SharedMemPerMultiprocessor / (p.SharedMemPerBlockOptin + p.ReservedSharedMemPerBlock)},
	} {
		got, err := r.d.Occupancy(k["k"], tt.threads, uint32(tt.shared))
		if tt.want == 0 && err != nil {
			continue // a device may return an error instead
		}
		try(t, err)
		if got != tt.want {
			t.Errorf("%d threads with %d bytes: %d blocks, want %d", tt.threads, tt.shared, got, tt.want)
		}
	}
	got, err := r.d.Occupancy(k["bounded"], 32, 0)
	try(t, err)
	if most := p.SharedMemPerMultiprocessor / 20000; got == 0 || got > most {
		t.Errorf("with 20000 bytes of static shared memory: %d blocks, want 1 to %d", got, most)
	}
	_, err = r.d.Occupancy(12345, 32, 0)
	wantError(t, "a kernel that is not there", err, 400)
}

// testGraphs records work as a graph and launches it several times.
func testGraphs(t *testing.T, s *suite) {
	r := newRig(t, s)
	c, ok := r.d.(backend.Capturer)
	if !ok {
		t.Skipf("SKIPPED: backend %s has no graphs: the device process executes their commands one by one", s.b.Name())
	}
	k := r.load(backend.Program{Source: "__global__ void add(int *x, int n) { atomicAdd(x, n); }"})["add"]
	x, y := upload(r, []int32{0, 0}), r.alloc(8)
	try(t, r.d.StreamCreate(1, 0))
	try(t, r.d.StreamCreate(2, 0))
	try(t, r.d.EventCreate(1, true))
	try(t, r.d.EventCreate(2, true))
	capture := func(amounts ...int32) {
		t.Helper()
		try(t, c.Capture(1))
		for _, n := range amounts {
			l := launch(k, one(1), one(2), 0, x, n)
			l.Stream = 1
			try(t, r.d.Launch(l))
		}
		try(t, r.d.EventRecord(1, 1))
		try(t, r.d.StreamWait(2, 1))
		try(t, r.d.CopyDtoD(y, x, 8, 2))
		try(t, r.d.EventRecord(2, 2))
		try(t, r.d.StreamWait(1, 2))
		try(t, r.d.Fill(x+4, []byte{7, 0, 0, 0}, 4, 1))
		try(t, c.EndCapture(1, 5))
	}
	capture(1, 10)
	wantSlice(t, "before the launch", download[int32](r, x, 2), []int32{0, 0})
	for range 3 {
		try(t, c.GraphLaunch(5, 0))
	}
	wantSlice(t, "three times", download[int32](r, x, 2), []int32{66, 7})
	wantSlice(t, "copied", download[int32](r, y, 2), []int32{66, 7})
	capture(100, 0) // of the same structure
	try(t, c.GraphLaunch(5, 2))
	wantSlice(t, "updated", download[int32](r, x, 2), []int32{266, 7})
	capture(1000) // of a different structure
	try(t, c.GraphLaunch(5, 2))
	wantSlice(t, "made anew", download[int32](r, x, 2), []int32{2266, 7})
	try(t, c.GraphDestroy(5))
	wantError(t, "a destroyed graph", c.GraphLaunch(5, 0), 400)
	wantError(t, "a graph destroyed twice", c.GraphDestroy(5), 400)
	// The streams work as before.
	l := launch(k, one(1), one(1), 0, x, int32(1))
	l.Stream = 1
	try(t, r.d.Launch(l))
	wantSlice(t, "afterwards", download[int32](r, x, 1), []int32{2267})
}

// testMarks checks that a mark is written after the work before it.
func testMarks(t *testing.T, s *suite) {
	r := newRig(t, s)
	m, ok := r.d.(backend.Marker)
	if !ok {
		t.Skipf("SKIPPED: backend %s reports faults immediately", s.b.Name())
	}
	k := r.load(backend.Program{Source: `
		__global__ void gate(int *x) { while (*(volatile int *)x == 0) {} }`})["gate"]
	page := hostPages(t, 1<<16)
	try(t, r.d.RegisterHost(page))
	word := (*uint32)(unsafe.Pointer(&page[64]))
	try(t, r.d.StreamCreate(1, 0))
	try(t, r.d.StreamCreate(2, 0))
	x := upload(r, []int32{1})
	warm := launch(k, one(1), one(1), 0, x)
	warm.Stream = 1
	try(t, r.d.Launch(warm))
	if err := m.Mark(1, word, 41); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	try(t, r.d.Sync())
	if *word != 41 {
		t.Fatalf("the mark is %d, want 41", *word)
	}
	try(t, r.d.Fill(x, []byte{0}, 4, 0))
	try(t, r.d.Sync())
	try(t, r.d.Launch(warm))
	try(t, m.Mark(1, word, 42))
	time.Sleep(time.Millisecond) // a mark that does not wait for the kernel would have been written
	if *word != 41 {
		t.Errorf("the mark is %d while the kernel before it runs", *word)
	}
	one := []byte{1, 0, 0, 0}
	try(t, r.d.Fill(x, one, 4, 2))
	try(t, r.d.Sync())
	if *word != 42 {
		t.Errorf("the mark is %d, want 42", *word)
	}
	try(t, m.Mark(0, word, 43))
	try(t, r.d.Sync())
	if *word != 43 {
		t.Errorf("the default stream's mark is %d, want 43", *word)
	}
	try(t, r.d.UnregisterHost(page))
}

// testSpecialLaunches runs cooperative grids and clusters, where the device has them.
func testSpecialLaunches(t *testing.T, s *suite) {
	r := newRig(t, s)
	p := r.d.Properties()
	out := r.alloc(4096)
	if p.CooperativeLaunch != 0 {
		k := r.load(backend.Program{Source: `
			#include <cooperative_groups.h>
			__global__ void sum(int *x, int *out) {
				x[blockIdx.x] = blockIdx.x;
				cooperative_groups::this_grid().sync();
				if (blockIdx.x == 0) {
					int s = 0;
					for (int i = 0; i < gridDim.x; i++) s += x[i];
					*out = s;
				}
			}`})["sum"]
		l := launch(k, one(2), one(1), 0, r.alloc(64), out)
		l.Cooperative = true
		try(t, r.d.Launch(l))
		wantSlice(t, "cooperative", download[int32](r, out, 1), []int32{1})
	}
	if p.ClusterLaunch != 0 {
		k := r.load(backend.Program{Source: `
			#include <cooperative_groups.h>
			namespace cg = cooperative_groups;
			__global__ void neighbour(int *out) {
				__shared__ int mine;
				auto cluster = cg::this_cluster();
				mine = 10 * blockIdx.x;
				cluster.sync();
				out[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
				cluster.sync();
			}`})["neighbour"]
		l := launch(k, one(4), one(1), 0, out)
		l.Cluster = [3]uint32{2, 1, 1}
		try(t, r.d.Launch(l))
		wantSlice(t, "clusters", download[int32](r, out, 4), []int32{10, 0, 30, 20})
	}
}
