package gpu

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// pairs are two devices of a kind, and what must be there for them.
var pairs = []struct{ here, there, needs string }{
	{"toy:0", "toy:1", ""}, {"sim:x2", "sim:x2:1", "sim"}, {"cuda:0", "cuda:1", "cuda:1"},
}

// deviceNamed is a device besides the current one.
func deviceNamed(name string) *Device {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return lookup(name)
}

// A kernel may work on a buffer of another device, whose work has ended by then, and which has what the kernel wrote at once.
func TestBuffersOfOtherDevices(t *testing.T) {
	for _, pair := range pairs {
		t.Run(pair.here, func(t *testing.T) {
			if pair.needs != "" {
				needDevice(t, pair.needs)
			}
			d := freshDevice(t, pair.here)
			other := deviceNamed(pair.there)
			k := compileToy(t, "saxpy")
			there, err := other.Compile(toySource)
			if err != nil {
				t.Fatal(err)
			}
			addone, err := there.Kernel("addone")
			if err != nil {
				t.Fatal(err)
			}
			const n = 1000
			host := slices.Repeat([]float32{3}, 2*n)
			x, y := Zeros[float32](2*n, other), Zeros[float32](n, other)
			counts := Zeros[int32](1<<20, other)
			own := ToDevice(host[:n])
			run := func(want float32) {
				t.Helper()
				if err := x.CopyFrom(host); err != nil {
					t.Fatal(err)
				}
				y.Fill(1)
				if err := addone.Launch(For(counts.Len(), 256), counts, counts.Len()); err != nil {
					t.Fatal(err)
				}
				// The source is a view, the other two buffers may lie in one chunk.
				if err := k.Launch(For(n, 64), 2, x.Slice(n, 2*n), y, n); err != nil {
					t.Fatal(err)
				}
				if err := k.Launch(For(n, 64), 1, own, y, n); err != nil {
					t.Fatal(err)
				}
				if i := slices.IndexFunc(y.ToHost(), func(v float32) bool { return v != want }); i >= 0 {
					t.Errorf("element %d is %v, want %v", i, y.ToHost()[i], want)
				}
			}
			run(10)
			run(10)
			killed(t, d)
			run(10)
			killed(t, other)
			run(10)
			if pair.needs == "sim" {
				r, err := runCheck(func() error { return k.Launch(For(n, 64), 2, x.Slice(0, n), y.Slice(0, n-1), n) }, hook.Checking{})
				if err != nil || len(r.Findings) != 1 || r.Findings[0].Kind != backend.KindOutOfBounds || !strings.Contains(r.Findings[0].Message, "y has 999 elements") {
					t.Errorf("checked: %v, %v", r, err)
				}
				run(10)
			}
			if _, err := d.Capture(func(s *Stream) error {
				return k.Launch(Launch{Grid: Dim(1), Block: Dim(64), Stream: s}, 2, x, y, n)
			}); err == nil || !strings.Contains(err.Error(), "can't be part of a graph") {
				t.Errorf("captured: %v", err)
			}
			if err := errors.Join(x.Free(), y.Free()); err != nil {
				t.Fatal(err)
			}
			if err := k.Launch(For(n, 64), 2, own, y, n); err == nil || !strings.Contains(err.Error(), "the buffer was freed") {
				t.Errorf("freed: %v", err)
			}
		})
	}
}
