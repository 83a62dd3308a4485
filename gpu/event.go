package gpu

import (
	"errors"
	"runtime"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// An Event is a marker in a stream. It can be waited for, and the time between two events can be measured.
type Event struct {
	link   *client.Link
	handle uint32
	// recorded is the device process in which the event was last recorded.
	recorded pointer.Atomic // *client.Process
	noClock  bool
}

// An EventOption configures an event that NewEvent returns.
type EventOption func(*Event)

// WithoutTiming disables timing, which makes the event cheaper to record. Since returns an error for such an event.
func WithoutTiming() EventOption { return func(e *Event) { e.noClock = true } }

// NewEvent returns a new event on the current device. It panics with an *Error if the device cannot be used.
func NewEvent(opts ...EventOption) *Event {
	d, err := Current()
	if err != nil {
		panic(wrap("creating an event", err))
	}
	return d.NewEvent(opts...)
}

// NewEvent is like the function NewEvent but uses this device instead of the current one.
func (d *Device) NewEvent(opts ...EventOption) *Event {
	const op = "creating an event"
	e, err := newEvent(d.link, opts...)
	if err != nil {
		panic(wrap(op, err))
	}
	return e
}

func newEvent(l *client.Link, opts ...EventOption) (*Event, error) {
	e := &Event{link: l}
	for _, o := range opts {
		o(e)
	}
	var err error
	if e.handle, err = l.NewEvent(e.noClock); err != nil {
		return nil, err
	}
	runtime.AddCleanup(e, l.DropEvent, e.handle)
	return e, nil
}

// own returns an error if the event cannot be used.
func (e *Event) own() error {
	if e == nil || e.link == nil {
		return misuse("", "the event is nil or empty: make it with gpu.NewEvent")
	}
	return nil
}

// Record records the event after all work that the stream (nil: the default stream) has now. It does not wait for that work.
func (e *Event) Record(s *Stream) error {
	const op = "recording an event"
	if err := e.own(); err != nil {
		return wrap(op, err)
	}
	if err := s.on(e.link); err != nil {
		return wrap(op, err)
	}
	if err := deviceOf(e.link).settle(); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(s)
	return wrap(op, e.link.With(func(p *client.Process) error {
		if err := e.link.Submit(p, &wire.Command{Op: wire.OpEventRecord, Event: e.handle, Stream: s.number()}, nil); err != nil {
			return err
		}
		pointer.Store(&e.recorded, p)
		return nil
	}))
}

// Sync waits for the work before the event, or returns at once if the event was never recorded. Its error is the first one of the work
// since the last wait.
func (e *Event) Sync() error {
	const op = "waiting for an event"
	if err := e.own(); err != nil {
		return wrap(op, err)
	}
	if pointer.Load[client.Process](&e.recorded) == nil {
		return nil
	}
	defer runtime.KeepAlive(e)
	_, err := e.link.Await(&wire.Command{Op: wire.OpEventSync, Event: e.handle})
	return wrap(op, err)
}

// Query reports whether the work before the event has completed, without waiting for it. For an event that was never recorded it returns
// true.
func (e *Event) Query() (done bool, err error) {
	const op = "asking for an event's state"
	if err := e.own(); err != nil {
		return false, wrap(op, err)
	}
	if pointer.Load[client.Process](&e.recorded) == nil {
		return true, nil
	}
	defer runtime.KeepAlive(e)
	n, err := e.link.Await(&wire.Command{Op: wire.OpEventQuery, Event: e.handle})
	return n != 0, wrap(op, err)
}

// Since waits for the event and returns the device time between an earlier event and this one. Both must have been recorded on the same
// device, with timing, and since the device process was last replaced.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	const op = "timing between two events"
	if err := errors.Join(e.own(), earlier.own()); err != nil {
		return 0, wrap(op, err)
	}
	defer runtime.KeepAlive(earlier)
	defer runtime.KeepAlive(e)
	p := pointer.Load[client.Process](&e.recorded)
	switch {
	case e.noClock || earlier.noClock:
		return 0, misuse(op, "an event that was made with gpu.WithoutTiming has no time")
	case earlier.link != e.link:
		return 0, misuse(op, "one event is on %s, the other on %s", earlier.link.Name(), e.link.Name())
	case p == nil || pointer.Load[client.Process](&earlier.recorded) == nil:
		return 0, misuse(op, "both events must be recorded first")
	case p != pointer.Load[client.Process](&earlier.recorded) || p != e.link.Process():
		return 0, misuse(op, "the device process was replaced since an event was recorded; record both again")
	}
	ns, err := e.link.Await(&wire.Command{Op: wire.OpEventElapsed, Arg: earlier.handle, Event: e.handle})
	return time.Duration(ns), wrap(op, err)
}
