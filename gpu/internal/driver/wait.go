package driver

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// wait is for a stream, an event, or the whole context if neither is set.
type wait struct {
	device *device
	query  symbol // 0 if there is no such function
	sync   symbol
	handle uintptr
	doing  string
}

// Await itself waits if there is only the default stream: all other work would be executed later anyway, and the driver's own
// wait is the fastest.
func (d *device) Await(what backend.Awaited, handle uint32) (backend.Wait, error) {
	if what == backend.AwaitAll && len(d.streams) == 0 {
		return nil, d.Sync()
	}
	w := &wait{device: d}
	var err error
	switch what {
	case backend.AwaitStream:
		w.query, w.sync, w.doing = d.api.StreamQuery, d.api.StreamSync, "waiting for a stream"
		w.handle, err = d.stream(handle)
	case backend.AwaitEvent:
		w.query, w.sync, w.doing = d.api.EventQuery, d.api.EventSync, "waiting for an event"
		w.handle, err = d.event(handle)
	default:
		w.doing = "waiting for the GPU"
	}
	if err != nil {
		return nil, err
	}
	if len(d.streams) == 0 {
		return nil, w.finish()
	}
	return w, nil
}

// Signal is only for programs without other streams than the default one, and without printf, whose output appears when the
// process waits.
func (d *device) Signal(what backend.Awaited, handle uint32, word *uint32, value uint32) bool {
	if len(d.streams) > 0 || what == backend.AwaitEvent || what == backend.AwaitStream && handle != 0 || d.prints.Load() {
		return false
	}
	return d.Mark(0, word, value) == nil
}

// finish waits on the calling thread, on which the context is current.
func (w *wait) finish() error {
	if w.sync == 0 {
		return w.device.Sync()
	}
	return w.device.api.check(result(w.sync.call(w.handle)), w.doing)
}

// Wait may run on a thread that the driver has not been used on.
func (w *wait) Wait() error {
	a := w.device.api
	if err := a.check(a.ContextSet(w.device.context), "making the context current"); err != nil {
		return err
	}
	return w.finish()
}

func (w *wait) Done() (bool, error) {
	if w.sync != 0 {
		return w.device.done(w.query, w.handle, w.doing)
	}
	// There is no call for all streams together. The default stream is queried without the others.
	for _, s := range w.device.streams {
		if done, err := w.device.done(w.device.api.StreamQuery, s, w.doing); !done || err != nil {
			return done, err
		}
	}
	if done, err := w.device.done(w.device.api.StreamQuery, 0, w.doing); !done || err != nil {
		return done, err
	}
	return true, w.device.Sync() // writes the output of kernels
}

// done reports whether all work of a stream or before an event has completed.
func (d *device) done(query symbol, handle uintptr, doing string) (bool, error) {
	r := result(query.call(handle))
	if r == errNotReady {
		return false, nil
	}
	return r == success, d.api.check(r, doing)
}

func (d *device) StreamDone(stream uint32) (bool, error) {
	s, err := d.stream(stream)
	if err != nil {
		return false, err
	}
	return d.done(d.api.StreamQuery, s, "querying a stream")
}

func (d *device) EventDone(event uint32) (bool, error) {
	e, err := d.event(event)
	if err != nil {
		return false, err
	}
	return d.done(d.api.EventQuery, e, "querying an event")
}
