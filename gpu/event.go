package gpu

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Event is a mark in a stream: it can be waited for, and the time between two can be asked.
type Event struct {
	link   *link
	handle uint32
	// recorded is the process in which the event was recorded last.
	recorded atomic.Pointer[process]
}

// NewEvent makes an event on the current device. It panics with an *Error if that cannot be
// used.
func NewEvent() *Event {
	const op = "creating an event"
	d, err := Current()
	if err != nil {
		panic(wrap(op, err))
	}
	e, err := d.link.newEvent()
	if err != nil {
		panic(wrap(op, err))
	}
	return e
}

func (l *link) newEvent() (*Event, error) {
	e := &Event{link: l}
	err := l.with(func(p *process) error {
		h := l.handle()
		if err := l.push(p, &wire.Command{Op: wire.OpEventCreate, Event: h}, nil); err != nil {
			return err
		}
		e.handle = h
		l.events[h] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(e, l.dropEvent, e.handle)
	return e, nil
}

// Record puts the event behind all work that the stream (nil: the default stream) has now.
func (e *Event) Record(s *Stream) error {
	const op = "recording an event"
	if s != nil && s.link != e.link {
		return misuse(op, "the stream is on %s, the event on %s", s.link.name(), e.link.name())
	}
	return wrap(op, e.link.with(func(p *process) error {
		if err := e.link.push(p, &wire.Command{Op: wire.OpEventRecord, Event: e.handle, Stream: s.number()}, nil); err != nil {
			return err
		}
		e.recorded.Store(p)
		return nil
	}))
}

// Sync waits for the work before the event. An event that was never recorded is not waited
// for. Its error is the first of the work since the last wait.
func (e *Event) Sync() error {
	if e.recorded.Load() == nil {
		return nil
	}
	_, err := e.link.await(&wire.Command{Op: wire.OpEventSync, Event: e.handle})
	return wrap("waiting for an event", err)
}

// Since waits for the event and returns the device time that passed between an earlier one
// and this.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	const op = "timing between two events"
	p := e.recorded.Load()
	switch {
	case earlier.link != e.link:
		return 0, misuse(op, "one event is on %s, the other on %s", earlier.link.name(), e.link.name())
	case p == nil || earlier.recorded.Load() == nil:
		return 0, misuse(op, "both events must be recorded first")
	case p != earlier.recorded.Load() || p != e.link.serving.Load():
		return 0, misuse(op, "the device process was replaced since an event was recorded; record both again")
	}
	ns, err := e.link.await(&wire.Command{Op: wire.OpEventElapsed, Arg: earlier.handle, Event: e.handle})
	return time.Duration(ns), wrap(op, err)
}

// dropEvent forgets an event that nobody can reach any more.
func (l *link) dropEvent(handle uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.events, handle)
	if l.p != nil {
		// If the process is dead, the event is gone with it.
		_ = l.push(l.p, &wire.Command{Op: wire.OpEventDestroy, Event: handle}, nil)
	}
}
