package gpu_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	. "github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
)

const checkSource = `__global__ void scale(float *x, float a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		x[i] *= a;
}
__global__ void sum(const float *x, float *out) {
	__shared__ float s[64];
	s[threadIdx.x] = x[threadIdx.x];
	if (threadIdx.x == 0)
		for (int i = 0; i < 64; i++)
			*out += s[i];
}
__global__ void gather(const int *from, const float *x, float *out) {
	out[threadIdx.x] = x[32 * threadIdx.x] + from[threadIdx.x];
}
__global__ void set(float *x) { x[threadIdx.x] = 1; }
__constant__ float factor;
__device__ int calls;
__global__ void weigh(float *x) { x[threadIdx.x] *= factor; if (threadIdx.x == 0) calls++; }
`

// checkRig opens the simulator for a test and compiles the kernels above.
func checkRig(t *testing.T, opts ...CompileOption) (launch func(kernel string, cfg Launch, args ...any)) {
	t.Helper()
	needDevice(t, "sim")
	freshDevice(t, "sim")
	_, launch = checkModule(t, opts...)
	return launch
}

func checkModule(t *testing.T, opts ...CompileOption) (m *Module, launch func(kernel string, cfg Launch, args ...any)) {
	t.Helper()
	m, err := Compile(checkSource, append(opts, WithName("cell[3].cu"))...)
	if err != nil {
		t.Fatal(err)
	}
	return m, func(kernel string, cfg Launch, args ...any) {
		t.Helper()
		k, err := m.Kernel(kernel)
		if err == nil {
			err = k.Launch(cfg, args...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// inCheck runs f in check mode and returns what was found.
func inCheck(t *testing.T, f func(), opts ...check.Option) *check.Report {
	t.Helper()
	r, err := check.Run(func() error { f(); return nil }, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantFindings compares kinds and lines, and looks for words in the messages.
func wantFindings(t *testing.T, r *check.Report, want ...string) {
	t.Helper()
	if len(r.Findings) != len(want) {
		t.Errorf("got %d findings, want %d:\n%v", len(r.Findings), len(want), r)
		return
	}
	for i, w := range want {
		if got := r.Findings[i].String(); got != w {
			t.Errorf("got  %s\nwant %s", got, w)
		}
	}
}

// What Check finds carries the names of parameters, and lines of the cell.
func TestCheck(t *testing.T) {
	launch := checkRig(t)
	x := ToDevice(make([]float32, 100))
	r := inCheck(t, func() { launch("scale", For(100, 64), x, 2.0, 100) })
	wantFindings(t, r, "cell[3].cu:4: out of bounds in scale: thread (36,0,0) of block (1,0,0) reads x[100], but x has 100 elements (0 to 99): check the index before using it (2 times)")
	if r.Launches != 1 || r.Sources["cell[3].cu"] != checkSource {
		t.Errorf("%d launches, sources %v", r.Launches, r.Sources)
	}
	var e *check.Error
	if err := r.Err(); !errors.As(err, &e) || len(e.Findings) != 1 || !strings.HasPrefix(err.Error(), "check mode found a defect:\ncell[3].cu:4: out of bounds") {
		t.Errorf("Err: %v", err)
	}

	// Buffers that are made in check mode begin without values; others may have some.
	r = inCheck(t, func() { launch("sum", Launch{Grid: Dim(1), Block: Dim(64)}, x, Alloc[float32](1)) })
	wantFindings(t, r,
		"cell[3].cu:11: uninitialised read in sum: thread (0,0,0) of block (0,0,0) reads out[0], which nothing has written since the buffer was made: gpu.Zeros or a copy gives it values",
		"cell[3].cu:8: race in sum: thread (1,0,0) of block (0,0,0) writes s[1], which thread (0,0,0) reads on line 11, with no __syncthreads() between: which comes first is chance (63 times)")
	wantFindings(t, inCheck(t, func() { launch("set", Launch{Grid: Dim(1), Block: Dim(64)}, x) }))

	// A kernel that nobody watches may have set any of them.
	y := Alloc[float32](64)
	launch("set", Launch{Grid: Dim(1), Block: Dim(64)}, y)
	wantFindings(t, inCheck(t, func() { launch("scale", For(64, 64), y, 2.0, 63) }))

	// A view is a bound.
	r = inCheck(t, func() { launch("set", Launch{Grid: Dim(1), Block: Dim(64)}, x.Slice(10, 70)) })
	wantFindings(t, r, "cell[3].cu:16: out of bounds in set: thread (60,0,0) of block (0,0,0) writes x[60], but x has 60 elements (0 to 59): check the index before using it (4 times)")
	// What was written outside came back.
	if got := x.ToHost(); got[70] != 0 || got[69] != 1 {
		t.Errorf("around the end of the view: %v", got[68:72])
	}
	if r, err := check.TakeReport(); r != nil || err != nil {
		t.Errorf("Check has left a report: %v, %v", r, err)
	}
}

func TestCheckCounts(t *testing.T) {
	launch := checkRig(t)
	from, x, out := Zeros[int32](32), Zeros[float32](1024), Alloc[float32](32)
	r := inCheck(t, func() {
		for range 3 {
			launch("gather", For(32, 32), from, x, out)
		}
	})
	wantFindings(t, r)
	const table = `no defects found in 3 launches
line           kernel  access        requests  bytes  active lanes  sectors/request
cell[3].cu:14  gather  global load   6         768 B  32            18 (best 4)
cell[3].cu:14  gather  global store  3         384 B  32            4
gather: 96 FLOP
`
	if r.String() != table {
		t.Errorf("got\n%s\nwant\n%s", r, table)
	}
	if at := r.At("", 14); len(at) != 2 || at[0].SectorsPerRequest() != 18 || at[1].Op != "store" || r.At("other", 14) != nil || r.Err() != nil {
		t.Errorf("At: %+v", at)
	}
	lines := strings.Split(r.Listing(), "\n")
	if want := "  14      out[threadIdx.x] = x[32 * threadIdx.x] + from[threadIdx.x];  | global load: 18 (best 4) sectors/request; global store: 4 sectors/request; 96 FLOP"; len(lines) != 21 || lines[0] != "cell[3].cu" || strings.Join(strings.Fields(lines[14]), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got %d lines, line 14 is\n%s\nwant\n%s", len(lines), lines[14], want)
	}
}

// What the host copies to variables of a module is there in check mode.
func TestCheckGlobals(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	m, launch := checkModule(t)
	factor, err := GlobalOf[float32](m, "factor")
	if err != nil {
		t.Fatal(err)
	}
	calls, err := GlobalOf[int32](m, "calls")
	if err != nil {
		t.Fatal(err)
	}
	set := func(v float32) {
		if err := factor.CopyFrom([]float32{v}); err != nil {
			t.Fatal(err)
		}
	}
	x := ToDevice([]float32{1, 2, 3})
	set(2)
	wantFindings(t, inCheck(t, func() {
		launch("weigh", For(3, 3), x)
		set(5)
		launch("weigh", For(3, 3), x)
		if got := calls.ToHost(); got[0] != 2 {
			t.Errorf("in check mode %d calls were counted, want 2", got)
		}
	}))
	launch("weigh", For(3, 3), x)
	if got := x.ToHost(); got[2] != 3*2*5*5 || calls.ToHost()[0] != 1 {
		t.Errorf("got %v and %d calls", got, calls.ToHost())
	}
}

// Modules compiled for check mode are always watched, and the device may be replaced.
func TestChecked(t *testing.T) {
	launch := checkRig(t, WithCheck())
	x := ToDevice(make([]float32, 100))
	launch("scale", For(100, 64), x, 2.0, 99)
	d, err := Current()
	if err != nil {
		t.Fatal(err)
	}
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	d.KillProcess()
	fresh := Alloc[float32](100)
	launch("scale", For(100, 64), x, 2.0, 99)
	launch("scale", For(100, 64), fresh, 2.0, 99)
	r, err := check.TakeReport()
	if err != nil {
		t.Fatal(err)
	}
	wantFindings(t, r, "cell[3].cu:4: uninitialised read in scale: thread (0,0,0) of block (0,0,0) reads x[0], which nothing has written since the buffer was made: gpu.Zeros or a copy gives it values (100 times)")
	if r.Launches != 2 {
		t.Errorf("%d launches since the device was replaced, want 2", r.Launches)
	}
	if r, err := check.TakeReport(); r != nil || err != nil {
		t.Errorf("a second report: %v, %v", r, err)
	}
}

func TestLeaks(t *testing.T) {
	launch := checkRig(t)
	var kept *Buffer[float32]
	r := inCheck(t, func() {
		kept = Zeros[float32](64)
		freed := Zeros[float32](64)
		launch("set", For(64, 64), kept)
		launch("set", For(64, 64), freed)
		freed.Free()
	}, check.WithLeaks())
	if len(r.Findings) != 1 || r.Findings[0].Kind != check.Leak || !strings.Contains(r.Findings[0].Message, "a buffer of 256 B, made at check_test.go:") {
		t.Errorf("got %v", r)
	}
	kept.Free()
}

// What was seen is there also if the function fails.
func TestCheckOfFailure(t *testing.T) {
	launch := checkRig(t)
	x := ToDevice(make([]float32, 100))
	failed := errors.New("no")
	r, err := check.Run(func() error { launch("scale", For(100, 64), x, 2.0, 100); return failed })
	if err != failed || len(r.Findings) != 1 {
		t.Errorf("got %v and %v", err, r)
	}
}

// TestCheckBySimulator checks launches of a device that has no check mode: copies of its buffers are
// checked by the simulator.
func TestCheckBySimulator(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "toy:0")
	m, err := Compile(toySource, WithName("toy.cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	x, y := ToDevice([]float32{1, 2, 3}), ToDevice([]float32{10, 20, 30})
	for _, tc := range []struct {
		name   string
		x, y   *Buffer[float32]
		n      int
		want   string
		result []float32
	}{
		{"right", x, y, 3, "", []float32{12, 24, 36}},
		{"beyond the end", x, y, 4, "toy.cu:4: out of bounds in saxpy: thread (3,0,0) of block (0,0,0) reads y[3], but y has 3 elements", []float32{12, 24, 36}},
		{"nobody has written it", x, nil, 3, "reads y[0], which nothing has written", nil},
		{"a view", x, y.Slice(0, 2), 3, "reads y[2], but y has 2 elements", []float32{12, 24, 36}},
	} {
		r, err := check.Run(func() error {
			if tc.y == nil {
				tc.y = Alloc[float32](3)
			}
			return k.Launch(For(3, 32), 2, tc.x, tc.y, tc.n)
		})
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got := ""
		if err := r.Err(); err != nil {
			got = err.Error()
		}
		if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) || r.Launches != 1 || !strings.Contains(r.Note, "compute-sanitizer was not found") {
			t.Errorf("%s: got %q in %+v, want %q", tc.name, got, r, tc.want)
		}
		if tc.result != nil && !slices.Equal(y.ToHost(), tc.result) {
			t.Errorf("%s: y is %v then, want %v", tc.name, y.ToHost(), tc.result)
		}
		if len(r.Accesses) == 0 {
			t.Errorf("%s: nothing was counted", tc.name)
		}
	}
}

// TestCheckMapped looks at host memory that a kernel works on.
func TestCheckMapped(t *testing.T) {
	needDevice(t, "sim")
	for _, device := range []string{"sim", "toy:0", "cuda:0"} {
		t.Run(device, func(t *testing.T) {
			needDevice(t, device)
			freshDevice(t, device)
			m, err := Compile(toySource, WithName("mapped.cu"))
			if err != nil {
				t.Fatal(err)
			}
			k, err := m.Kernel("saxpy")
			if err != nil {
				t.Fatal(err)
			}
			all := Pinned[float32](8)
			defer Unpin(all)
			copy(all, []float32{0, 1, 2, 3, 4, 5, 6, 7})
			x, y := all[:3], all[4:]
			for _, tc := range []struct {
				n    int
				want string
			}{
				{3, ""},
				{4, "x[3], but x has 3 elements"},
			} {
				r, err := check.Run(func() error { return k.Launch(For(tc.n, 32), 2, Mapped(x), Mapped(y), tc.n) })
				if err != nil {
					t.Fatal(err)
				}
				if s := r.Summary(); (len(r.Findings) == 0) != (tc.want == "") || !strings.Contains(s, tc.want) {
					t.Errorf("%d threads: got %q, want %q", tc.n, s, tc.want)
				}
				if tc.want == "" && y[2] != 10 {
					t.Errorf("y is %v", y)
				}
			}
		})
	}
}

// TestCheckAtTheEdge follows pointers to where a buffer was, and to before the first one.
func TestCheckAtTheEdge(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	m, err := Compile("__global__ void k(unsigned long long from, long offset, float *to) { to[0] = ((float *)from)[offset]; }", WithName("edge.cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	first := Zeros[float32](16)
	to := Zeros[float32](16)
	r, err := check.Run(func() error { return k.Launch(For(1, 1), first.Address(), -1, to) })
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Kind != check.OutOfBounds {
		t.Errorf("before the first buffer: %v, %+v", err, r)
	}
	r, err = check.Run(func() error {
		gone := Zeros[float32](16)
		address := gone.Address()
		if err := gone.Free(); err != nil {
			return err
		}
		return k.Launch(For(1, 1), address, 0, Zeros[float32](16)) // which does not get the memory at once
	})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Kind != check.UseAfterFree {
		t.Errorf("what was freed: %v, %+v", err, r)
	}
}
