package nd_test

import (
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// A goroutine may read a part of an array while another one writes a part from itself, which moves the array to other memory.
func TestPartsOfGoroutines(t *testing.T) {
	const n, steps = 10_000_000, 30
	a := nd.Full[float32](7, n)
	a.Slice(nd.At(0)).Fill(3)
	written, read := a.Slice(nd.To(10)), a.Slice(nd.From(10))
	done := make(chan error)
	go func() {
		done <- nd.Try(func() {
			for range steps {
				written.Assign(written.Flip())
				nd.Zeros[float32](n).Eval() // other work, which may use memory again
			}
		})
	}()
	for ended := false; !ended; {
		if err := nd.Try(func() {
			if got := read.ToHost(); slices.Min(got) != 7 || slices.Max(got) != 7 {
				t.Errorf("elements that nobody writes are from %v to %v, want 7", slices.Min(got), slices.Max(got))
			}
		}); err != nil {
			t.Error(err)
		}
		select {
		case err := <-done:
			if ended = true; err != nil {
				t.Error(err)
			}
		default:
		}
	}
	if got := written.ToHost(); got[0] != 3 || got[9] != 7 {
		t.Errorf("turned %d times, the part is %v", steps, got)
	}
}
