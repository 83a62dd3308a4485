package client

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// faults are the errors of asynchronous work, and the data needed to find the launch that caused each. The connection's lock guards it,
// except the atomics, which are also read without it.
type faults struct {
	// pending is the error of lost work, for the next caller that asks.
	pending pointer.Atomic // *Error
	// unreported reports whether there are losses.
	unreported atomic.Bool
	losses     []loss // since the last Sync
	launches   launches
}

// A loss is unfinished work of a device process that has exited. Its error is returned to the next caller that waits or asks, which may
// be a goroutine with other work. Therefore it is also returned by the first read of a buffer that the lost work used, and by the first
// launch with one. A Sync, after which every caller could know, clears it.
type loss struct {
	after, upTo uint64 // the commands after one up to another
	err         *Error
}

func (x *loss) covers(u *usage) bool { return u.last > x.after && u.last <= x.upTo }

// take returns the pending error, if there is one, and clears it.
func (f *faults) take() error {
	if pointer.Load[Error](&f.pending) == nil { // a load is cheaper than a swap
		return nil
	}
	if err := pointer.Swap[Error](&f.pending, nil); err != nil {
		return err
	}
	return nil
}

// lose records the error of all commands that have not completed.
func (f *faults) lose(g *progress, err *Error) {
	pointer.Store(&f.pending, err)
	f.losses = append(f.losses, loss{g.settled.Load(), g.seq, err})
	f.unreported.Store(true)
}

// of returns the first unreported error of work on a piece of memory, and marks it reported.
func (f *faults) of(u *usage) error {
	for i := range f.losses {
		if x := &f.losses[i]; x.covers(u) {
			u.last = 0
			return x.err
		}
	}
	return nil
}

// reported marks an error as reported to the users of a piece of memory.
func (f *faults) reported(u *usage, err *Error) {
	for i := range f.losses {
		if x := &f.losses[i]; x.err == err && x.covers(u) {
			u.last = 0
		}
	}
}

// forget clears the losses.
func (f *faults) forget() {
	f.losses = nil
	f.unreported.Store(false)
}

// attribute turns a failure that the device process reported into an error that names the launch. Simulated launches are executed one by
// one, so an error belongs to the launch that returned it; on a GPU a fatal error belongs to some earlier launch.
func (f *faults) attribute(w *wire.Failure, p *Process, g *progress) *Error {
	e := fromBackend("device work", &w.Err)
	suspects, which := f.launches.between(w.Seq-1, w.Seq), "the graph's kernels" // a command that is no graph has one
	if w.Err.Fatal && !p.hello.Properties.Simulated {
		upTo := g.seq
		if w.Seq != 0 {
			upTo = w.Seq
		}
		suspects, which = f.launches.between(g.settled.Load(), upTo), "the kernels launched since the last wait"
		suspects = slices.DeleteFunc(suspects, func(m launchRecord) bool { return g.ended(m.seq, m.stream) })
		suspects = candidates(suspects, p.seg)
		// A launch that was rejected because of an earlier fault is not its cause.
		if n := len(suspects); n > 1 && suspects[n-1].seq == w.Seq {
			suspects = suspects[:n-1]
		}
	}
	suspects = distinct(suspects)
	switch len(suspects) {
	case 0:
	case 1:
		e.Kernel, e.Site = suspects[0].kernel, suspects[0].at.String()
		e.Op = "kernel " + e.Kernel + ", launched"
	default:
		e.Message += "; one of " + which + " did it: " + listLaunches(suspects)
	}
	if w.Err.Fatal {
		e.Message += ". The device process was replaced and buffers keep their contents"
	}
	return e
}

// exitError returns the error of the work that was unfinished when a process exited, or nil if there was none.
func (f *faults) exitError(p *Process, ws syscall.WaitStatus, g *progress) *Error {
	if words := p.seg.LastWords(); words != nil {
		if w, err := wire.UnmarshalFailure(words); err == nil {
			return f.attribute(w, p, g)
		}
	}
	unfinished := f.launches.between(g.settled.Load(), g.seq)
	e := &Error{Code: 719, Name: "CUDA_ERROR_LAUNCH_FAILED", Op: "device work"}
	if during := f.launches.between(p.seg.Serving()-1, p.seg.Serving()); len(during) > 0 && p.hello.Properties.Simulated {
		unfinished = during // the simulator executes one launch or graph at a time
	}
	unfinished = distinct(unfinished)
	why := pointer.Load[string](&p.why)
	switch {
	case why != nil:
		e.Message = *why + "; the device process was replaced"
	case p.stopped.Load():
		e.Code, e.Name, e.Message = codeUnknown, "", "stopped; the device process was replaced"
	case !g.pending():
		return nil
	default:
		e.Message = "the device process died (" + exitStatus(ws) + ") and was replaced"
	}
	if len(unfinished) > 0 {
		e.Message += "; work since the last wait is lost: " + listLaunches(unfinished)
	} else {
		e.Message += "; copies since the last wait may be lost"
	}
	if len(unfinished) == 1 {
		e.Kernel, e.Site = unfinished[0].kernel, unfinished[0].at.String()
	}
	e.Message += ". Other buffers keep their contents"
	return e
}

func exitStatus(ws syscall.WaitStatus) string {
	if ws.Signaled() {
		return ws.Signal().String()
	}
	return fmt.Sprintf("exit status %d", ws.ExitStatus())
}

// TakeFault returns the first unreported error of work on the allocation and marks it reported. The connection's lock is held.
func (a *Allocation) TakeFault() error {
	if a == nil {
		return nil
	}
	return a.Link.faults.of(&a.use)
}

// Reported records that an error was returned to a user of the allocation.
func (l *Link) Reported(a *Allocation, err error) {
	if a == nil || err == nil { // before anything is allocated
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		return
	}
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.faults.reported(&a.use, e)
}
