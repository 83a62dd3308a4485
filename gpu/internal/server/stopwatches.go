package server

import (
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// stopwatches time work with events before and after it.
type stopwatches struct {
	dev     backend.Events
	running []func(time.Duration) // called with the result, by the number of the stopwatch
}

const (
	// maxRunning is how much work may be under way before the first is waited for.
	maxRunning = 128
	// firstWatch is a number for events that sessions don't come to.
	firstWatch = 0xffff0000
)

// watch is the two events of a stopwatch.
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

// time has work of a stream done, and says later how long it took.
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

// read waits for all work and tells how long it took.
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
