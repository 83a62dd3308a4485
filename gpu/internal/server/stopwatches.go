package server

import (
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// stopwatches measure the time of work by events before and after it.
type stopwatches struct {
	dev     backend.Events
	running []func(begin, took time.Duration) // called with the times, by the stopwatch's index
	base    time.Time                         // when the event baseWatch happened
}

const (
	// maxRunning is the maximum number of stopwatches in use; then all of them are waited for.
	maxRunning = 128
	// firstWatch is the first handle of their events, which is higher than those of sessions.
	firstWatch = 0xffff0000
	// baseWatch is the event from which the beginnings count.
	baseWatch = firstWatch - 1
)

// watch returns the two events of a stopwatch.
func watch(i int) (begin, end uint32) { return firstWatch + uint32(2*i), firstWatch + uint32(2*i) + 1 }

func newStopwatches(d backend.Events) (*stopwatches, error) {
	w := &stopwatches{dev: d}
	for i := range maxRunning {
		begin, end := watch(i)
		for _, e := range []uint32{begin, end} {
			if err := d.EventCreate(e, false); err != nil {
				return nil, err
			}
		}
	}
	for _, do := range []func() error{
		func() error { return d.EventCreate(baseWatch, false) },
		func() error { return d.EventRecord(baseWatch, 0) },
		func() error { return d.EventSync(baseWatch) },
	} {
		if err := do(); err != nil {
			return nil, err
		}
	}
	w.base = time.Now()
	return w, nil
}

// now returns the time by the clock of the beginnings.
func (w *stopwatches) now() time.Duration { return time.Since(w.base) }

// time does work on a stream. It calls done with its beginning and duration later.
func (w *stopwatches) time(stream uint32, work func() error, done func(begin, took time.Duration)) error {
	if len(w.running) == maxRunning {
		if err := w.read(); err != nil {
			return err
		}
	}
	begin, end := watch(len(w.running))
	if err := w.dev.EventRecord(begin, stream); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	w.running = append(w.running, done)
	return w.dev.EventRecord(end, stream)
}

// read waits for all work and calls the functions with their times.
func (w *stopwatches) read() error {
	for i, done := range w.running {
		begin, end := watch(i)
		if err := w.dev.EventSync(end); err != nil {
			return err
		}
		took, err := w.dev.EventElapsed(begin, end)
		if err != nil {
			return err
		}
		since, err := w.dev.EventElapsed(baseWatch, begin)
		if err != nil {
			return err
		}
		done(since, took)
	}
	w.running = w.running[:0]
	return nil
}

func (w *stopwatches) stop() error {
	err := w.read()
	if destroyed := w.dev.EventDestroy(baseWatch); err == nil {
		err = destroyed
	}
	for i := range maxRunning {
		begin, end := watch(i)
		for _, e := range []uint32{begin, end} {
			if destroyed := w.dev.EventDestroy(e); err == nil {
				err = destroyed
			}
		}
	}
	return err
}
