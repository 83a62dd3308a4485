package gpu_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	. "github.com/gopherwarp/gopherwarp/gpu"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// A kernel runs on the device that it was compiled for, and a profile of another device names both.
func TestProfileOfAnotherDevice(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	k := compileToy(t, "saxpy")
	x, y := Zeros[float32](64), Zeros[float32](64)
	freshDevice(t, "sim:h200")
	r, err := prof.Run(func() error { return k.Launch(For(64, 64), 2, x, y, 64) })
	if err != nil {
		t.Fatal(err)
	}
	const want = "Kernel saxpy was compiled for sim and ran there, while sim:h200 was profiled"
	if text := r.String(); !strings.Contains(text, want) || !strings.Contains(text, "%gpu sim)") {
		t.Errorf("the report is\n%s\nwant %q in it", text, want)
	}
}

// The simulator counts what kernels read and write: a saxpy reads two arrays and writes one.
func TestProfileCountsMemory(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim:h200")
	const n = 1 << 14
	k := compileToy(t, "saxpy")
	x, y := Zeros[float32](n), Zeros[float32](n)
	part := Zeros[float32](n)
	r, err := prof.Run(func() error {
		for range 3 {
			if err := k.Launch(For(n, 256), 2, x, y, n); err != nil {
				return err
			}
		}
		// Of 100 floats only 13 pieces of 32 bytes are touched.
		return k.Launch(For(100, 32), 2, x, part, 100)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Kernels) != 2 {
		t.Fatalf("kernels: %+v", r.Kernels)
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		want := map[string]float64{
			backend.MetricDRAMRead: 3 * 2 * 4 * n, backend.MetricDRAMWrite: 3 * 4 * n,
			backend.MetricLoadSector: 3 * 2 * 4 * n / 32, backend.MetricStoreSector: 3 * 4 * n / 32,
		}
		calls, grid, occupancy := 3, n/256, 1.0
		if k.Grid[0] != n/256 {
			want = map[string]float64{
				backend.MetricDRAMRead: 2 * 13 * 32, backend.MetricDRAMWrite: 13 * 32,
				backend.MetricLoadSector: 2 * 13, backend.MetricStoreSector: 13,
			}
			calls, grid, occupancy = 1, 4, 0.5 // 32 blocks of one warp are half of what fits
		}
		if k.Name != "saxpy" || k.Calls != calls || k.Counted != calls || k.Grid[0] != grid || k.Total < k.Max || k.Min > k.Mean {
			t.Errorf("%+v", k)
		}
		if k.Theoretical != occupancy {
			t.Errorf("grid %d: theoretical occupancy %v, want %v", k.Grid[0], k.Theoretical, occupancy)
		}
		for name, v := range want {
			if k.Metrics[name] != v {
				t.Errorf("grid %d: %s is %v, want %v", k.Grid[0], name, k.Metrics[name], v)
			}
		}
	}
}

// An atomic operation reads and writes, and what was touched before the launch does not count.
func TestProfileCountsAtomics(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	m, err := Compile(`__global__ void count(unsigned *bins, int n) { atomicAdd(&bins[threadIdx.x % n], 1u); }`, WithName("count.cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("count")
	if err != nil {
		t.Fatal(err)
	}
	bins := Zeros[uint32](64)
	r, err := prof.Run(func() error {
		if err := k.Launch(For(64, 64), bins, 64); err != nil {
			return err
		}
		return k.Launch(Launch{Grid: Dim(2), Block: Dim(64)}, bins, 8)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		want := float64(64 * 4)
		if k.Grid[0] == 2 {
			want = 32
		}
		if got := k.Metrics[backend.MetricDRAMRead]; got != want {
			t.Errorf("grid %d: read %v, want %v", k.Grid[0], got, want)
		}
		if got := k.Metrics[backend.MetricDRAMWrite]; got != want {
			t.Errorf("grid %d: wrote %v, want %v", k.Grid[0], got, want)
		}
	}
}

// Copies are there by kind, with their bytes; ranges have the work that was asked for in them.
func TestProfileCopiesAndRanges(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const n = 1 << 20
		k := compileToy(t, "addone")
		host := make([]int32, n)
		r, err := prof.Run(func() error {
			end := prof.Range("all")
			defer end()
			x := ToDevice(host)
			y := Zeros[int32](n)
			for range 2 {
				step := prof.Range("step")
				if err := k.Launch(For(n, 256), x, n); err != nil {
					return err
				}
				step()
			}
			if err := Copy(y, x); err != nil {
				return err
			}
			return y.CopyTo(host)
		}, prof.WithTimesOnly())
		if err != nil {
			t.Fatal(err)
		}
		if host[n-1] != 2 {
			t.Errorf("the kernels have run %d times", host[n-1])
		}
		bytes := map[string]uint64{}
		for _, c := range r.Copies {
			bytes[c.Kind] = c.Bytes
			if c.Total <= 0 {
				t.Errorf("%+v", c)
			}
		}
		if bytes["HtoD"] != 4*n || bytes["DtoH"] != 4*n || bytes["DtoD"] != 4*n || bytes["fill"] != 4*n {
			t.Errorf("copies: %v", bytes)
		}
		if len(r.Kernels) != 1 || r.Kernels[0].Name != "addone" || r.Kernels[0].Calls != 2 || r.Kernels[0].Total <= 0 || r.Kernels[0].Metrics != nil {
			t.Errorf("kernels: %+v", r.Kernels)
		}
		if len(r.Ranges) != 2 || r.Ranges[0].Name != "all" || r.Ranges[0].Times != 1 || r.Ranges[0].Launches != 2 ||
			r.Ranges[1].Name != "step" || r.Ranges[1].Times != 2 || r.Ranges[1].Launches != 2 || r.Ranges[1].Device != r.Kernels[0].Total {
			t.Errorf("ranges: %+v", r.Ranges)
		}
		if r.Ranges[0].Device <= r.Ranges[1].Device {
			t.Errorf("the copies take no time: %+v", r.Ranges)
		}
	})
}

// A timeline has each launch and copy on its stream, in their order, and the ranges around them.
func TestProfileTimeline(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const n = 1 << 16
		k := compileToy(t, "addone")
		stream := NewStream()
		defer stream.Destroy()
		x, host := Zeros[int32](n), make([]int32, n)
		r, err := prof.Run(func() error {
			defer prof.Range("outer")()
			for range 2 {
				end := prof.Range("inner")
				if err := k.Launch(Launch{Grid: Dim(n / 256), Block: Dim(256), Stream: stream}, x, n); err != nil {
					return err
				}
				if err := stream.Sync(); err != nil {
					return err
				}
				end()
			}
			return x.CopyTo(host)
		}, prof.WithTimeline())
		if err != nil {
			t.Fatal(err)
		}
		got, last := "", time.Duration(0)
		for _, e := range r.Timeline.Events {
			got += fmt.Sprintf("%s %s %d, ", e.Name, e.Kind, e.Stream)
			if e.Begin < last || e.Time <= 0 || e.Begin+e.Time > r.Wall+time.Second {
				t.Errorf("%+v after %v, of %v in all", e, last, r.Wall)
			}
			last = e.Begin + e.Time
		}
		if want := "addone kernel 1, addone kernel 1,  DtoH 0, "; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		spans := r.Timeline.Spans
		if len(spans) != 3 || spans[0].Name != "outer" || spans[1].Name != "inner" || spans[2].Name != "inner" {
			t.Fatalf("spans: %+v", spans)
		}
		for i, s := range spans {
			if s.Begin < 0 || s.Begin+s.Time > spans[0].Begin+spans[0].Time || i > 1 && s.Begin < spans[i-1].Begin+spans[i-1].Time {
				t.Errorf("%+v in %+v", s, spans)
			}
		}
		// Both clocks are the same: a kernel runs within its range, but for what clocks differ.
		const slack = 200 * time.Microsecond
		for i, e := range r.Timeline.Events[:2] {
			if s := spans[i+1]; e.Begin < s.Begin-slack || e.Begin > s.Begin+s.Time+slack {
				t.Errorf("a kernel began at %v, its range lasted %v from %v", e.Begin, s.Time, s.Begin)
			}
		}
	})
}

// Without a profiler of its own a device is timed with events.
func TestProfileWithEvents(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	x := Zeros[int32](1000)
	const launches = 300 // more than are under way at a time
	r, err := prof.Run(func() error {
		for range launches {
			if err := k.Launch(For(1000, 100), x, 1000); err != nil {
				return err
			}
		}
		return nil
	}, prof.WithTimeline())
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range r.Timeline.Events {
		if i > 0 && e.Begin < r.Timeline.Events[i-1].Begin+r.Timeline.Events[i-1].Time {
			t.Errorf("%+v is before %+v", e, r.Timeline.Events[i-1])
		}
	}
	if len(r.Timeline.Events) != launches || r.Clock != "events" || len(r.Kernels) != 1 || r.Kernels[0].Calls != launches || r.Kernels[0].Registers != k.Info().NumRegs {
		t.Errorf("%+v", r)
	}
	if v := x.ToHost()[0]; v != launches {
		t.Errorf("launched %v times", v)
	}
}

// The error of the function comes back with what was seen until then, and the next profile is
// not disturbed. Two at a time are refused.
func TestProfileErrors(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	x := Zeros[int32](8)
	r, err := prof.Run(func() error {
		if err := k.Launch(For(8, 8), x, 8); err != nil {
			return err
		}
		if _, err := prof.Run(func() error { return nil }); err == nil || !strings.Contains(err.Error(), "under way") {
			t.Errorf("a profile in a profile: %v", err)
		}
		return io.ErrUnexpectedEOF
	})
	if err != io.ErrUnexpectedEOF || len(r.Kernels) != 1 {
		t.Errorf("got %v, %+v", err, r)
	}
	// A fault costs the process that has recorded.
	r, err = prof.Run(func() error {
		if err := compileToy(t, "fault").Launch(For(1, 1), Zeros[float32](1)); err != nil {
			return err
		}
		return Sync()
	})
	if err == nil || r == nil || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "replaced") {
		t.Errorf("got %v, %+v", err, r)
	}
	if r, err = prof.Run(func() error { return k.Launch(For(8, 8), x, 8) }); err != nil || len(r.Kernels) != 1 {
		t.Errorf("afterwards: %v, %+v", err, r)
	}
}

// A panic of the function ends the profile and goes on to the caller.
func TestProfileOfPanic(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	x := Zeros[int32](8)
	func() {
		defer func() {
			if p := recover(); p != "stop" {
				t.Errorf("the panic is %v", p)
			}
		}()
		_, _ = prof.Run(func() error { panic("stop") })
	}()
	if r, err := prof.Run(func() error { return k.Launch(For(8, 8), x, 8) }); err != nil || len(r.Kernels) != 1 {
		t.Errorf("afterwards: %v, %+v", err, r)
	}
}

// A profile is one of the device that was current when it began.
func TestProfileKeepsItsDevice(t *testing.T) {
	fresh(t)
	k := compileToy(t, "empty")
	x := Zeros[float32](1)
	r, err := prof.Run(func() error {
		if err := k.Launch(For(1, 1), x, 1.0, 1); err != nil {
			return err
		}
		return Use("toy:1")
	}, prof.WithTimesOnly(), prof.WithProgress(nil))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Device, "toy:0") || len(r.Kernels) != 1 {
		t.Errorf("a profile of %s with kernels %+v, want one of toy:0", r.Device, r.Kernels)
	}
}
