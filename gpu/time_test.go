package gpu_test

import (
	"errors"
	"testing"
	"time"

	. "github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

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
	got, err := prof.Time(f, prof.WithMaxRuns(37), prof.WithWarmUps(4), prof.WithMinTime(0), prof.WithFlops(2000))
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
	if got, err := prof.Time(f, prof.WithMaxRuns(1), prof.WithBytes(5)); got.Bytes != 5 || got.Runs != 1 || err != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	bad := errors.New("bad")
	if _, err := prof.Time(func() error { return bad }); err != bad {
		t.Errorf("got %v, want f's own error", err)
	}
}

func TestTimeOnASlowDevice(t *testing.T) {
	for _, slow := range []string{"", "1"} {
		t.Run("slow"+slow, func(t *testing.T) {
			t.Setenv("TOY_SLOW", slow)
			fresh(t)
			k := compileToy(t, "empty")
			x := Zeros[float32](1)
			got, err := prof.Time(func() error { return k.Launch(For(1, 1), x, 1.0, 1) }, prof.WithMinTime(0), prof.WithMaxTime(time.Millisecond))
			if err != nil {
				t.Fatal(err)
			}
			if got.Throttled != (slow != "") || got.CopyGBs <= 0 || got.P95 < got.Q3 || got.Noise <= 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}
