package server

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// execute does what one command says.
func (s *server) execute(cmd *wire.Command, data []byte) (r result, err error) {
	d := s.dev
	s.heed(cmd)
	switch cmd.Op {
	case wire.OpMessage:
		err = s.answer()
	case wire.OpLaunch:
		l := &s.launch
		l.Func, l.Grid, l.Block = cmd.Func, cmd.Grid, cmd.Block
		l.SharedBytes, l.Stream, l.Args = cmd.Shared, cmd.Stream, data
		l.Cooperative, l.Cluster, l.Shuffle = cmd.Cooperative(), cmd.Cluster(), cmd.Arg
		if wanted, err := s.wanted(l); err != nil || !wanted {
			return r, err
		}
		s.progress.before(cmd)
		if err = d.Launch(l); err == nil {
			s.progress.after(cmd)
		}
	case wire.OpGraphLaunch:
		s.progress.before(cmd)
		if err = s.launchGraph(cmd.Arg, cmd.Stream); err == nil {
			s.progress.after(cmd)
		}
	case wire.OpGraphDestroy:
		err = s.graphs.destroy(cmd.Arg)
	case wire.OpWrite:
		// The ring's memory is not registered, so the copy has left it on return.
		err = d.CopyHtoD(cmd.Dst, data, cmd.Stream)
	case wire.OpRead:
		if cmd.N > ring.SlotBytes || int(cmd.Slot) >= ring.Slots {
			return r, outOfRange("reading", cmd.N)
		}
		r.n = int(cmd.N)
		if err = d.CopyDtoH(s.seg.Slot(int(cmd.Slot)).Data()[:cmd.N], cmd.Src, cmd.Stream); err == nil {
			r.wait, err = d.Await(backend.AwaitStream, cmd.Stream)
		}
	case wire.OpUpload, wire.OpDownload:
		r, err = s.transfer(cmd, data)
	case wire.OpCopy:
		if rows := wire.RowsOf(data); rows != nil {
			err = d.CopyRect(&backend.Rect{
				Dst: cmd.Dst, Src: cmd.Src, DstPitch: rows.DstPitch, SrcPitch: rows.SrcPitch,
				Width: cmd.N, Rows: rows.Count, Stream: cmd.Stream,
			})
		} else {
			err = d.CopyDtoD(cmd.Dst, cmd.Src, cmd.N, cmd.Stream)
		}
	case wire.OpFill:
		err = d.Fill(cmd.Dst, data, cmd.N, cmd.Stream)
	case wire.OpReleaseChunk:
		err = d.ReleaseChunk(cmd.Dst)
	case wire.OpTextureDestroy:
		handle := cmd.Arg
		err = s.waits.whenIdle(func() error { return s.destroyTexture(handle) })
	case wire.OpUnpin:
		err = s.unpin(cmd.Arg)
	case wire.OpUnload:
		err = d.Unload(cmd.Arg)
	case wire.OpStreamCreate:
		err = d.StreamCreate(cmd.Stream, int32(cmd.Arg))
	case wire.OpStreamDestroy:
		stream := cmd.Stream
		err = s.waits.whenIdle(func() error { return d.StreamDestroy(stream) })
	case wire.OpStreamSync:
		r.wait, err = d.Await(backend.AwaitStream, cmd.Stream)
	case wire.OpStreamWait:
		err = d.StreamWait(cmd.Stream, cmd.Event)
	case wire.OpStreamQuery:
		r.value, err = number(d.StreamDone(cmd.Stream))
	case wire.OpEventCreate:
		err = d.EventCreate(cmd.Event, cmd.Arg != 0)
	case wire.OpEventDestroy:
		event := cmd.Event
		err = s.waits.whenIdle(func() error { return d.EventDestroy(event) })
	case wire.OpEventRecord:
		err = d.EventRecord(cmd.Event, cmd.Stream)
	case wire.OpEventSync:
		r.wait, err = d.Await(backend.AwaitEvent, cmd.Event)
	case wire.OpEventQuery:
		r.value, err = number(d.EventDone(cmd.Event))
	case wire.OpEventElapsed:
		from, to := cmd.Arg, cmd.Event
		r.then = func() (int64, error) {
			elapsed, err := d.EventElapsed(from, to)
			return int64(elapsed), err
		}
		r.wait, err = d.Await(backend.AwaitEvent, to)
	case wire.OpSync:
		r.wait, err = d.Await(backend.AwaitAll, 0)
	case wire.OpRangeStart:
		s.enterRange(cmd, data)
	case wire.OpRangeEnd:
		s.leaveRange(cmd)
	case wire.OpJoined:
		r.wait, err = s.groups.joined(cmd.Arg)
	case wire.OpCollective:
		err = s.groups.collect(cmd, data)
	case wire.OpLeave:
		err = s.groups.leave(cmd.Arg)
	case wire.OpCall:
		err = s.call(cmd, data)
	case wire.OpAllocated, wire.OpFreed, wire.OpViews:
		err = s.checks(cmd, data)
	default:
		err = outOfRange("command", uint64(cmd.Op))
	}
	if cmd.Slot != wire.NoSlot {
		err = errors.Join(err, s.waits.settle())
	}
	return r, err
}

// number is an answer in the form that travels.
func number(yes bool, err error) (int64, error) {
	if yes {
		return 1, err
	}
	return 0, err
}

// transfer copies between the device and memory that the session shares.
func (s *server) transfer(cmd *wire.Command, data []byte) (r result, err error) {
	d := s.dev
	up := cmd.Op == wire.OpUpload
	offset := cmd.Dst
	if up {
		offset = cmd.Src
	}
	if rows := wire.RowsOf(data); rows != nil {
		rect := &backend.Rect{
			Dst: cmd.Dst, Src: cmd.Src, DstPitch: rows.DstPitch, SrcPitch: rows.SrcPitch,
			Width: cmd.N, Rows: rows.Count, Stream: cmd.Stream,
		}
		if up {
			rect.SrcHost, err = s.part(cmd.Arg, offset, rect.Span(rows.SrcPitch))
		} else {
			rect.DstHost, err = s.part(cmd.Arg, offset, rect.Span(rows.DstPitch))
		}
		if err == nil {
			err = d.CopyRect(rect)
		}
	} else {
		var host []byte
		host, err = s.part(cmd.Arg, offset, cmd.N)
		switch {
		case err != nil:
		case up:
			err = d.CopyHtoD(cmd.Dst, host, cmd.Stream)
		default:
			err = d.CopyDtoH(host, cmd.Src, cmd.Stream)
		}
	}
	switch {
	case err != nil:
	case cmd.Slot != wire.NoSlot:
		r.wait, err = d.Await(backend.AwaitStream, cmd.Stream)
	case cmd.Event != 0:
		err = d.EventRecord(cmd.Event, cmd.Stream)
	}
	return r, err
}

// part is a stretch of memory that the session shares.
func (s *server) part(area uint32, offset, n uint64) ([]byte, error) {
	mem, ok := s.areas[area]
	if !ok {
		return nil, outOfRange("host area", uint64(area))
	}
	if size := uint64(len(mem)); offset > size || n > size-offset {
		return nil, outOfRange("copy of host memory", n)
	}
	return mem[offset : offset+n], nil
}

// pin makes memory of the session known to the device, at the address that it has there.
func (s *server) pin(r *wire.Pin, fd int) error {
	mem, err := ring.MapMemoryAt(fd, r.Addr, int(r.Size))
	if err != nil {
		return err
	}
	if err := s.dev.RegisterHost(mem); err != nil {
		_ = ring.UnmapMemoryAt(mem)
		return err
	}
	s.areas[r.Area] = mem
	return nil
}

// unpin undoes pin. The session has waited for the copies by then.
func (s *server) unpin(area uint32) error {
	mem, ok := s.areas[area]
	if !ok {
		return outOfRange("host area", uint64(area))
	}
	delete(s.areas, area)
	return errors.Join(s.dev.UnregisterHost(mem), ring.UnmapMemoryAt(mem))
}

// outOfRange is the error of a command that a correct session does not send.
func outOfRange(what string, v uint64) error {
	return &backend.Error{
		Code: 1, Name: "CUDA_ERROR_INVALID_VALUE",
		Message: fmt.Sprintf("the device process was asked for %s %d, which it cannot do", what, v),
	}
}
