package gpu_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	. "github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// What waits for a kernel that never ends returns when its context ends, with the context's error, and
// the device works on, with what its buffers hold.
func TestContext(t *testing.T) {
	for name, wait := range map[string]func(ctx context.Context, d *Device, x *Buffer[float32]) error{
		"Sync":        func(ctx context.Context, _ *Device, _ *Buffer[float32]) error { return SyncContext(ctx) },
		"Device.Sync": func(ctx context.Context, d *Device, _ *Buffer[float32]) error { return d.SyncContext(ctx) },
		"Event.Sync": func(ctx context.Context, d *Device, _ *Buffer[float32]) error {
			e := d.NewEvent()
			if err := e.Record(nil); err != nil {
				return err
			}
			return e.SyncContext(ctx)
		},
		"Stream.Sync": func(ctx context.Context, d *Device, _ *Buffer[float32]) error {
			s, e := d.NewStream(), d.NewEvent()
			if err := errors.Join(e.Record(nil), s.Wait(e)); err != nil {
				return err
			}
			return s.SyncContext(ctx)
		},
		"CopyTo": func(ctx context.Context, _ *Device, x *Buffer[float32]) error {
			return x.CopyToContext(ctx, make([]float32, x.Len()))
		},
		"ToHost": func(ctx context.Context, _ *Device, x *Buffer[float32]) error {
			_, err := x.ToHostContext(ctx)
			return err
		},
		"Compile": func(ctx context.Context, _ *Device, _ *Buffer[float32]) error {
			_, err := CompileContext(ctx, ToySource)
			return errors.Join(err, SyncContext(ctx))
		},
		"prof.Run": func(ctx context.Context, _ *Device, _ *Buffer[float32]) error {
			_, err := prof.RunContext(ctx, func() error { return nil })
			return err
		},
		"prof.Time": func(ctx context.Context, _ *Device, x *Buffer[float32]) error {
			_, err := prof.TimeContext(ctx, func() error { return x.CopyTo(make([]float32, x.Len())) })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := fresh(t)
			x := ToDevice([]float32{1, 2, 3})
			if err := compileToy(t, "hang").Launch(For(1, 1), Zeros[float32](1)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			begin := time.Now()
			if err := wait(ctx, d, x); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			if took := time.Since(begin); took < 50*time.Millisecond || took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
			if err := wait(ctx, d, x); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("with a context that has ended: %v", err)
			}
			_ = Sync() // whoever waits next is told of the work that was stopped
			if got := x.ToHost(); !slices.Equal(got, []float32{1, 2, 3}) {
				t.Errorf("then the buffer holds %v", got)
			}
		})
	}
}

// A context that does not end changes nothing.
func TestContextThatStays(t *testing.T) {
	fresh(t)
	m, err := CompileContext(t.Context(), ToySource)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("addone")
	if err != nil {
		t.Fatal(err)
	}
	x := ToDevice([]int32{1, 2})
	if err := errors.Join(k.Launch(For(2, 2), x, 2), SyncContext(t.Context())); err != nil {
		t.Fatal(err)
	}
	if got, err := x.ToHostContext(t.Context()); err != nil || !slices.Equal(got, []int32{2, 3}) {
		t.Errorf("got %v, %v", got, err)
	}
}

// Copies of all kinds stop waiting for a kernel that never ends when their context ends, and the device works on.
func TestRealContexts(t *testing.T) {
	everywhere(t, func(t *testing.T, _ *Device) {
		m, err := Compile(`__device__ int limit = 7; __global__ void hang(float *x) { while (*(volatile float *)x >= 0) {} }`)
		if err != nil {
			t.Fatal(err)
		}
		hang, err := m.Kernel("hang")
		if err != nil {
			t.Fatal(err)
		}
		limit, err := GlobalOf[int32](m, "limit")
		if err != nil {
			t.Fatal(err)
		}
		pixels, err := NewTexture([]float32{1, 2, 3, 4}, Sampling{}, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		table := Pitched[int32](2, 1)
		if err := table.CopyFrom([]int32{5, 6}); err != nil {
			t.Fatal(err)
		}
		got, elements, row := make([]int32, 1), make([]float32, 4), make([]int32, 2)
		for name, copyTo := range map[string]func(ctx context.Context) error{
			"Global":   func(ctx context.Context) error { return limit.CopyToContext(ctx, got) },
			"Texture":  func(ctx context.Context) error { return pixels.CopyToContext(ctx, elements) },
			"Buffer2D": func(ctx context.Context) error { return table.CopyToContext(ctx, row) },
		} {
			if err := hang.Launch(For(1, 1), Zeros[float32](1)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			err := copyTo(ctx)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v", name, err)
			}
			_ = Sync() // returns the error of the kernel that was stopped
			if err := copyTo(t.Context()); err != nil {
				t.Errorf("%s, without a kernel: %v", name, err)
			}
		}
		if got[0] != 7 || !slices.Equal(elements, []float32{1, 2, 3, 4}) || !slices.Equal(row, []int32{5, 6}) {
			t.Errorf("got %v, %v, %v", got, elements, row)
		}
	})
}
