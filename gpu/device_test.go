package gpu

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCompile(t *testing.T) {
	fresh(t)
	m, err := Compile(toySource+"template <typename T> __global__ void scale(T *x, T a) {}\n", Name("cell[3].cu"), Flags("-DN=3"), Instantiate("scale<double>"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Kernels(), []string{"saxpy", "addone", "mixed", "empty", "hello", "refuse", "fault", "die", "gate", "open", "hang", "scale<double>"}; !slices.Equal(got, want) {
		t.Errorf("kernels: got %v, want %v", got, want)
	}
	if m.Log() != "looks fine" {
		t.Errorf("log: %q", m.Log())
	}
	k, err := m.Kernel("scale<double>")
	if err != nil {
		t.Fatal(err)
	}
	p := k.Params()
	if k.Name() != "scale<double>" || len(p) != 2 || p[0].Elem != "float64" || p[1].Size != 8 || k.Info().NumRegs != 8 {
		t.Errorf("%v: %+v %+v", k, p, k.Info())
	}
	if got, want := compileToy(t, "saxpy").String(), "saxpy(float a, const float *x, float *y, int n)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = m.Kernel("nope")
	var e *Error
	if !errors.As(err, &e) || e.Code != codeNotFound || !strings.Contains(err.Error(), "cell[3].cu has no kernel of that name; it has: saxpy, addone,") {
		t.Errorf("got %v", err)
	}
}

func TestCompileError(t *testing.T) {
	d := fresh(t)
	_, err := Compile("__global__ void k() {}\nerror", Name("cell[3].cu"))
	var c *CompileError
	if !errors.As(err, &c) || c.Program != "cell[3].cu" || c.Log != "cell[3].cu(2): error: no" {
		t.Errorf("got %v", err)
	}
	if _, err := Compile("__global__ void k() {}", Instantiate("nope<int>")); !errors.As(err, &c) || !strings.Contains(c.Log, "nope") {
		t.Errorf("an instance of nothing: got %v", err)
	}
	compileToy(t, "saxpy")
	if st := d.state(); st.Starts != 1 {
		t.Errorf("%d device processes, want 1", st.Starts)
	}
}

func TestEvents(t *testing.T) {
	d := fresh(t)
	a, b := NewEvent(), NewEvent()
	if err := a.Sync(); err != nil {
		t.Error("an event that was never recorded:", err)
	}
	if _, err := b.Since(a); err == nil || !strings.Contains(err.Error(), "must be recorded first") {
		t.Errorf("got %v", err)
	}
	s := NewStream()
	for _, err := range []error{a.Record(nil), b.Record(s), s.Wait(a), b.Sync(), s.Sync()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := b.Since(a); got <= 0 || err != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := a.Since(b); got >= 0 || err != nil {
		t.Errorf("backwards: got %v, %v", got, err)
	}
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	killed(t, d)
	if _, err := b.Since(a); err == nil || !strings.Contains(err.Error(), "record both again") {
		t.Errorf("got %v", err)
	}
}

func TestTime(t *testing.T) {
	fresh(t)
	k := compileToy(t, "saxpy")
	x, y := Zeros[float32](1000), Zeros[float32](1000)
	runs := 0
	f := func() error {
		runs++
		if err := k.Launch(For(1000, 256), 2.0, x, y, 1000); err != nil {
			return err
		}
		return k.Launch(For(1000, 256), 2.0, x, y, 1000)
	}
	got, err := Time(f, MaxRuns(37), WarmUps(4), MinTime(0), CountFlops(2000))
	if err != nil {
		t.Fatal(err)
	}
	// Those back to back are in five rounds, each with a run before it.
	if got.Runs < 5 || got.Runs > 37 || runs <= 4+got.Runs || got.Hot <= 0 || got.Stopped == "" {
		t.Errorf("%d runs, %d counted: %+v", runs, got.Runs, got)
	}
	if got.Bytes != 8000 {
		t.Errorf("%d bytes, want 8000: two buffers, each once", got.Bytes)
	}
	if got.Min <= 0 || got.Min > got.Q1 || got.Q1 > got.Median || got.Median > got.Q3 || got.CPU <= 0 || got.GBs() <= 0 || got.GFlops() <= 0 {
		t.Errorf("%+v", got)
	}
	if got, err := Time(f, MaxRuns(1), CountBytes(5)); got.Bytes != 5 || got.Runs != 1 || err != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	bad := errors.New("bad")
	if _, err := Time(func() error { return bad }); err != bad {
		t.Errorf("got %v, want f's own error", err)
	}
	text := Timing{
		Median: 12345, Q1: 12000, Q3: 1e6, Min: 999, Hot: 9000, CPU: 2e9, Runs: 7, Stopped: "it has settled",
		Bytes: 24690, Flops: 12345, Noise: 0.0123, CopyGBs: 4, Throttled: true,
	}.String()
	if want := "median 12.35 µs cold (quartiles 12 µs to 1 ms, min 999 ns), 2 GB/s (50 % of the rate of a copy), 1 GFLOP/s\n" +
		"  back to back 9 µs, with what fits in the L2 cache\n" +
		"  CPU 2 s; 7 runs, noise 1.2 %, stopped as it has settled\n" +
		"  the device runs below three quarters of its clock rate (heat, power), so it can be faster"; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

func TestTimeOnASlowDevice(t *testing.T) {
	for _, slow := range []string{"", "1"} {
		t.Run("slow"+slow, func(t *testing.T) {
			t.Setenv("TOY_SLOW", slow)
			fresh(t)
			k := compileToy(t, "empty")
			x := Zeros[float32](1)
			got, err := Time(func() error { return k.Launch(For(1, 1), x, 1.0, 1) }, MinTime(0), MaxTime(time.Millisecond))
			if err != nil {
				t.Fatal(err)
			}
			if got.Throttled != (slow != "") || got.CopyGBs <= 0 || got.P95 < got.Q3 || got.Noise <= 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestStopRule(t *testing.T) {
	steady := slices.Repeat([]time.Duration{1000}, 10)
	wild := slices.Repeat([]time.Duration{1000, 2000}, 10)
	for name, c := range map[string]struct {
		times   []time.Duration
		elapsed time.Duration
		batches int // before, with the same times
		want    string
	}{
		"steady":         {steady, time.Second, 0, "it is at most 0.5 %"},
		"too few":        {steady[:9], time.Minute, 0, ""},
		"too soon":       {steady, time.Millisecond, 0, ""},
		"noisy":          {wild, time.Second, 0, ""},
		"settled":        {wild, time.Second, 7, "it has settled"},
		"time is up":     {wild, 5 * time.Second, 0, "5 s were over"},
		"many, too soon": {slices.Repeat(steady, 1000), 0, 0, "these are as many as allowed"},
	} {
		r := newStopRule()
		for range c.batches {
			if r.done(c.times, time.Second) != "" {
				t.Errorf("%s: done too soon", name)
			}
		}
		if got := r.done(c.times, c.elapsed); got != c.want {
			t.Errorf("%s: stopped as %q, want %q", name, got, c.want)
		}
	}
	if got := scatter([]time.Duration{1, 3}); got < 0.707 || got > 0.7072 {
		t.Errorf("1 and 3 scatter by %v", got)
	}
	if scatter(nil) != 0 || scatter([]time.Duration{0, 0}) != 0 {
		t.Error("nothing scatters")
	}
}

func TestQuantile(t *testing.T) {
	list := []time.Duration{10, 20, 30, 40}
	for q, want := range map[float64]time.Duration{0: 10, 0.25: 17, 0.5: 25, 1: 40} {
		if got := quantile(list, q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestUse(t *testing.T) {
	first := fresh(t)
	x := ToDevice([]int32{1})
	for name, want := range map[string]string{
		"toy:2":  "there is no toy 2",
		"nobody": `there is no device kind "nobody": the choices are auto, toy`,
		"":       "the choices are auto, sim and cuda:N",
		"cuda:x": "what follows the colon must be a number",
		"a/b":    "the choices are",
	} {
		if err := Use(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Use(%q): got %v, want %q", name, err, want)
		}
		if d, err := Current(); d != first || err != nil {
			t.Errorf("after Use(%q) the current device is %v, %v", name, d, err)
		}
	}
	if err := Use("toy:1"); err != nil {
		t.Fatal(err)
	}
	y := Zeros[int32](1)
	if x.Device() != first || y.Device() == first || y.Device().Name() != "toy:1" || y.Device().String() != "Toy (toy:1)" {
		t.Errorf("devices %v and %v", x.Device(), y.Device())
	}
	if err := Use("auto"); err != nil {
		t.Fatal(err)
	}
	auto, err := Current()
	if err != nil || auto.Name() != "toy:0" || auto.Properties().MaxThreadsPerBlock != 1024 {
		t.Errorf("auto is %v, %v", auto, err)
	}
	if err := Use("auto"); err != nil {
		t.Fatal(err)
	}
	if d, _ := Current(); d != auto {
		t.Error("auto is another device the second time")
	}
	if got := x.ToHost(); got[0] != 1 {
		t.Errorf("the first device's buffer holds %v", got)
	}
}

func TestDevicesAndStatus(t *testing.T) {
	d := fresh(t)
	list, err := Devices()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 3 || list[0] != d || list[1].Name() != "toy:1" || list[len(list)-1].Name() != "sim" {
		t.Errorf("devices: %v", list)
	}
	x := Zeros[int32](1000)
	st := Status()
	if len(st) != 1 || !st[0].Current || !st[0].Open || st[0].Name != "toy:0" || st[0].Product != "Toy" || st[0].Backend != "toy" ||
		st[0].Buffers != 1 || st[0].BufferBytes != 4096 || st[0].ReservedBytes < 4096 || st[0].Pid == 0 {
		t.Errorf("%+v", st)
	}
	free, total, err := d.MemInfo()
	if err != nil || total != toyTotal || free >= total {
		t.Errorf("memory: %d of %d, %v", free, total, err)
	}
	x.Free()
}

func TestCellEndCostsNothingWithoutWork(t *testing.T) {
	d := fresh(t)
	if err := Sync(); err != nil {
		t.Fatal(err)
	}
	seq := d.link.Sent()
	for range 3 {
		if err := cellEnd(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if d.link.Sent() != seq {
		t.Error("a command was sent for nothing")
	}
}

func TestStartFailures(t *testing.T) {
	script := func(text string) string {
		name := t.TempDir() + "/gopherwarp"
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return name
	}
	good := os.Getenv("GOPHERWARP_BIN")
	for name, c := range map[string]struct{ bin, path, want string }{
		"not in PATH":   {"", t.TempDir(), "not in PATH"},
		"not there":     {"/nonexistent/gopherwarp", "", "starting the device process /nonexistent/gopherwarp"},
		"ends at once":  {script("exit 3"), "", "ended before it had opened the device"},
		"says nonsense": {script("printf '\\010\\0\\0\\0\\0\\0\\0\\0nonsense'   >&3; exec sleep 60"), "", "damaged message"},
	} {
		t.Run(name, func(t *testing.T) {
			fresh(t)
			t.Setenv("GOPHERWARP_BIN", c.bin)
			if c.path != "" {
				t.Setenv("PATH", c.path)
			}
			if err := Use("toy:1"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			// What is mended is found at the next try.
			t.Setenv("GOPHERWARP_BIN", good)
			if err := Use("toy:1"); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}
