package backendtest

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

const countSource = `
	__device__ int count;
	__global__ void bump(int *out) { *out = ++count; }`

// testModules checks that an image can be kept and loaded again, and that each loaded module has its own variables.
func testModules(t *testing.T, s *suite) {
	r := newRig(t, s)
	img, err := r.d.Compile(backend.Program{Name: "count.cu", Source: countSource})
	try(t, err)
	img.Data = slices.Clone(img.Data) // as if it had been stored
	out := r.alloc(4)
	bump := func(fn uint32) int32 {
		t.Helper()
		try(t, r.d.Launch(launch(fn, one(1), one(1), 0, out)))
		return download[int32](r, out, 1)[0]
	}
	for mod := uint32(11); mod <= 12; mod++ {
		try(t, r.d.Load(mod, img))
		info, err := r.d.Function(mod, mod, "bump")
		try(t, err)
		if info.MaxThreadsPerBlock < 256 {
			t.Errorf("the kernel allows %d threads per block", info.MaxThreadsPerBlock)
		}
	}
	for i, got := range []int32{bump(11), bump(11), bump(12), bump(11)} {
		if want := []int32{1, 2, 1, 3}[i]; got != want {
			t.Errorf("count %d is %d, want %d: modules share variables, or lose them", i, got, want)
		}
	}
	if _, err := r.d.Function(99, 11, "missing"); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("a kernel that is not in the module: %v", err)
	}
	try(t, r.d.Unload(11))
	try(t, r.d.Load(11, img))
	_, err = r.d.Function(11, 11, "bump")
	try(t, err)
	if a, b := bump(11), bump(12); a != 1 || b != 2 {
		t.Errorf("after loading again: counts %d and %d, want 1 and 2", a, b)
	}
	if err := r.d.Load(13, backend.Image{Data: []byte("no program"), Lowered: img.Lowered}); err == nil {
		t.Error("an image that is none was loaded")
	}
	if err := r.d.Unload(77); err == nil {
		t.Error("a module that is not there was unloaded")
	}

	bounded := r.load(backend.Program{Source: `
		#define MOST 64
		__global__ void __launch_bounds__(MOST, 1) small() { __shared__ volatile int s[100]; s[threadIdx.x] = 1; }`})
	info, err := r.d.Function(98, r.mods, "small")
	try(t, err)
	if info.MaxThreadsPerBlock != 64 || info.SharedSizeBytes != 400 {
		t.Errorf("got %+v, want 64 threads and 400 bytes of shared memory", info)
	}
	if err := r.d.Launch(launch(bounded["small"], one(1), one(65), 0)); err == nil {
		t.Error("a launch beyond the kernel's bounds was accepted")
	}
}

// testCompileErrors checks that messages have the lines of the program.
func testCompileErrors(t *testing.T, s *suite) {
	r := newRig(t, s)
	tests := []struct {
		name, source string
		line         int
		part         string
	}{
		{"type", "__global__ void k(int *x) {\n\tint n = \"text\";\n\t*x = n;\n}", 2, ""},
		{"undeclared", "\n\n// comment\n__global__ void k(float *x) {\n\tx[0] = undeclared_name;\n}", 5, "undeclared_name"},
		{"syntax", "__global__ void k(int *x) {\n\tx[0] = 1\n}\n", 2, ""},
		{"after a macro", "#define A \\\n\t1\n__global__ void k(int *x) {\n\t*x = A + ;\n}", 4, ""},
		{"directive", "#error stop here\n__global__ void k() {}", 1, "stop here"},
		{"no result", "__global__ int k() { return 1; }", 1, ""},
	}
	for _, tt := range tests {
		_, err := r.d.Compile(backend.Program{Name: "cell[3].cu", Source: tt.source})
		var e *backend.CompileError
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a compile error", tt.name, err)
			continue
		}
		// g++ writes "file:2:", NVRTC "file(2):".
		where := regexp.MustCompile(fmt.Sprintf(`cell\[3\]\.cu(:|\()(%d|%d)\b`, tt.line, tt.line+1))
		if tt.name != "syntax" { // a missing semicolon is reported on either line
			where = regexp.MustCompile(fmt.Sprintf(`cell\[3\]\.cu(:|\()%d\b`, tt.line))
		}
		if e.Program != "cell[3].cu" || !where.MatchString(e.Log) || !strings.Contains(e.Log, "error") || !strings.Contains(e.Log, tt.part) {
			t.Errorf("%s: the log does not name line %d:\n%s", tt.name, tt.line, e.Log)
		}
		if strings.Contains(e.Log, "/tmp/") || strings.Contains(e.Log, ".cache") {
			t.Errorf("%s: the log shows files that are not the user's:\n%s", tt.name, e.Log)
		}
	}
	for _, p := range []backend.Program{
		{Name: "a.cu", Source: "__global__ void k() {}", Kernels: []string{"other"}},
		{Name: "a.cu", Source: "__global__ void k() {}", Options: []string{"--no-such-option"}},
	} {
		if _, err := r.d.Compile(p); err == nil {
			t.Errorf("%+v compiled", p)
		}
	}
}

func testWarnings(t *testing.T, s *suite) {
	r := newRig(t, s)
	img, err := r.d.Compile(backend.Program{Name: "cell[4].cu", Source: "__global__ void k(int *x) {\n\tint unused_one;\n\t*x = threadIdx.x;\n}"})
	try(t, err)
	if !strings.Contains(img.Log, "unused_one") || !regexp.MustCompile(`cell\[4\]\.cu(:|\()2\b`).MatchString(img.Log) {
		t.Errorf("no warning about line 2: %q", img.Log)
	}
	img, err = r.d.Compile(backend.Program{Name: "cell[5].cu", Source: `
		#include <cuda_runtime.h>
		__global__ void k(float *x, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			#pragma unroll
			for (int j = 0; j < 4; j++) if (i < n) x[i] += threadIdx.x < n ? 1 : 0;
		}`})
	if err == nil && strings.Contains(img.Log, "warning") {
		t.Errorf("an ordinary program has warnings: %q", img.Log)
	}
}

func testOptions(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{
		Source:  "#ifdef EXTRA\n__global__ void extra(int *out) { *out = N * FACTOR; }\n#endif",
		Options: []string{"-DEXTRA", "-DN=3", "--define-macro=FACTOR=7", "--use_fast_math", "-std=c++17", "-lineinfo"},
	})
	out := r.alloc(4)
	try(t, r.d.Launch(launch(k["extra"], one(1), one(1), 0, out)))
	wantSlice(t, "macros", download[int32](r, out, 1), []int32{21})
}

func testPrintf(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: `
		#include <cstdio>
		__global__ void say(int n, const float *x) {
			if (threadIdx.x < n) printf("block %d thread %d: %5.2f %s\n", blockIdx.x, threadIdx.x, x[threadIdx.x], "ok");
		}`})
	x := upload(r, []float32{0.5, 1.25, -3})
	text := captureStdout(t, func() {
		try(t, r.d.Launch(launch(k["say"], one(40), one(64), 0, int32(3), x)))
		try(t, r.d.Sync())
	})
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Sort(lines)
	var want []string
	for b := range 40 {
		for i, v := range []string{" 0.50", " 1.25", "-3.00"} {
			want = append(want, fmt.Sprintf("block %d thread %d: %s ok", b, i, v))
		}
	}
	slices.Sort(want)
	wantSlice(t, "lines", lines, want)
}

func testLaunchLimits(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: "__global__ void k(int *x) { x[0] = 1; }"})["k"]
	p := r.d.Properties()
	out := r.alloc(4)
	tests := []struct {
		name        string
		grid, block [3]uint32
		shared      uint32
	}{
		{"too many threads", one(1), one(p.MaxThreadsPerBlock + 1), 0},
		{"too many threads over all axes", one(1), [3]uint32{64, 64, 1}, 0},
		{"too deep a block", one(1), [3]uint32{1, 1, uint32(p.MaxBlockDim[2] + 1)}, 0},
		{"too high a grid", [3]uint32{1, uint32(p.MaxGridDim[1] + 1), 1}, one(1), 0},
		{"empty block", one(1), [3]uint32{32, 0, 1}, 0},
		{"empty grid", one(0), one(32), 0},
		{"too much shared memory", one(1), one(32), uint32(p.SharedMemPerBlockOptin + 1)},
	}
	for _, tt := range tests {
		wantError(t, tt.name, r.d.Launch(launch(k, tt.grid, tt.block, tt.shared, out)), 1)
	}
	if err := r.d.Launch(launch(12345, one(1), one(1), 0, out)); err == nil {
		t.Error("a function that is not there was launched")
	}
	// The device still works after refused launches.
	try(t, r.d.Launch(launch(k, one(1), one(p.MaxThreadsPerBlock), 0, out)))
	wantSlice(t, "after the refusals", download[int32](r, out, 1), []int32{1})
}

func testStreams(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: "__global__ void add(int *x, int n) { for (int i = 0; i < n; i++) atomicAdd(x, 1); }"})["add"]
	try(t, r.d.StreamCreate(1, 0))
	try(t, r.d.StreamCreate(2, 0))
	if err := r.d.StreamCreate(2, 0); err == nil {
		t.Error("a stream was created twice")
	}
	try(t, r.d.EventCreate(1, false))
	x := upload(r, []int32{5})
	y := r.alloc(4)
	l := launch(k, one(4), one(64), 0, x, int32(10))
	l.Stream = 1
	try(t, r.d.Sync())
	try(t, r.d.Launch(l))
	try(t, r.d.EventRecord(1, 1))
	try(t, r.d.StreamWait(2, 1))
	try(t, r.d.CopyDtoD(y, x, 4, 2))
	got := make([]int32, 1)
	try(t, r.d.CopyDtoH(bytesOf(got), y, 2))
	try(t, r.d.StreamSync(2))
	wantSlice(t, "after the other stream", got, []int32{5 + 4*64*10})
	try(t, r.d.StreamSync(0))
	try(t, r.d.StreamDestroy(1))
	if err := r.d.Launch(l); err == nil {
		t.Error("a launch on a destroyed stream was accepted")
	}
	if err := r.d.StreamDestroy(1); err == nil {
		t.Error("a stream was destroyed twice")
	}
	try(t, r.d.StreamDestroy(2))
	try(t, r.d.EventDestroy(1))
}

func testEvents(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: "__global__ void spin(unsigned *x, int n) { for (int i = 0; i < n; i++) x[threadIdx.x] = x[threadIdx.x] * 1664525u + 1; }"})["spin"]
	x := upload(r, make([]uint32, 32))
	for ev := uint32(1); ev <= 4; ev++ {
		try(t, r.d.EventCreate(ev, false))
	}
	if err := r.d.EventCreate(1, false); err == nil {
		t.Error("an event was created twice")
	}
	if _, err := r.d.EventElapsed(1, 2); err == nil {
		t.Error("time was taken from events that were never recorded")
	}
	for i, n := range []int32{1, 200_000, 1} {
		try(t, r.d.EventRecord(uint32(i+1), 0))
		try(t, r.d.Launch(launch(k, one(1), one(32), 0, x, n)))
	}
	try(t, r.d.EventRecord(4, 0))
	try(t, r.d.EventSync(4))
	var spans []time.Duration
	for _, pair := range [][2]uint32{{1, 2}, {2, 3}, {3, 4}, {1, 4}} {
		d, err := r.d.EventElapsed(pair[0], pair[1])
		try(t, err)
		if d < 0 {
			t.Errorf("%v passed between events %v", d, pair)
		}
		spans = append(spans, d)
	}
	if spans[3] < spans[1] || spans[1] == 0 {
		t.Errorf("the spans %v do not fit together", spans)
	}
	try(t, r.d.EventDestroy(2))
	if err := r.d.EventRecord(2, 0); err == nil {
		t.Error("a destroyed event was recorded")
	}
}

// testWaits checks that a Wait works on another thread, and that completion can be queried.
func testWaits(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: "__global__ void slow(unsigned *x, int n) { for (int i = 0; i < n; i++) x[threadIdx.x] = x[threadIdx.x] * 1664525u + 1; }"})["slow"]
	x := upload(r, make([]uint32, 32))
	want := make([]uint32, 32)
	const n = 100_000
	for range 3 * n {
		want[0] = want[0]*1664525 + 1
	}
	try(t, r.d.StreamCreate(1, int32(r.d.Properties().MostPriority)))
	try(t, r.d.EventCreate(1, true))
	for _, what := range []struct {
		kind   backend.Awaited
		handle uint32
	}{{backend.AwaitStream, 1}, {backend.AwaitEvent, 1}, {backend.AwaitAll, 0}} {
		l := launch(k, one(1), one(32), 0, x, int32(n))
		l.Stream = 1
		try(t, r.d.Launch(l))
		try(t, r.d.EventRecord(1, 1))
		w, err := r.d.Await(what.kind, what.handle)
		try(t, err)
		if w != nil {
			done := make(chan error)
			go func() {
				runtime.LockOSThread() // the thread exits with the goroutine: the device has not been used on it
				done <- w.Wait()
			}()
			try(t, <-done)
			over, err := w.Done()
			try(t, err)
			if !over {
				t.Errorf("%v is not done after the wait", what)
			}
		}
		for _, ask := range []func(uint32) (bool, error){r.d.StreamDone, r.d.EventDone} {
			over, err := ask(1)
			try(t, err)
			if !over {
				t.Errorf("after the wait for %v something is not done", what)
			}
		}
	}
	if got := download[uint32](r, x, 1); got[0] != want[0] {
		t.Errorf("got %d, want %d", got[0], want[0])
	}
	for _, kind := range []backend.Awaited{backend.AwaitStream, backend.AwaitEvent} {
		if _, err := r.d.Await(kind, 77); err == nil {
			t.Error("a wait for something that is not there was accepted")
		}
	}
}
