package lens_test

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
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

// TestLargePage records data that cannot be compressed, of a long block, of many blocks, and of several launches.
func TestLargePage(t *testing.T) {
	k := kernel(t, `__global__ void scatter(double *x, const int *where, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < n; step++)
        x[where[(i + step * 977) % 1048576]] += step + x[i];
}
`, "scatter")
	numbers := rand.New(rand.NewPCG(1, 2))
	host, where := make([]float64, 1<<20), make([]int32, 1<<20)
	for i := range host {
		host[i], where[i] = numbers.Float64(), numbers.Int32N(1<<20)
	}
	x, w := gpu.ToDevice(host), gpu.ToDevice(where)
	for _, c := range []struct {
		name                             string
		threads, steps, blocks, launches int
		want                             string
	}{
		{"a long block", 256, 700, 1, 1, "recorded steps, so that it does not become too large"},
		{"a million threads", 1 << 20, 1, 4096, 1, "recorded blocks, so that it does not become too large"},
		{"several launches", 256, 50, 1, 6, "recorded steps, so that it does not become too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := lens.Run(func() error {
				for range c.launches {
					if err := k.Launch(gpu.For(c.threads, 256), x, w, c.steps); err != nil {
						return err
					}
				}
				return nil
			}, lens.WithBlocks(0, c.blocks))
			if err != nil {
				t.Fatal(err)
			}
			page := r.MIMEBundle()["text/html"].(string)
			if len(page) > 2<<20 {
				t.Errorf("the page has %d bytes", len(page))
			}
			if notes := notesOf(t, page); !strings.Contains(notes, c.want) {
				t.Errorf("the page says %q, want %q", notes, c.want)
			}
		})
	}
}

// notesOf returns the notes in the data of the first picture of a page.
func notesOf(t *testing.T, page string) string {
	t.Helper()
	_, rest, _ := strings.Cut(page, `class="gw-data">`)
	data, _, _ := strings.Cut(rest, "<")
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Notes  []string
		Blocks []struct {
			Ticks int
			Warps []struct{ Ticks, Lines []int }
		}
	}
	if err := json.NewDecoder(z).Decode(&p); err != nil {
		t.Fatal(err)
	}
	for _, b := range p.Blocks {
		for _, w := range b.Warps {
			if n := len(w.Ticks); n != len(w.Lines) || n > 0 && w.Ticks[n-1] >= b.Ticks {
				t.Fatalf("a warp has %d steps in %d ticks", n, b.Ticks)
			}
		}
	}
	return strings.Join(p.Notes, "; ")
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
