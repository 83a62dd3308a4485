package gpu

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

const suspendSource = `
__device__ int counter;
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float factor;
extern "C" __global__ void scale(float *x, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= factor;
}
extern "C" __global__ void look(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f); }
extern "C" __global__ void count() { atomicAdd(&counter, table[1]); }
`

// suspended suspends the device and checks that its process has ended.
func suspended(t *testing.T, d *Device) {
	t.Helper()
	check(d.Sync())
	p := d.link.Process()
	check(d.Suspend())
	<-p.Down
	if s := d.state(); s.Open {
		t.Fatalf("the device is still open: %+v", s)
	}
	check(d.Suspend()) // once more changes nothing
}

// TestSuspendRestores suspends a device and finds buffers, views, kernels, variables, streams, textures and graphs as they were.
func TestSuspendRestores(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, err := Compile(suspendSource)
		check(err)
		scale, err := m.Kernel("scale")
		check(err)
		look, err := m.Kernel("look")
		check(err)
		factor, err := GlobalOf[float32](m, "factor")
		check(err)
		check(factor.CopyFrom([]float32{3}))
		s := NewStream()
		small, big := ToDevice([]float32{1, 2, 3}), ToDevice(slices.Repeat([]float32{5}, 3*client.MinChunk/4))
		freed := Zeros[float32](client.MinChunk)
		tex, err := NewTexture([]float32{7, 8, 9}, Sampling{}, 3)
		check(err)
		g, err := Capture(func(s *Stream) error { return scale.Launch(Launch{Grid: Dim(1), Block: Dim(32), Stream: s}, small, 3) })
		check(err)
		addr := small.addr
		for round := range 3 {
			suspended(t, d)
			if round == 0 {
				freed.Free()
			}
			want := float32(1)
			for range round {
				want *= 9
			}
			if got := small.ToHost(); small.addr != addr || got[0] != want || got[2] != 3*want {
				t.Fatalf("round %d: got %v, want %v, 2 and 3 times it", round, got, want)
			}
			if got := big.ToHost(); slices.ContainsFunc(got, func(v float32) bool { return v != 5*want }) {
				t.Fatalf("round %d: the large buffer has other elements", round)
			}
			check(scale.Launch(Launch{Grid: Dim(1), Block: Dim(32), Stream: s}, small, 3))
			check(s.Sync())
			check(g.Launch(nil))
			for range 2 {
				check(scale.Launch(For(big.Len(), 256), big, big.Len()))
			}
			out := Zeros[float32](3)
			check(look.Launch(For(3, 3), tex, out))
			if got := out.ToHost(); !slices.Equal(got, []float32{7, 8, 9}) {
				t.Errorf("round %d: the texture has %v", round, got)
			}
		}
	})
}

// TestSuspendRefusals checks that a device is not suspended if something would be lost, and that nothing is.
func TestSuspendRefusals(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, err := Compile(suspendSource)
		check(err)
		count, err := m.Kernel("count")
		check(err)
		scale, err := m.Kernel("scale")
		check(err)
		x := ToDevice([]float32{1, 2})
		refused := func(want string) {
			t.Helper()
			if err := d.Suspend(); err == nil || !strings.Contains(err.Error(), want) || !d.state().Open {
				t.Errorf("error %v, want %q", err, want)
			}
		}
		check(scale.Launch(For(2, 2), x, 2))
		refused("it has work")
		check(d.Sync())
		suspended(t, d)
		check(count.Launch(For(1, 1)))
		check(d.Sync())
		refused("a kernel has written the variable counter")
		counter, err := GlobalOf[int32](m, "counter")
		check(err)
		if got := counter.ToHost(); got[0] != 2 {
			t.Errorf("counter is %v, want 2", got)
		}
		check(counter.CopyFrom([]int32{2}))
		suspended(t, d) // the host has set it
		if got := counter.ToHost(); got[0] != 2 {
			t.Errorf("after the suspension counter is %v, want 2", got)
		}

		heap, err := Compile(`extern "C" __global__ void keep(void **p) { if (!*p) *p = malloc(64); else free(*p); }`)
		check(err)
		if _, err := heap.Kernel("keep"); err != nil {
			t.Fatal(err)
		}
		refused("a kernel uses the device's heap")
	})
}

// TestSuspendPrintf suspends a device with a program that prints and computes sines: what the compiler adds for these is no state.
func TestSuspendPrintf(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, err := Compile(`#include <cstdio>
extern "C" __global__ void wave(double *x) { *x = sin(*x); if (*x > 2) printf("%f is too large\n", *x); }`)
		check(err)
		k, err := m.Kernel("wave")
		check(err)
		x := ToDevice([]float64{1e22})
		check(k.Launch(For(1, 1), x))
		suspended(t, d)
		if got := x.ToHost()[0]; got < -0.8523 || got > -0.8521 {
			t.Errorf("sin(1e22) is %v", got)
		}
	})
}

// TestSuspendWithoutMemory restores a device whose memory others have taken: the use fails, and a later one finds everything.
func TestSuspendWithoutMemory(t *testing.T) {
	d := fresh(t)
	x := ToDevice(slices.Repeat([]int32{4}, 100<<18))
	suspended(t, d)
	if s := d.state(); s.SuspendedBytes != 100<<20 {
		t.Errorf("%d bytes are in host memory, want 100 MiB", s.SuspendedBytes)
	}
	t.Setenv("TOY_TAKEN", "200")
	err := x.CopyTo(make([]int32, x.Len()))
	if err == nil || !strings.Contains(err.Error(), "its 100.0 MiB of buffers were moved to host memory, where they still are") {
		t.Errorf("with 200 of 256 MiB taken by others: %v", err)
	}
	t.Setenv("TOY_TAKEN", "")
	if got := x.ToHost(); slices.ContainsFunc(got, func(v int32) bool { return v != 4 }) {
		t.Error("the buffer has other elements")
	}
	if s := d.state(); s.SuspendedBytes != 0 {
		t.Errorf("%d bytes are still in host memory", s.SuspendedBytes)
	}
}

func TestIdleDevicesAreSuspended(t *testing.T) {
	t.Setenv(idleEnv, "50ms")
	d := fresh(t)
	x := ToDevice([]int32{1, 2, 3})
	check(Sync())
	<-d.link.Process().Down
	if got := x.ToHost(); !slices.Equal(got, []int32{1, 2, 3}) || d.state().Starts < 2 {
		t.Errorf("got %v from process %d", got, d.state().Starts)
	}
}

func TestQuota(t *testing.T) {
	t.Setenv(client.QuotaEnv, "25%")
	d := fresh(t) // of 256 MiB
	free, total, err := d.MemInfo()
	if check(err); free != 64<<20 || total != 64<<20 {
		t.Errorf("%d of %d bytes are free", free, total)
	}
	x := Zeros[byte](60 << 20)
	if free, _, err := d.MemInfo(); err != nil || free != 4<<20 {
		t.Errorf("%d bytes are free, %v", free, err)
	}
	func() {
		defer func() {
			if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), "of which GOPHERWARP_GPU_MEMORY leaves the pool 64.0 MiB") {
				t.Errorf("60 and 10 of 64 MiB: %v", err)
			}
		}()
		Zeros[byte](10 << 20)
	}()
	x.Free()
	d.Limit(1 << 40) // a program can't raise it
	Zeros[byte](60 << 20)
	d.Limit(1 << 20)
	if got := d.Pool().Reserved; got > 64<<20 {
		t.Errorf("%d bytes are reserved", got)
	}
}

func TestBadLimits(t *testing.T) {
	for env, text := range map[string]string{client.QuotaEnv: "much", idleEnv: "soon"} {
		t.Run(env, func(t *testing.T) {
			fresh(t)
			registry.devices, registry.current = nil, nil
			t.Setenv(env, text)
			if _, err := Current(); err == nil || !strings.Contains(err.Error(), env) || !strings.Contains(err.Error(), text) {
				t.Errorf("%s=%s: %v", env, text, err)
			}
		})
	}
}

// BenchmarkSuspend measures how long it takes to suspend a device with 1 MiB and with 1 GiB in use, and to use it again.
func BenchmarkSuspend(b *testing.B) {
	for _, name := range realDevices {
		for _, size := range []int{1 << 20, 1 << 30} {
			b.Run(fmt.Sprintf("%s/%s", name, render.Bytes(uint64(size))), func(b *testing.B) {
				needDevice(b, name)
				d := freshDevice(b, name)
				x := ToDevice(make([]float32, size/4))
				var down, up time.Duration
				for b.Loop() {
					check(d.Sync())
					start := time.Now()
					check(d.Suspend())
					down += time.Since(start)
					start = time.Now()
					check(x.Slice(0, 1).CopyTo(make([]float32, 1)))
					up += time.Since(start)
				}
				b.ReportMetric(down.Seconds()*1e3/float64(b.N), "ms-suspend")
				b.ReportMetric(up.Seconds()*1e3/float64(b.N), "ms-restore")
			})
		}
	}
}
