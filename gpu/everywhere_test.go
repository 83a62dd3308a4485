package gpu

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/vec"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// realDevices are the devices that tests run on besides the toy.
var realDevices = []string{"sim", "cuda:0"}

// everywhere runs a test on the simulator and on a GPU.
func everywhere(t *testing.T, f func(t *testing.T, d *Device)) {
	for _, name := range realDevices {
		t.Run(name, func(t *testing.T) {
			needDevice(t, name)
			f(t, freshDevice(t, name))
		})
	}
}

// present lists the devices once: looking for a GPU takes its time.
var present = sync.OnceValues(func() (string, error) { return output(client.Executable{Path: os.Args[0]}, "device", "--list") })

func needDevice(t testing.TB, name string) {
	t.Helper()
	list, err := present()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Fields(list), name) {
		t.Skipf("SKIPPED: this machine has no %s", name)
	}
	if _, err := exec.LookPath("g++"); name == "sim" && err != nil {
		t.Skip("SKIPPED: the simulator needs g++: apt install g++")
	}
}

func TestRealKernels(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const n = 100003
		host := make([]float32, n)
		for i := range host {
			host[i] = float32(i)
		}
		x, y := ToDevice(host), Zeros[float32](n)
		y.Fill(1)
		if err := compileToy(t, "saxpy").Launch(For(n, 256), 2, x, y, n); err != nil {
			t.Fatal(err)
		}
		for i, v := range y.ToHost() {
			if v != 2*float32(i)+1 {
				t.Fatalf("element %d is %v", i, v)
			}
		}
		out := make([]float32, 5)
		if err := compileToy(t, "mixed").Launch(For(1, 1), true, 2.5, -3, uint64(4e9), 60000, Out(out)); err != nil {
			t.Fatal(err)
		}
		if want := []float32{1, 2.5, -3, 4e9, 60000}; !slices.Equal(out, want) {
			t.Errorf("got %v, want %v", out, want)
		}
		s, a, b := NewStream(), NewEvent(), NewEvent()
		big := Zeros[int32](3 * client.PartSize)
		for _, err := range []error{
			a.Record(s),
			compileToy(t, "addone").Launch(Launch{Grid: Dim(100), Block: Dim(256), Stream: s}, big, big.Len()),
			b.Record(s),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if took, err := b.Since(a); took <= 0 || err != nil {
			t.Errorf("took %v, %v", took, err)
		}
		if got := big.ToHost(); slices.ContainsFunc(got, func(v int32) bool { return v != 1 }) {
			t.Error("not every element was increased once")
		}
	})
}

func TestRealCompileError(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		_, err := Compile("__global__ void k(float *x) {\n\tx[0] = nothing;\n}\n", WithName("cell[3].cu"))
		var c *CompileError
		if !errors.As(err, &c) || !strings.Contains(c.Log, "cell[3].cu") || !strings.Contains(c.Log, "nothing") || !strings.Contains(c.Log, "2") {
			t.Errorf("got %v", err)
		}
	})
}

func TestRealLimits(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		k := compileToy(t, "addone")
		x := Zeros[int32](4)
		err := k.Launch(For(2000, 2000), x, 4)
		if err == nil || !strings.Contains(err.Error(), "block of 2000 threads in x: "+d.Properties().Name+" allows 1024") {
			t.Errorf("got %v", err)
		}
	})
}

func TestRealFault(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		saxpy, bad := compileToy(t, "saxpy"), compileToy(t, "fault")
		kept := ToDevice(slices.Repeat([]float32{3}, client.PartSize))
		x := ToDevice([]float32{1, 2})
		if err := cellEnd(context.Background()); err != nil {
			t.Fatal(err)
		}
		_, _, line, _ := runtime.Caller(0)
		if err := bad.Launch(For(1, 1), x); err != nil {
			t.Fatal(err)
		}
		err := cellEnd(context.Background())
		var e *Error
		if !errors.As(err, &e) || e.Name != "CUDA_ERROR_ILLEGAL_ADDRESS" || e.Code != 700 || e.Kernel != "fault" || e.Site != "everywhere_test.go:"+itoa(line+1) {
			t.Errorf("got %v", err)
		}
		t.Log(err)
		if got := kept.ToHost(); slices.ContainsFunc(got, func(v float32) bool { return v != 3 }) {
			t.Error("a buffer lost its contents")
		}
		if err := saxpy.Launch(For(2, 2), 10, x, kept.Slice(0, 2), 2); err != nil {
			t.Fatal(err)
		}
		if got, want := kept.Slice(0, 3).ToHost(), []float32{13, 23, 3}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		killed(t, d)
		if got, want := kept.Slice(0, 3).ToHost(), []float32{13, 23, 3}; !slices.Equal(got, want) {
			t.Errorf("after kill: got %v, want %v", got, want)
		}
	})
}

func TestRealEndlessKernel(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		k := compileToy(t, "hang")
		x := ToDevice([]float32{4, 5})
		if err := Sync(); err != nil {
			t.Fatal(err)
		}
		if err := k.Launch(For(1, 1), x); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := cellEnd(ctx); err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Errorf("got %v", err)
		}
		if got, want := x.ToHost(), []float32{4, 5}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestRealPrintf(t *testing.T) {
	for _, name := range realDevices {
		t.Run(name, func(t *testing.T) {
			needDevice(t, name)
			cmd := session("printf")
			cmd.Env = append(os.Environ(), "TEST_DEVICE="+name)
			out, err := cmd.Output()
			if want := "before\nhello from the device: 42\nafter\n"; string(out) != want || err != nil {
				t.Errorf("got %q, %v, want %q", out, err, want)
			}
		})
	}
}

func TestRealMemory(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const w, h = 1000, 700
		host := Pinned[float32](w * h)
		for i := range host {
			host[i] = float32(i)
		}
		m, err := Compile(`__global__ void twice(float *a, int pitch, int w, int h) {
			int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
			if (x < w && y < h) a[y * pitch + x] *= 2;
		}`)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := m.Kernel("twice")
		if err != nil {
			t.Fatal(err)
		}
		a, b := Pitched[float32](w, h), Pitched[float32](w, h)
		if err := errors.Join(a.CopyFrom(host), twice.Launch(For2D(w, h, 32, 8), a, a.PitchElements(), w, h), Copy2D(b, a)); err != nil {
			t.Fatal(err)
		}
		for i, v := range b.ToHost() {
			if v != 2*float32(i) {
				t.Fatalf("element %d is %v", i, v)
			}
		}
		// Straight from and to pinned memory, on a stream.
		s, flat, out := NewStream(WithPriority(-1)), Alloc[float32](w*h), Pinned[float32](w*h)
		if err := errors.Join(
			flat.CopyFromAsync(s, host),
			twice.Launch(Launch{Grid: For2D(w, h, 32, 8).Grid, Block: Dim(32, 8), Stream: s}, flat, w, w, h),
			flat.CopyToAsync(s, out), s.Sync(),
		); err != nil {
			t.Fatal(err)
		}
		for i, v := range out {
			if v != 2*float32(i) {
				t.Fatalf("through pinned memory: element %d is %v", i, v)
			}
		}
		// By the kernel itself, also in the next device process.
		for round := range 2 {
			if err := errors.Join(twice.Launch(For2D(w, h, 32, 8), Mapped(out), w, w, h), Sync()); err != nil {
				t.Fatal(err)
			}
			if got, want := out[w*h-1], float32(w*h-1)*[]float32{4, 8}[round]; got != want {
				t.Errorf("mapped, round %d: got %v, want %v", round, got, want)
			}
			killed(t, d)
		}
		if err := errors.Join(Unpin(host), Unpin(out)); err != nil {
			t.Error(err)
		}
		// More than the device has.
		_, total, err := d.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		if e := panics(t, func() { Alloc[byte](int(total) + 1) }); e.Code != client.CodeOutOfMemory || !strings.Contains(e.Error(), "were asked for, and") || !strings.Contains(e.Error(), "of float32 made at everywhere_test.go:") {
			t.Errorf("got %v", e)
		}
		runtime.KeepAlive(a)
	})
}

func TestRealStreams(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		if d.Properties().Simulated {
			t.Skip("SKIPPED: the simulator runs one kernel at a time")
		}
		testGate(t, d, compileToy(t, "gate"), compileToy(t, "open"), compileToy(t, "addone"))
	})
}

func TestRealModules(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const source = `
			__constant__ float coef[2];
			__device__ int runs;
			extern "C" __global__ void line(const float *x, float *y, int n) {
				int i = blockIdx.x * blockDim.x + threadIdx.x;
				if (i == 0) runs++;
				if (i < n) y[i] = coef[0] + coef[1] * x[i];
			}
			__global__ void reverse(int *x, int n) {
				extern __shared__ int s[];
				for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
				__syncthreads();
				for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = s[n - 1 - i];
			}`
		m, err := Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		coef, err := GlobalOf[float32](m, "coef")
		if err != nil {
			t.Fatal(err)
		}
		runs, err := GlobalOf[int32](m, "runs")
		if err != nil {
			t.Fatal(err)
		}
		line, err := m.Kernel("line")
		if err != nil {
			t.Fatal(err)
		}
		if err := coef.CopyFrom([]float32{1, 10}); err != nil {
			t.Fatal(err)
		}
		x, y := ToDevice([]float32{1, 2, 3}), Zeros[float32](3)
		for round := range 2 {
			if err := line.Launch(For(3, 64), x, y, 3); err != nil {
				t.Fatal(err)
			}
			if got, want := y.ToHost(), []float32{11, 21, 31}; !slices.Equal(got, want) {
				t.Errorf("round %d: got %v, want %v", round, got, want)
			}
			if got := runs.ToHost(); got[0] != 1 {
				t.Errorf("round %d: %d runs", round, got[0])
			}
			killed(t, d) // the next process has the constants too
		}
		// More dynamic shared memory than a kernel has without asking.
		reverse, err := m.Kernel("reverse")
		if err != nil {
			t.Fatal(err)
		}
		n := d.Properties().SharedMemPerBlockOptin / 4
		numbers := make([]int32, n)
		for i := range numbers {
			numbers[i] = int32(i)
		}
		err = reverse.Launch(Launch{Grid: Dim(1), Block: Dim(256), SharedBytes: 4 * n}, InOut(numbers), n)
		if err != nil || numbers[0] != int32(n-1) || numbers[n-1] != 0 {
			t.Errorf("with %d bytes of shared memory: %d … %d, %v", 4*n, numbers[0], numbers[n-1], err)
		}
		best, err := line.SuggestBlock(0)
		if err != nil || best.Threads < 64 || best.Fraction < 0.5 {
			t.Errorf("suggested %+v, %v", best, err)
		}
		// The image again, without the source: with a declaration of a part of it.
		again, err := LoadImage(m.Image(), WithDeclarations(`extern "C" __global__ void line(const float *x, float *y, int n); __global__ void reverse(int *x, int n);`))
		if err != nil {
			t.Fatal(err)
		}
		line, err = again.Kernel("line")
		if err != nil {
			t.Fatal(err)
		}
		if err := line.Launch(For(3, 64), x, y, 3); err != nil { // its own constants are 0
			t.Fatal(err)
		}
		if got, want := y.ToHost(), []float32{0, 0, 0}; !slices.Equal(got, want) {
			t.Errorf("loaded again: got %v, want %v", got, want)
		}
	})
}

// ptx adds one to the first element of x.
const ptx = `.version 6.0
.target sm_50
.address_size 64
.visible .entry bump(.param .u64 x)
{
	.reg .b64 %a, %g;
	.reg .b32 %v;
	ld.param.u64 %a, [x];
	cvta.to.global.u64 %g, %a;
	ld.global.u32 %v, [%g];
	add.s32 %v, %v, 1;
	st.global.u32 [%g], %v;
	ret;
}
`

func TestRealPTX(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, err := LoadImage([]byte(ptx), WithName("bump.ptx"), WithDeclarations(`extern "C" __global__ void bump(int *x);`))
		if d.Properties().Simulated {
			if err == nil || !strings.Contains(err.Error(), "loading bump.ptx: this is PTX, which only a GPU can run") {
				t.Errorf("got %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel("bump")
		if err != nil {
			t.Fatal(err)
		}
		x := ToDevice([]int32{41})
		if err := k.Launch(For(1, 1), x); err != nil {
			t.Fatal(err)
		}
		if got := x.ToHost(); got[0] != 42 {
			t.Errorf("got %v", got)
		}
	})
}

func TestRealGraph(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		k := compileToy(t, "addone")
		x := Zeros[int32](1000)
		out := Pinned[int32](1000)
		defer func() { _ = Unpin(out) }()
		work := func(times int) func(*Stream) error {
			return func(s *Stream) error {
				for range times {
					if err := k.Launch(Launch{Grid: Dim(4), Block: Dim(256), Stream: s}, x, 1000); err != nil {
						return err
					}
				}
				return x.CopyToAsync(s, out)
			}
		}
		g, err := Capture(work(20))
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			if err := errors.Join(g.Launch(nil), Sync()); err != nil {
				t.Fatal(err)
			}
			if want := int32(20 * (round + 1)); out[999] != want {
				t.Errorf("round %d: got %d, want %d", round, out[999], want)
			}
			killed(t, d)
		}
		if err := errors.Join(g.Update(work(1)), g.Launch(NewStream()), Sync()); err != nil {
			t.Fatal(err)
		}
		if out[0] != 61 {
			t.Errorf("updated: got %d, want 61", out[0])
		}
	})
}

// Of many launches that nobody waited for, the fault's own is named.
func TestRealFaultAmongMany(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		good, bad := compileToy(t, "addone"), compileToy(t, "fault")
		x, y := Zeros[int32](1000), Zeros[float32](4)
		if err := Sync(); err != nil {
			t.Fatal(err)
		}
		var err error
		for range 5 {
			err = errors.Join(err, good.Launch(For(1000, 256), x, 1000))
		}
		_, _, line, _ := runtime.Caller(0)
		err = errors.Join(err, bad.Launch(For(1, 1), y))
		for range 5 {
			err = errors.Join(err, good.Launch(For(1000, 256), x, 1000))
		}
		err = errors.Join(err, Sync())
		var e *Error
		if !errors.As(err, &e) || e.Kernel != "fault" || e.Site != "everywhere_test.go:"+itoa(line+1) {
			t.Errorf("got %v", err)
		}
	})
}

// particle has the layout of the C struct of that name.
type particle struct {
	Tag     int8
	_       [15]byte
	At      vec.Float4
	Weights [2]float64
}

func TestRealTypes(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, err := Compile(`
			#include <cuda_fp16.h>
			struct particle { char tag; float4 at; double weights[2]; };
			__global__ void take(particle p, short2 s, half h, float3 v, double *out) {
				out[0] = p.tag; out[1] = p.at.x; out[2] = p.at.w; out[3] = p.weights[1];
				out[4] = s.y; out[5] = __half2float(h); out[6] = v.z;
			}
			__global__ void scale(float4 *x, half *h, int n) {
				int i = threadIdx.x;
				if (i < n) { x[i].x *= 2; x[i].w += 1; h[i] = __float2half(__half2float(h[i]) * 2); }
			}`)
		if err != nil {
			t.Fatal(err)
		}
		take, err := m.Kernel("take")
		if err != nil {
			t.Fatal(err)
		}
		p := particle{Tag: -3, At: vec.Float4{X: 1.5, Y: 2, Z: 3, W: 4.5}, Weights: [2]float64{5, 6.25}}
		want := []float64{-3, 1.5, 4.5, 6.25, -7, 0.375, 8.5}
		out := make([]float64, len(want))
		if err := take.Launch(For(1, 1), p, vec.Short2{X: 1, Y: -7}, ToFloat16(0.375), vec.Float3{X: 1, Y: 2, Z: 8.5}, Out(out)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out, want) {
			t.Errorf("got %v, want %v", out, want)
		}
		b := Zeros[float64](len(want))
		c := take.Begin(For(1, 1))
		PassValue(c, p)
		PassValue(c, vec.Short2{X: 1, Y: -7})
		PassValue(c, ToFloat16(0.375))
		PassValue(c, vec.Float3{X: 1, Y: 2, Z: 8.5})
		PassPointer(c, b)
		if err := c.Do(); err != nil {
			t.Fatal(err)
		}
		if got := b.ToHost(); !slices.Equal(got, want) {
			t.Errorf("typed: got %v, want %v", got, want)
		}
		for want, args := range map[string][]any{
			"it has 4 bytes, the C type 48":                 {int32(3), vec.Short2{}, Float16(0), vec.Float3{}, b},
			"cannot take a vec.Ushort2: it is a vec.Short2": {p, vec.Ushort2{}, Float16(0), vec.Float3{}, b},
			"cannot take a uint16: it is a gpu.Float16":     {p, vec.Short2{}, uint16(0), vec.Float3{}, b},
			"it holds Go pointers, which mean nothing":      {[3]string{}, vec.Short2{}, Float16(0), vec.Float3{}, b},
		} {
			if err := take.Launch(For(1, 1), args...); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
		scale, err := m.Kernel("scale")
		if err != nil {
			t.Fatal(err)
		}
		x := ToDevice([]vec.Float4{{X: 1, Y: 2, Z: 3, W: 4}, {X: 5, Y: 6, Z: 7, W: 8}})
		h := ToDevice(ToFloat16s([]float32{0.5, -3}))
		if err := scale.Launch(For(2, 32), x, h, 2); err != nil {
			t.Fatal(err)
		}
		if got, want := x.ToHost(), []vec.Float4{{X: 2, Y: 2, Z: 3, W: 5}, {X: 10, Y: 6, Z: 7, W: 9}}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if got, want := Float32s(h.ToHost()), []float32{1, -6}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if err := scale.Launch(For(2, 32), x, Zeros[uint16](2), 2); err == nil || !strings.Contains(err.Error(), "cannot take elements of type uint16: it points to gpu.Float16") {
			t.Errorf("got %v", err)
		}
	})
}

// Copies between two GPUs, of sizes that go through the host and of such that do not.
func TestRealPeers(t *testing.T) {
	needDevice(t, "cuda:1")
	freshDevice(t, "cuda:0")
	registry.mu.Lock()
	other := lookup("cuda:1")
	registry.mu.Unlock()
	for _, n := range []int{1000, 64 << 20} {
		a, b := Alloc[int32](n), Zeros[int32](n, other)
		a.Fill(7)
		if err := Copy(b, a); err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(b.ToHost(), func(v int32) bool { return v != 7 }); i >= 0 {
			t.Errorf("%d elements: wrong from %d on", n, i)
		}
		start := time.Now()
		if err := Copy(a, b); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s in %v", render.Bytes(uint64(4*n)), time.Since(start))
	}
}
