package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// signalled lets the device itself signal the session when the work that it waits for has completed. It returns false if the
// command is to be executed as usual. A signal is faster than an answer by this process, but much slower than finding out that a
// device is idle. So it is used only for a wait that immediately follows a launch.
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
		// It takes longer, or will never complete because of an error, which Await returns.
		if _, err := s.dev.Await(what, cmd.Stream); err != nil {
			if slot.Done() { // the session has continued, perhaps with the same slot
				return true, s.unheard(cmd.Seq, err)
			}
			return true, s.finish(cmd.Seq, int(cmd.Slot), result{}, err)
		}
	}
	slot.Wake()
	s.progress.waited(cmd)
	return true, s.waits.settle()
}
