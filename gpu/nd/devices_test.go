package nd_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// on makes a device of the simulator the current one until the test ends.
func on(t *testing.T, name string) *gpu.Device {
	t.Helper()
	before, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	if err := gpu.Use(name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gpu.Use(before.Name()); err != nil {
			t.Error(err)
		}
	})
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Operands of two devices are an error whose message names both, and To copies one to the other's device.
func TestTwoDevices(t *testing.T) {
	first := on(t, "sim:x2")
	a := nd.Arange[float64](4).Reshape(2, 2).AddScalar(1).Eval()
	on(t, "sim:x2:1")
	b := nd.Ones[float64](2, 2)
	places := nd.FromSlice([]int64{0})
	for name, f := range map[string]func(){
		"Add":             func() { a.Add(b) },
		"Sub":             func() { b.MulScalar(2).Sub(a.AddScalar(1)) },
		"Where":           func() { nd.Where(a.GreaterScalar(0), b, b) },
		"MatMul":          func() { nd.MatMul(a, b) },
		"Solve":           func() { nd.Solve(a, b) },
		"SolveTriangular": func() { nd.SolveTriangular(a, b, true, true) },
		"Concatenate":     func() { nd.Concatenate(0, a, b) },
		"Take":            func() { nd.Take(a, places, 0) },
		"Searchsorted":    func() { nd.Searchsorted(a.Ravel(), b, nd.Left) },
		"BincountWeights": func() { nd.BincountWeights(places, a.Ravel().Slice(nd.To(1)), 0) },
		"Assign":          func() { a.Assign(b) },
	} {
		got := panics(t, f)
		if !strings.Contains(got, "nd."+name+": one operand is on sim:x2") || !strings.Contains(got, "sim:x2:1") || !strings.Contains(got, "bring them together with To") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if d := a.Device(); d != first {
		t.Errorf("the first array is on %v", d)
	}
	equal(t, "sum on the first device", a.Add(b.To(first)), 2, 3, 4, 5)
	if d := a.AddScalar(1).Eval().Device(); d != first {
		t.Errorf("a constant has moved the array to %v", d)
	}
}

// At the limit of a device's memory, unreachable arrays are freed.
func TestOutOfMemory(t *testing.T) {
	d := on(t, "sim:t4x2:1")
	const size = 32 << 20
	d.Limit(4 * size)
	defer d.Limit(0)
	for range 8 { // unreachable at once
		nd.Zeros[uint8](size).AddScalar(1).Eval()
	}
	var kept []*nd.Array[uint8]
	got := panics(t, func() {
		for range 20 {
			kept = append(kept, nd.Zeros[uint8](size))
		}
	})
	if !strings.Contains(got, "Limit leaves the pool 128.0 MiB") || !strings.Contains(got, "were asked for") || !strings.Contains(got, "devices_test.go:") || len(kept) < 3 {
		t.Errorf("after %d arrays: %q", len(kept), got)
	}
	equal(t, "an array made before", kept[0].Slice(nd.To(2)), 0, 0)
	runtime.KeepAlive(kept)
}
