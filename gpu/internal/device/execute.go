package device

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// execute does what one command says. The value and the n bytes of the slot's data are
// the result of commands that have one.
func (s *server) execute(cmd *wire.Command, data []byte) (value int64, n int, err error) {
	d := s.dev
	switch cmd.Op {
	case wire.OpMessage:
		return 0, 0, s.answer()
	case wire.OpLaunch:
		l := &s.launch
		l.Func, l.Grid, l.Block = cmd.Func, cmd.Grid, cmd.Block
		l.SharedBytes, l.Stream, l.Args = cmd.Shared, cmd.Stream, data
		return 0, 0, d.Launch(l)
	case wire.OpWrite:
		// The ring's memory is not registered, so the copy has left it on return.
		return 0, 0, d.CopyHtoD(cmd.Dst, data, cmd.Stream)
	case wire.OpRead:
		if cmd.N > ring.SlotBytes || int(cmd.Slot) >= ring.Slots {
			return 0, 0, outOfRange("reading", cmd.N)
		}
		if err := d.CopyDtoH(s.seg.Slot(int(cmd.Slot)).Data()[:cmd.N], cmd.Src, cmd.Stream); err != nil {
			return 0, 0, err
		}
		return 0, int(cmd.N), d.StreamSync(cmd.Stream)
	case wire.OpUpload:
		part, err := s.staged(cmd.Src, cmd.N)
		if err != nil {
			return 0, 0, err
		}
		if err := d.CopyHtoD(cmd.Dst, part, cmd.Stream); err != nil {
			return 0, 0, err
		}
		return 0, 0, d.EventRecord(cmd.Event, cmd.Stream)
	case wire.OpDownload:
		part, err := s.staged(cmd.Dst, cmd.N)
		if err != nil {
			return 0, 0, err
		}
		if err := d.CopyDtoH(part, cmd.Src, cmd.Stream); err != nil {
			return 0, 0, err
		}
		return 0, 0, d.EventRecord(cmd.Event, cmd.Stream)
	case wire.OpCopy:
		return 0, 0, d.CopyDtoD(cmd.Dst, cmd.Src, cmd.N, cmd.Stream)
	case wire.OpFill:
		return 0, 0, d.Fill(cmd.Dst, data, cmd.N, cmd.Stream)
	case wire.OpReleaseChunk:
		return 0, 0, d.ReleaseChunk(cmd.Dst)
	case wire.OpUnload:
		return 0, 0, d.Unload(cmd.Arg)
	case wire.OpStreamCreate:
		return 0, 0, d.StreamCreate(cmd.Stream, int32(cmd.Arg))
	case wire.OpStreamDestroy:
		return 0, 0, d.StreamDestroy(cmd.Stream)
	case wire.OpStreamSync:
		return 0, 0, d.StreamSync(cmd.Stream)
	case wire.OpStreamWait:
		return 0, 0, d.StreamWait(cmd.Stream, cmd.Event)
	case wire.OpEventCreate:
		return 0, 0, d.EventCreate(cmd.Event)
	case wire.OpEventDestroy:
		return 0, 0, d.EventDestroy(cmd.Event)
	case wire.OpEventRecord:
		return 0, 0, d.EventRecord(cmd.Event, cmd.Stream)
	case wire.OpEventSync:
		return 0, 0, d.EventSync(cmd.Event)
	case wire.OpEventElapsed:
		if err := d.EventSync(cmd.Event); err != nil {
			return 0, 0, err
		}
		elapsed, err := d.EventElapsed(cmd.Arg, cmd.Event)
		return int64(elapsed), 0, err
	case wire.OpSync:
		return 0, 0, d.Sync()
	}
	return 0, 0, outOfRange("command", uint64(cmd.Op))
}

// staged is a part of the staging area.
func (s *server) staged(offset, n uint64) ([]byte, error) {
	if size := uint64(len(s.staging)); offset > size || n > size-offset {
		return nil, outOfRange("staged copy", n)
	}
	return s.staging[offset : offset+n], nil
}

// outOfRange is the error of a command that a correct session does not send.
func outOfRange(what string, v uint64) error {
	return &backend.Error{
		Code: 1, Name: "CUDA_ERROR_INVALID_VALUE",
		Message: "the device process was asked for " + what + " " + itoa(v) + ", which it cannot do",
	}
}
