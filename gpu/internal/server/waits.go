package server

import (
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// waits has what a session waits for waited for on threads of their own, so that a long wait
// for one stream does not keep commands for others from being carried out.
type waits struct {
	server *server
	jobs   chan job
	// active counts the waits handed over. While there are any, nothing is destroyed that
	// one of them may be for.
	active atomic.Int32
	// late are the commands that had to be put off for that.
	late []func() error
}

// job is a wait and where its result goes.
type job struct {
	seq  uint64
	slot int
	result
}

func (w *waits) init(s *server) { w.server, w.jobs = s, make(chan job) }

// briefly is how long the thread of commands waits itself. Most waits are over by then, and
// waking another thread takes as long as a short kernel.
const briefly = 50 * time.Microsecond

// brief waits for a moment, or until there is another command.
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

// hand gives a wait to a thread that has nothing to do, or to a new one.
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
	runtime.LockOSThread() // a wait blocks its thread, and the driver knows threads
	for {
		err := j.wait.Wait()
		// What was submitted since may be what failed.
		seq := max(j.seq, w.server.seg.Serving())
		if err == nil {
			seq = j.seq
		}
		err = w.server.finish(seq, j.slot, j.result, err)
		w.active.Add(-1)
		if err != nil {
			// The thread of commands may be stuck in the device, and the session waits for our end.
			os.Exit(1)
		}
		j = <-w.jobs
	}
}

// whenIdle carries f out now, or once nobody waits any more.
func (w *waits) whenIdle(f func() error) error {
	if w.active.Load() > 0 {
		w.late = append(w.late, f)
		return nil
	}
	return f()
}

// settle carries out what was put off, if that can be done now.
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
