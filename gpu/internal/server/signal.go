package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// signalled has the device itself tell the session that it is done with what the session waits for,
// and reports whether it was left to the device. That saves the way through this process. For a device that is
// idle, writing would take much longer than finding that out, so it is for a launch that is waited for at once.
func (s *server) signalled(cmd *wire.Command) (left bool, err error) {
	what := backend.AwaitAll
	switch cmd.Op {
	case wire.OpSync:
	case wire.OpStreamSync:
		what = backend.AwaitStream
	default:
		return false, nil
	}
	if s.signaler == nil || s.recorder != nil || int(cmd.Slot) >= ring.Slots || s.in.Late() || !s.progress.launched(cmd.Stream) || s.failed() {
		return false, nil
	}
	slot := s.seg.Slot(int(cmd.Slot))
	if !s.signaler.Signal(what, cmd.Stream, slot.Word(), ring.DoneWord) {
		return false, nil
	}
	if !slot.DoneWithin(briefly) {
		// It takes longer, or will never be done; a wait finds that out.
		if _, err := s.dev.Await(what, cmd.Stream); err != nil {
			if slot.Done() { // the session has gone on, perhaps with the same slot
				return true, s.unheard(cmd.Seq, err)
			}
			return true, s.finish(cmd.Seq, int(cmd.Slot), result{}, err)
		}
	}
	slot.Wake()
	s.progress.waited(cmd)
	return true, s.waits.settle()
}
