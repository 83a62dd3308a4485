package gpu

import (
	"runtime"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// A Stream is a queue of work that is executed in order. Work on the default stream waits for earlier work on the others, and theirs for
// it. A nil *Stream is the default stream of the device that the work is for.
type Stream struct {
	link     *client.Link
	handle   uint32
	priority int
	gone     atomic.Bool // destroyed
}

// A StreamOption configures a stream that NewStream returns.
type StreamOption func(*Stream)

// WithPriority sets the stream's priority where work of several streams is pending: lower numbers are more urgent. The range is from
// Properties.MostPriority to Properties.LeastPriority; numbers outside it are clamped.
func WithPriority(n int) StreamOption { return func(s *Stream) { s.priority = n } }

// NewStream returns a new stream on the current device. It panics with an *Error if the device cannot be used.
func NewStream(opts ...StreamOption) *Stream {
	d, err := Current()
	if err != nil {
		panic(wrap("creating a stream", err))
	}
	return d.NewStream(opts...)
}

// NewStream is like the function NewStream but uses this device instead of the current one.
func (d *Device) NewStream(opts ...StreamOption) *Stream {
	const op = "creating a stream"
	if err := d.open(); err != nil {
		panic(wrap(op, err))
	}
	s := &Stream{link: d.link}
	for _, o := range opts {
		o(s)
	}
	props := d.link.Properties()
	s.priority = max(min(s.priority, props.LeastPriority), props.MostPriority)
	var err error
	if s.handle, err = d.link.NewStream(int32(s.priority)); err != nil {
		panic(wrap(op, err))
	}
	runtime.AddCleanup(s, d.link.DropStream, s.handle)
	return s
}

// number returns the stream's handle; that of the default stream is 0.
func (s *Stream) number() uint32 {
	if s == nil {
		return 0
	}
	return s.handle
}

// on returns an error if the stream cannot take work for the link's device.
func (s *Stream) on(l *client.Link) *Error {
	switch {
	case s == nil:
		return nil
	case s.link == nil:
		return misuse("", "the stream is empty: make it with gpu.NewStream")
	case s.gone.Load():
		return misuse("", "the stream was destroyed; make a new one with gpu.NewStream")
	case l != nil && s.link != l:
		return misuse("", "the stream is on %s, what it is to work on is on %s", s.link.Name(), l.Name())
	}
	return nil
}

// own is like on but for the stream's own methods, which the default stream does not have.
func (s *Stream) own() error {
	if s == nil {
		return misuse("", "the stream is nil: make one with gpu.NewStream; gpu.Sync waits for the default stream")
	}
	if err := s.on(nil); err != nil {
		return err
	}
	return nil
}

// Priority returns the stream's priority, clamped to the device's range.
func (s *Stream) Priority() int { return s.priority }

// Sync waits for all work of the stream; other goroutines can use the device meanwhile. Its error is the first one of that work, or of
// other work since the last wait.
func (s *Stream) Sync() error {
	const op = "waiting for a stream"
	if err := s.own(); err != nil {
		return wrap(op, err)
	}
	if err := deviceOf(s.link).settle(); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(s)
	_, err := s.link.Await(&wire.Command{Op: wire.OpStreamSync, Stream: s.handle})
	return wrap(op, err)
}

// Query reports whether all work of the stream has completed, without waiting for it.
func (s *Stream) Query() (done bool, err error) {
	const op = "asking for a stream's state"
	if err := s.own(); err != nil {
		return false, wrap(op, err)
	}
	defer runtime.KeepAlive(s)
	n, err := s.link.Await(&wire.Command{Op: wire.OpStreamQuery, Stream: s.handle})
	return n != 0, wrap(op, err)
}

// Wait makes later work of the stream wait for the event, which must be on the same device. It does not itself wait.
func (s *Stream) Wait(e *Event) error {
	const op = "making a stream wait for an event"
	if err := s.own(); err != nil {
		return wrap(op, err)
	}
	if err := e.own(); err != nil {
		return wrap(op, err)
	}
	if e.link != s.link {
		return misuse(op, "the stream is on %s, the event on %s", s.link.Name(), e.link.Name())
	}
	defer runtime.KeepAlive(s)
	defer runtime.KeepAlive(e)
	return wrap(op, s.link.WaitEvent(s.handle, e.handle))
}

// Destroy destroys the stream once its work has completed, for which it does not wait. Using the stream afterwards is an error, as is
// destroying it twice.
func (s *Stream) Destroy() error {
	const op = "destroying a stream"
	if err := s.own(); err != nil {
		return wrap(op, err)
	}
	if s.gone.Swap(true) {
		return misuse(op, "the stream was destroyed already")
	}
	s.link.DropStream(s.handle)
	return nil
}
