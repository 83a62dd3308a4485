package gpu

import (
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Stream is a queue of work of its own. Work on the default stream waits for earlier work on
// the others, and they for it.
type Stream struct {
	link   *link
	handle uint32
}

// NewStream makes a stream on the current device. It panics with an *Error if that cannot be
// used.
func NewStream() *Stream {
	const op = "creating a stream"
	d, err := Current()
	if err != nil {
		panic(wrap(op, err))
	}
	s := &Stream{link: d.link}
	err = d.link.with(func(p *process) error {
		h := d.link.handle()
		if err := d.link.push(p, &wire.Command{Op: wire.OpStreamCreate, Stream: h}, nil); err != nil {
			return err
		}
		s.handle = h
		d.link.streams[h] = 0
		return nil
	})
	if err != nil {
		panic(wrap(op, err))
	}
	runtime.AddCleanup(s, d.link.dropStream, s.handle)
	return s
}

// number is the stream's handle; that of the default stream is 0.
func (s *Stream) number() uint32 {
	if s == nil {
		return 0
	}
	return s.handle
}

// Sync waits for all work of the stream. Its error is the first of that work, or of other
// work since the last wait.
func (s *Stream) Sync() error {
	_, err := s.link.await(&wire.Command{Op: wire.OpStreamSync, Stream: s.handle})
	return wrap("waiting for a stream", err)
}

// Wait makes later work of the stream wait for the event, without waiting itself.
func (s *Stream) Wait(e *Event) error {
	const op = "making a stream wait for an event"
	if e.link != s.link {
		return misuse(op, "the stream is on %s, the event on %s", s.link.name(), e.link.name())
	}
	return wrap(op, s.link.post(nil, &wire.Command{Op: wire.OpStreamWait, Stream: s.handle, Event: e.handle}, nil))
}

// Destroy ends the stream once its work is done. Using it afterwards is an error.
func (s *Stream) Destroy() { s.link.dropStream(s.handle) }

// dropStream forgets a stream, if it is known.
func (l *link) dropStream(handle uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.streams[handle]; !ok {
		return
	}
	delete(l.streams, handle)
	if l.p != nil {
		// If the process is dead, the stream is gone with it.
		_ = l.push(l.p, &wire.Command{Op: wire.OpStreamDestroy, Stream: handle}, nil)
	}
}
