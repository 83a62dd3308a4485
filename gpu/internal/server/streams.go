package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

func (s *server) streamCreate(cmd *wire.Command, _ []byte) error {
	return s.dev.StreamCreate(cmd.Stream, int32(cmd.Arg))
}

func (s *server) streamDestroy(cmd *wire.Command, _ []byte) error {
	stream := cmd.Stream
	return s.waits.whenIdle(func() error { return s.dev.StreamDestroy(stream) })
}

func (s *server) streamWait(cmd *wire.Command, _ []byte) error {
	return s.dev.StreamWait(cmd.Stream, cmd.Event)
}

func (s *server) streamSync(cmd *wire.Command, _ []byte) (r result, err error) {
	r.wait, err = s.dev.Await(backend.AwaitStream, cmd.Stream)
	return r, err
}

func (s *server) streamQuery(cmd *wire.Command, _ []byte) (r result, err error) {
	r.value, err = number(s.dev.StreamDone(cmd.Stream))
	return r, err
}

func (s *server) eventCreate(cmd *wire.Command, _ []byte) error {
	return s.dev.EventCreate(cmd.Event, cmd.Arg != 0)
}

func (s *server) eventDestroy(cmd *wire.Command, _ []byte) error {
	event := cmd.Event
	return s.waits.whenIdle(func() error { return s.dev.EventDestroy(event) })
}

func (s *server) eventRecord(cmd *wire.Command, _ []byte) error {
	return s.dev.EventRecord(cmd.Event, cmd.Stream)
}

func (s *server) eventSync(cmd *wire.Command, _ []byte) (r result, err error) {
	r.wait, err = s.dev.Await(backend.AwaitEvent, cmd.Event)
	return r, err
}

func (s *server) eventQuery(cmd *wire.Command, _ []byte) (r result, err error) {
	r.value, err = number(s.dev.EventDone(cmd.Event))
	return r, err
}

func (s *server) eventElapsed(cmd *wire.Command, _ []byte) (r result, err error) {
	dev, from, to := s.dev, cmd.Arg, cmd.Event // then may run on another thread
	r.then = func() (int64, error) {
		elapsed, err := dev.EventElapsed(from, to)
		return int64(elapsed), err
	}
	r.wait, err = dev.Await(backend.AwaitEvent, to)
	return r, err
}

func (s *server) sync(*wire.Command, []byte) (r result, err error) {
	r.wait, err = s.dev.Await(backend.AwaitAll, 0)
	return r, err
}

// number returns 1 for true and 0 for false, as the value of a slot.
func number(yes bool, err error) (int64, error) {
	if yes {
		return 1, err
	}
	return 0, err
}
