package gpu

import (
	"errors"
	"strings"
	"testing"
)

// managedKernels compiles what the tests of managed memory run.
func managedKernels(t *testing.T) (add, sum, hang *Kernel) {
	t.Helper()
	m, err := Compile(`
		__global__ void add(int *x, int v, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n) x[i] += v;
		}
		__global__ void sum(const int *x, const int *y, int *z, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n) z[i] = x[i] + y[i];
		}
		__global__ void hang(int *x) { while (*(volatile int *)x != -1) {} }`)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]*Kernel, 3)
	for i, name := range []string{"add", "sum", "hang"} {
		if list[i], err = m.Kernel(name); err != nil {
			t.Fatal(err)
		}
	}
	return list[0], list[1], list[2]
}

func TestRealManaged(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const n = 100_000
		add, sum, hang := managedKernels(t)
		x, y := Managed[int32](n), Managed[int32](n)
		want := func(what string, s ManagedSlice[int32], f func(i int) int32) {
			t.Helper()
			for i, v := range s {
				if v != f(i) {
					t.Fatalf("%s: element %d is %d, want %d", what, i, v, f(i))
				}
			}
		}
		do := func(errs ...error) {
			t.Helper()
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
		}
		for i := range x {
			x[i] = int32(i)
		}
		do(add.Launch(For(n, 256), x, 1, n), add.Launch(For(n, 256), x, 1, n), Sync())
		want("two launches", x, func(i int) int32 { return int32(i) + 2 })
		// What the host writes after a wait is there for the next launch, and what other kernels did stays.
		x[7] = 1000
		z := Zeros[int32](n)
		do(add.Launch(For(10, 256), x[5:], 5, 10), sum.Launch(For(n, 256), x, y, z, n), d.Sync())
		after := func(i int) int32 {
			switch {
			case i == 7:
				return 1005
			case i >= 5 && i < 15:
				return int32(i) + 7
			}
			return int32(i) + 2
		}
		want("a part", x, after)
		if got := z.ToHost(); got[7] != 1005 || got[20] != 22 {
			t.Errorf("a kernel read %d and %d", got[7], got[20])
		}
		// Another stream's launch sees it, and what it writes is brought home too.
		s := NewStream()
		x[0] = 50
		do(add.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, x, 1, 1), Sync())
		if x[0] != 51 || x[7] != 1005 {
			t.Errorf("the stream left %d and %d", x[0], x[7])
		}
		// A launch that was given no managed memory moves none.
		before := d.link.Sent()
		do(sum.Launch(For(n, 256), z, z, z, n), Sync())
		if got := d.link.Sent() - before; got > 2 {
			t.Errorf("%d commands for a launch and a wait", got)
		}
		// It survives a process that is killed while it works on it, and then works on.
		do(hang.Launch(For(1, 1), x))
		d.link.Process().Kill()
		if err := Sync(); err == nil {
			t.Error("the death was not noticed")
		}
		if x[7] != 1005 || x[n-1] != int32(n-1)+2 {
			t.Errorf("after the death there are %d and %d", x[7], x[n-1])
		}
		do(add.Launch(For(n, 256), x, 1, n), Sync())
		if x[7] != 1006 || x[n-1] != int32(n-1)+3 {
			t.Errorf("after the death kernels left %d and %d", x[7], x[n-1])
		}
		part := x[1:]
		if err := part.Free(); err == nil || !strings.Contains(err.Error(), "is not one that gpu.Managed returned") {
			t.Errorf("freeing a part: %v", err)
		}
		if err := Unpin(x); err == nil {
			t.Error("managed memory was unpinned")
		}
		do(x.Free(), y.Free(), Managed[int32](0).Free())
		if used := d.link.ManagedCount(); used != 0 {
			t.Errorf("%d pieces of managed memory are left", used)
		}
	})
}

func TestRealManagedErrors(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		add, _, _ := managedKernels(t)
		x := Managed[int32](10)
		defer func() {
			if err := x.Free(); err != nil {
				t.Error(err)
			}
		}()
		for say, f := range map[string]func() error{
			"is not one that gpu.Managed returned": func() error { return add.Launch(For(1, 1), ManagedSlice[int32](make([]int32, 3)), 1, 1) },
			"has no elements":                      func() error { return add.Launch(For(1, 1), x[:0], 1, 1) },
			"cannot take elements of type float32": func() error { return add.Launch(For(1, 1), ManagedSlice[float32]{}, 1, 1) },
			"can't be part of a graph": func() error {
				_, err := Capture(func(s *Stream) error {
					return add.Launch(Launch{Grid: Dim(1), Block: Dim(1), Stream: s}, x, 1, 1)
				})
				return err
			},
			"0 arguments for the 3": func() error { return add.Launch(For(1, 1)) },
		} {
			if err := f(); err == nil || !strings.Contains(err.Error(), say) {
				t.Errorf("got %v, want %q", err, say)
			}
		}
	})
}
