package ring

import (
	"runtime"
	"testing"
	"time"
)

// A wait that was short though it slept lets the next one spin for longer; one that was long does not.
func TestSpinnerAfterSleep(t *testing.T) {
	ready := func() bool { return true }
	for _, c := range []struct {
		began time.Duration // before now
		want  time.Duration
	}{
		{0, maxSpin},
		{time.Hour, minSpin},
	} {
		s := spinner{budget: minSpin, began: time.Now().Add(-c.began)}
		if s.until(ready); s.budget != c.want || !s.began.IsZero() {
			t.Errorf("after a wait of %v the next one spins for %v, want %v; it began at %v", c.began, s.budget, c.want, s.began)
		}
	}
}

// A side notes its processor, and does not spin while the other one runs there.
func TestSpinnerShared(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var mine, other processor
	s := spinner{mine: &mine, other: &other}
	if s.shared() || mine.Load() == 0 {
		t.Errorf("before the other side has run, the processor is shared, or none was noted: %d", mine.Load())
	}
	for range 1000 { // the thread may move from one processor to another
		other.Store(mine.Load())
		if s.shared() {
			return
		}
	}
	t.Error("the processor is never shared")
}

// A segment tells whether its producer's side sleeps.
func TestAwaited(t *testing.T) {
	seg := format(make([]byte, segmentSize))
	if seg.Awaited() {
		t.Error("nobody waits, and the segment is awaited")
	}
	seg.Slot(3).Arm()
	done := make(chan error)
	go func() {
		_, _, _, err := seg.Wait(3)
		done <- err
	}()
	for start := time.Now(); !seg.Awaited(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("a goroutine waits for a slot, and the segment is not awaited")
		}
	}
	seg.Slot(3).Finish(0, 0, 0)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if seg.Awaited() {
		t.Error("the slot is finished, and the segment is awaited")
	}
}
