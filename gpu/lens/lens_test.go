package lens_test

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/lens"
)

func kernel(t *testing.T, source, name string) *gpu.Kernel {
	t.Helper()
	m, err := gpu.Compile(source, gpu.WithName("test.cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestLarge records 256 threads of 200 steps and more, and threads that do too much to be kept.
func TestLarge(t *testing.T) {
	k := kernel(t, `__global__ void walk(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < n; step++)
        x[i] += step;
}
`, "walk")
	x := gpu.Zeros[float32](1 << 20)
	run := func(threads, steps int) map[string]any {
		r, err := lens.Run(func() error { return k.Launch(gpu.For(threads, 256), x, steps) })
		if err != nil {
			t.Fatal(err)
		}
		return r.MIMEBundle()
	}
	page := run(256, 100)["text/html"].(string)
	if n := len(page); n > 2<<20 {
		t.Errorf("the page of 256 threads has %d bytes", n)
	}
	if strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Error("the page needs the network")
	}
	text := run(1<<20, 1)["text/plain"].(string)
	if want := "1 of 4096 blocks are recorded"; !strings.Contains(text, want) {
		t.Errorf("a million threads:\n%s\nwant %q", text, want)
	}
	text = run(256, 2000)["text/plain"].(string)
	if want := "events are recorded: choose fewer blocks or less data to see all"; !strings.Contains(text, want) {
		t.Errorf("long threads:\n%s\nwant %q", text, want)
	}
}

func TestFindings(t *testing.T) {
	k := kernel(t, `__global__ void turn(int *x) {
    __shared__ int s[64];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[63 - threadIdx.x];
}
`, "turn")
	r, err := lens.Run(func() error { return k.Launch(gpu.For(64, 64), gpu.ToDevice(make([]int32, 64))) })
	if err != nil {
		t.Fatal(err)
	}
	if list := r.Findings(); len(list) != 2 || !strings.HasPrefix(list[1], "test.cu:4: race: reads s[31]") {
		t.Errorf("findings %q", list)
	}
}

func TestOptions(t *testing.T) {
	k := kernel(t, "__global__ void one(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n", "one")
	x := gpu.Zeros[int32](256)
	launch := func() error { return k.Launch(gpu.For(256, 32), x) }
	r, err := lens.Run(launch, lens.WithBlocks(6, 5))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"block (6,0,0): 1 warp, 1 step", "block (7,0,0)", "2 of 8 blocks"} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("recorded\n%s\nwant %q", r, want)
		}
	}
	if _, err := lens.Run(launch, lens.WithBlocks(-1, 2)); err == nil || !strings.Contains(err.Error(), "from 0 on") {
		t.Errorf("block -1: %v", err)
	}
	if r, err := lens.Run(func() error { return nil }); err != nil || !r.Empty() || !strings.Contains(r.String(), "no kernel") {
		t.Errorf("nothing launched: %v, %v", r, err)
	}
	many, err := lens.Run(func() error {
		for range 10 {
			if err := launch(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || !strings.Contains(many.String(), "2 more launches were not kept") {
		t.Errorf("ten launches: %v, %v", many, err)
	}
	// What is not recorded runs as before, and the memory has what the kernel has written.
	if host, err := x.ToHost(), launch(); err != nil || host[255] != 1 {
		t.Errorf("after it: %v, %v", host[255], err)
	}
}
