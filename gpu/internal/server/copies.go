package server

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// write copies the data of a command to the device. The ring's memory is not registered, so the data have been read on return.
func (s *server) write(cmd *wire.Command, data []byte) error {
	return s.dev.CopyHtoD(cmd.Dst, data, cmd.Stream)
}

// read copies from the device into the command's slot.
func (s *server) read(cmd *wire.Command, _ []byte) (r result, err error) {
	if cmd.N > ring.SlotBytes || int(cmd.Slot) >= ring.Slots {
		return r, outOfRange("reading", cmd.N)
	}
	r.n = int(cmd.N)
	if err = s.dev.CopyDtoH(s.seg.Slot(int(cmd.Slot)).Data()[:cmd.N], cmd.Src, cmd.Stream); err == nil {
		r.wait, err = s.dev.Await(backend.AwaitStream, cmd.Stream)
	}
	return r, err
}

func (s *server) copy(cmd *wire.Command, data []byte) error {
	if rows := wire.RowsOf(data); rows != nil {
		return s.dev.CopyRect(rectOf(cmd, rows))
	}
	return s.dev.CopyDtoD(cmd.Dst, cmd.Src, cmd.N, cmd.Stream)
}

func (s *server) fill(cmd *wire.Command, pattern []byte) error {
	return s.dev.Fill(cmd.Dst, pattern, cmd.N, cmd.Stream)
}

// rectOf returns the copy of several rows, between device addresses.
func rectOf(cmd *wire.Command, rows *wire.Rows) *backend.Rect {
	return &backend.Rect{
		Dst: cmd.Dst, Src: cmd.Src, DstPitch: rows.DstPitch, SrcPitch: rows.SrcPitch,
		Width: cmd.N, Rows: rows.Count, Stream: cmd.Stream,
	}
}

// upload copies from memory that the session shares.
func (s *server) upload(cmd *wire.Command, data []byte) (result, error) {
	if rows := wire.RowsOf(data); rows != nil {
		rect := rectOf(cmd, rows)
		var err error
		if rect.SrcHost, err = s.part(cmd.Arg, cmd.Src, rect.Span(rows.SrcPitch)); err != nil {
			return result{}, err
		}
		return s.afterCopy(cmd, s.dev.CopyRect(rect))
	}
	host, err := s.part(cmd.Arg, cmd.Src, cmd.N)
	if err != nil {
		return result{}, err
	}
	return s.afterCopy(cmd, s.dev.CopyHtoD(cmd.Dst, host, cmd.Stream))
}

// download copies to memory that the session shares.
func (s *server) download(cmd *wire.Command, data []byte) (result, error) {
	if rows := wire.RowsOf(data); rows != nil {
		rect := rectOf(cmd, rows)
		var err error
		if rect.DstHost, err = s.part(cmd.Arg, cmd.Dst, rect.Span(rows.DstPitch)); err != nil {
			return result{}, err
		}
		return s.afterCopy(cmd, s.dev.CopyRect(rect))
	}
	host, err := s.part(cmd.Arg, cmd.Dst, cmd.N)
	if err != nil {
		return result{}, err
	}
	return s.afterCopy(cmd, s.dev.CopyDtoH(host, cmd.Src, cmd.Stream))
}

// afterCopy makes the end of a copy known to the session: by the slot, or by an event.
func (s *server) afterCopy(cmd *wire.Command, err error) (r result, _ error) {
	switch {
	case err != nil:
	case cmd.Slot != wire.NoSlot:
		r.wait, err = s.dev.Await(backend.AwaitStream, cmd.Stream)
	case cmd.Event != 0:
		err = s.dev.EventRecord(cmd.Event, cmd.Stream)
	}
	return r, err
}

// part returns a range of memory that the session shares.
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

// pin registers memory of the session with the device, mapped at the address that it has in the session.
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

// unpin reverses pin. The session has waited for its copies.
func (s *server) unpin(area uint32) error {
	mem, ok := s.areas[area]
	if !ok {
		return outOfRange("host area", uint64(area))
	}
	delete(s.areas, area)
	return errors.Join(s.dev.UnregisterHost(mem), ring.UnmapMemoryAt(mem))
}
