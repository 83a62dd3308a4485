package gpu

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	fresh(t)
	m, err := Compile(toySource+"template <typename T> __global__ void scale(T *x, T a) {}\n", WithName("cell[3].cu"), WithFlags("-DN=3"), WithInstances("scale<double>"))
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
	_, err := Compile("__global__ void k() {}\nerror", WithName("cell[3].cu"))
	var c *CompileError
	if !errors.As(err, &c) || c.Program != "cell[3].cu" || c.Log != "cell[3].cu(2): error: no" {
		t.Errorf("got %v", err)
	}
	if _, err := Compile("__global__ void k() {}", WithInstances("nope<int>")); !errors.As(err, &c) || !strings.Contains(c.Log, "nope") {
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
			// A device that works again is found at the next try.
			t.Setenv("GOPHERWARP_BIN", good)
			if err := Use("toy:1"); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}
