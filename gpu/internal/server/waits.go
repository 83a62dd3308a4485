package server

import (
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// waits waits for work on threads of its own, so that a long wait for one stream does not delay commands for others.
type waits struct {
	server *server
	jobs   chan job
	// active is the number of pending waits on other threads. Meanwhile, streams and events are not destroyed.
	active atomic.Int32
	// late are the functions postponed for that reason.
	late []func() error
}

// job is a wait and the slot of its result.
type job struct {
	seq  uint64
	slot int
	result
}

func (w *waits) init(s *server) { w.server, w.jobs = s, make(chan job) }

// briefly is the time that the thread of commands itself waits. Most waits end before, and waking another thread takes as long as
// a short kernel.
const briefly = 50 * time.Microsecond

// brief waits for that time, or until there is another command.
func (w *waits) brief(what backend.Wait) (done bool, err error) {
	start := time.Now()
	for {
		if done, err = what.Done(); done || err != nil {
			return done, err
		}
		if !w.server.in.Idle() || time.Since(start) > briefly {
			return false, nil
		}
	}
}

// hand passes a wait to an idle thread, or to a new one.
func (w *waits) hand(seq uint64, slot int, r result) {
	w.active.Add(1)
	j := job{seq, slot, r}
	select {
	case w.jobs <- j:
	default:
		go w.work(j)
	}
}

func (w *waits) work(j job) {
	runtime.LockOSThread() // Wait blocks its thread, and the driver has state per thread
	for {
		err := j.wait.Wait()
		// The error may be that of work that was submitted later.
		seq := max(j.seq, w.server.seg.Serving())
		if err == nil {
			seq = j.seq
		}
		err = w.server.finish(seq, j.slot, j.result, err)
		w.active.Add(-1)
		if err != nil {
			// The thread of commands may be blocked in the device, and the session waits until this process exits.
			os.Exit(1)
		}
		j = <-w.jobs
	}
}

// whenIdle calls f, now or when no waits are pending.
func (w *waits) whenIdle(f func() error) error {
	if w.active.Load() > 0 {
		w.late = append(w.late, f)
		return nil
	}
	return f()
}

// settle calls the postponed functions, if no waits are pending.
func (w *waits) settle() error {
	if len(w.late) == 0 || w.active.Load() > 0 {
		return nil
	}
	var first error
	for _, f := range w.late {
		if err := f(); err != nil && first == nil {
			first = err
		}
	}
	w.late = nil
	return first
}
