package ring

import (
	"runtime"
	"testing"
	"time"
)

func TestPatience(t *testing.T) {
	var p patience
	for _, step := range []struct {
		limit, waited, want time.Duration
	}{
		{0, 0, maxSpin},
		{0, time.Millisecond, maxSpin}, // nothing has allowed more
		{time.Second, 0, maxSpin},
		{time.Second, time.Microsecond, maxSpin},
		{time.Second, 300 * time.Millisecond, 600 * time.Millisecond},
		{time.Second, 900 * time.Millisecond, time.Second},
		{time.Second, 2 * time.Second, maxSpin}, // to spin would probably be in vain
	} {
		p.limit.Store(int64(step.limit))
		p.waited(step.waited)
		if got := p.budget(); got != step.want {
			t.Errorf("limit %v, the last wait %v: the next one spins for %v, want %v", step.limit, step.waited, got, step.want)
		}
	}
}

// A wait notes how long it took, so that the next one spins and need not be woken.
func TestWaitSpins(t *testing.T) {
	if runtime.NumCPU() == 1 {
		t.Skip("SKIPPED: nothing spins on one processor")
	}
	s := onHeap()
	s.SetPatience(time.Minute)
	slot := s.Slot(2)
	wait := func(before func()) {
		slot.Arm()
		done := make(chan error)
		go func() {
			_, _, _, err := s.Wait(2)
			done <- err
		}()
		before()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	wait(func() {
		for slot.parked.Load() == 0 { // until it sleeps
			time.Sleep(time.Millisecond)
		}
		slot.Finish(0, 0, 0)
	})
	if s.patience.budget() <= maxSpin {
		t.Fatalf("after a wait with a sleep the next one spins for %v", s.patience.budget())
	}
	s.patience.waited(30 * time.Second)
	s.head.producerOn.Store(0)
	wait(func() {
		for s.head.producerOn.Load() == 0 { // until it begins to spin
			runtime.Gosched()
		}
		for begun := time.Now(); time.Since(begun) < 3*maxSpin; { // longer than a wait without patience spins
			runtime.Gosched()
		}
		if slot.parked.Load() != 0 {
			t.Error("the second wait sleeps")
		}
		slot.Finish(0, 0, 0)
	})
}
