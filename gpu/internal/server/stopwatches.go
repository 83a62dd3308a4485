package server

import (
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// stopwatches measure the time of work by events before and after it.
type stopwatches struct {
	dev     backend.Events
	running []func(time.Duration) // called with the time, by the stopwatch's index
}

const (
	// maxRunning is the maximum number of stopwatches in use; then all of them are waited for.
	maxRunning = 128
	// firstWatch is the first handle of their events, which is higher than those of sessions.
	firstWatch = 0xffff0000
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
	return w, nil
}

// time does work on a stream. It calls done with its time later.
func (w *stopwatches) time(stream uint32, work func() error, done func(time.Duration)) error {
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
		done(took)
	}
	w.running = w.running[:0]
	return nil
}

func (w *stopwatches) stop() error {
	err := w.read()
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
