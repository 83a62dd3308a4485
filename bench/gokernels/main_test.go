package main

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// The launchers that gopherwarp kernels has written compute what the kernels in CUDA C do, with and without checks of indices.
func TestLaunchers(t *testing.T) {
	m, err := gpu.Compile(cuda, gpu.WithName("kernels.cu"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := contests(m, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			want, err := c.once(c.cuda)
			if err != nil {
				t.Fatal(err)
			}
			for name, form := range map[string]func() error{"checked": c.checked, "nobounds": c.free} {
				got, err := c.once(form)
				if err != nil {
					t.Fatal(err)
				}
				if len(got) != len(want) || len(want) == 0 {
					t.Fatalf("%s: %d results, want %d", name, len(got), len(want))
				}
				if d := difference(want, got); d > 1e-4 {
					t.Errorf("%s: largest relative difference %.1e", name, d)
				}
			}
		})
	}
}

// The same kernels run as plain Go on slices.
func TestRunners(t *testing.T) {
	const n = 1000
	a, b, sums := make([]float32, n), make([]float32, n), make([]float32, 1)
	for i := range a {
		a[i], b[i] = float32(i), 2
	}
	c := make([]float32, n)
	if err := runVecAdd(gpu.For(n, 256), a, b, c); err != nil {
		t.Fatal(err)
	}
	for i, v := range c {
		if v != float32(i)+2 {
			t.Fatalf("c[%d] = %v, want %d", i, v, i+2)
		}
	}
	if err := runReduce(gpu.Launch{Grid: gpu.Dim(3), Block: gpu.Dim(256)}, a, sums); err != nil {
		t.Fatal(err)
	}
	if sums[0] != n*(n-1)/2 {
		t.Errorf("the sum is %v, want %d", sums[0], n*(n-1)/2)
	}
	if err := runVecAdd(gpu.For(n, 256), a, b[:n-1], c); err == nil {
		t.Error("an index out of range is no error")
	}
}
