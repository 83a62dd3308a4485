package kernels

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// number returns the number that an environment variable holds, or one to use without it.
func number(t *testing.T, variable string, otherwise int) int {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, and not a positive number", variable, text)
	}
	return n
}

// withoutFMA keeps a GPU's compiler from fusing a product and a sum, which rounds once instead of twice.
var withoutFMA = gpu.WithFlags("--fmad=false")

// result is what a launch has written.
type result struct {
	out    []uint32
	totals []uint64
}

// TestKernels compares random kernels on the simulator, in other orders of threads, in check mode, and on a GPU if there is one.
// GOPHERWARP_KERNELS is their number, GOPHERWARP_SEED chooses others.
func TestKernels(t *testing.T) {
	const each = 20
	n, seed := number(t, "GOPHERWARP_KERNELS", each), number(t, "GOPHERWARP_SEED", 1)
	if testing.Short() {
		n = 4
	}
	devices := []string{"sim", "sim:reverse", fmt.Sprintf("sim:random=%d", seed)}
	real, err := gpu.Devices()
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(real, func(d *gpu.Device) bool { return d.Name() == "cuda:0" }) {
		devices = append(devices, "cuda:0")
	} else {
		t.Log("SKIPPED: this machine has no cuda:0; orders of the simulator are compared with each other")
	}
	for from := 0; from < n; from += each {
		compare(t, devices, uint64(seed)<<32|uint64(from), min(each, n-from))
	}
}

// compare runs n kernels of a seed on all devices.
func compare(t *testing.T, devices []string, seed uint64, n int) {
	source, list := Program(seed, n)
	var want []result
	for _, name := range devices {
		got := run(t, name, source, list)
		if want == nil {
			want = got
			continue
		}
		for i := range list {
			if !slices.Equal(got[i].out, want[i].out) || !slices.Equal(got[i].totals, want[i].totals) {
				t.Errorf("seed %#x: %s differs on %s and %s%s\n%s", seed, list[i].Name, devices[0], name, difference(want[i], got[i]), list[i].Source)
			}
		}
	}
	checked(t, seed, source, list, want)
}

// difference returns the first elements that differ.
func difference(a, b result) string {
	for i := range a.out {
		if a.out[i] != b.out[i] {
			return fmt.Sprintf(": out[%d] is %#x and %#x", i, a.out[i], b.out[i])
		}
	}
	return fmt.Sprintf(": totals are %#x and %#x", a.totals, b.totals)
}

// checked runs the kernels in check mode, which must find nothing and change nothing.
func checked(t *testing.T, seed uint64, source string, list []Kernel, want []result) {
	if err := gpu.Use("sim"); err != nil {
		t.Fatal(err)
	}
	m, err := gpu.Compile(source, withoutFMA, gpu.WithCheck())
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range list {
		var got result
		report, err := check.Run(func() (err error) {
			got, err = launch(m, k)
			return err
		})
		if err != nil {
			t.Fatalf("seed %#x: %s in check mode: %v\n%s", seed, k.Name, err, k.Source)
		}
		if err := report.Err(); err != nil {
			t.Errorf("seed %#x: %s: check mode finds what is not there: %v\n%s", seed, k.Name, err, k.Source)
		} else if !slices.Equal(got.out, want[i].out) || !slices.Equal(got.totals, want[i].totals) {
			t.Errorf("seed %#x: %s differs in check mode%s\n%s", seed, k.Name, difference(want[i], got), k.Source)
		}
	}
}

// run returns the result of each kernel on a device.
func run(t *testing.T, device, source string, list []Kernel) []result {
	t.Helper()
	if err := gpu.Use(device); err != nil {
		t.Fatal(err)
	}
	m, err := gpu.Compile(source, withoutFMA)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	var results []result
	for _, k := range list {
		r, err := launch(m, k)
		if err != nil {
			t.Fatalf("%s on %s: %v\n%s", k.Name, device, err, k.Source)
		}
		results = append(results, r)
	}
	return results
}

// launch launches a kernel twice, on what it has written before.
func launch(m *gpu.Module, k Kernel) (r result, err error) {
	f, err := m.Kernel(k.Name)
	if err != nil {
		return r, err
	}
	in := make([]uint32, 256)
	for i := range in {
		in[i] = uint32(i) * 2654435761
	}
	r.out, r.totals = make([]uint32, k.Threads()), make([]uint64, Totals)
	r.totals[2] = 1<<32 - 1 // of which kernels take the minimum
	shape := gpu.Launch{Grid: gpu.Dim(k.Grid[0], k.Grid[1:]...), Block: gpu.Dim(k.Block[0], k.Block[1:]...)}
	for n := range 2 {
		if err := f.Launch(shape, gpu.In(in), gpu.InOut(r.out), gpu.InOut(r.totals), uint32(n*5+1)); err != nil {
			return r, err
		}
	}
	return r, gpu.Sync()
}
