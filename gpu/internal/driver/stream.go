package driver

import (
	"errors"
	"time"
)

// stream returns the driver's handle of a stream. Stream 0 is CUDA's legacy default stream, which waits for the other streams,
// and for which they wait.
func (d *device) stream(handle uint32) (uintptr, error) {
	if handle == 0 {
		return 0, nil
	}
	s, ok := d.streams[handle]
	if !ok {
		return 0, unknownHandle("stream", handle)
	}
	return s, nil
}

func (d *device) event(handle uint32) (uintptr, error) {
	e, ok := d.events[handle]
	if !ok {
		return 0, unknownHandle("event", handle)
	}
	return e, nil
}

func (d *device) StreamCreate(stream uint32, priority int32) error {
	if _, taken := d.streams[stream]; taken || stream == 0 {
		return invalidValue("stream %d exists already", stream)
	}
	var s uintptr
	if err := d.api.check(d.api.StreamCreate(&s, 0, priority), "creating a stream"); err != nil {
		return err
	}
	d.handles.Lock()
	d.streams[stream] = s
	d.handles.Unlock()
	return nil
}

func (d *device) StreamDestroy(stream uint32) error {
	s, ok := d.streams[stream]
	if !ok {
		return unknownHandle("stream", stream)
	}
	var err error
	if d.libraries != nil {
		err = d.libraries.Forget(stream)
	}
	d.handles.Lock()
	delete(d.streams, stream)
	d.handles.Unlock()
	return errors.Join(err, d.api.check(d.api.StreamDestroy(s), "destroying a stream"))
}

func (d *device) StreamSync(stream uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	return d.api.check(result(d.api.StreamSync.call(s)), "waiting for a stream")
}

func (d *device) StreamWait(stream, event uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	e, err := d.event(event)
	if err != nil {
		return err
	}
	return d.api.check(result(d.api.StreamWait.call(s, e, 0)), "making a stream wait for an event")
}

func (d *device) EventCreate(event uint32, noClock bool) error {
	if _, taken := d.events[event]; taken {
		return invalidValue("event %d exists already", event)
	}
	var e uintptr
	var flags uint32
	if noClock {
		flags = eventNoTiming
	}
	if err := d.api.check(d.api.EventCreate(&e, flags), "creating an event"); err != nil {
		return err
	}
	d.handles.Lock()
	d.events[event] = e
	d.handles.Unlock()
	return nil
}

func (d *device) EventDestroy(event uint32) error {
	e, err := d.event(event)
	if err != nil {
		return err
	}
	d.handles.Lock()
	delete(d.events, event)
	d.handles.Unlock()
	return d.api.check(d.api.EventDestroy(e), "destroying an event")
}

func (d *device) EventRecord(event, stream uint32) error {
	e, err := d.event(event)
	if err != nil {
		return err
	}
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	return d.api.check(result(d.api.EventRecord.call(e, s)), "recording an event")
}

func (d *device) EventSync(event uint32) error {
	e, err := d.event(event)
	if err != nil {
		return err
	}
	return d.api.check(result(d.api.EventSync.call(e)), "waiting for an event")
}

// EventElapsed may be called on any thread.
func (d *device) EventElapsed(from, to uint32) (time.Duration, error) {
	d.handles.RLock()
	defer d.handles.RUnlock()
	a, err := d.event(from)
	if err != nil {
		return 0, err
	}
	b, err := d.event(to)
	if err != nil {
		return 0, err
	}
	var ms float32
	if err := d.api.check(d.api.EventElapsed(&ms, a, b), "timing between two events"); err != nil {
		return 0, err
	}
	return time.Duration(float64(ms) * float64(time.Millisecond)), nil
}
