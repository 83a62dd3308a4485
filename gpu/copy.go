package gpu

import (
	"errors"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// FillAsync sets every element to v as work of a stream (nil: the default stream).
func (b *Buffer[T]) FillAsync(s *Stream, v T) error {
	const op = "filling a buffer"
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	if err := s.on(b.block.Link); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(b)
	pattern := bytesOf([]T{v})
	err := b.block.Fill(b.addr, pattern, uint64(b.Bytes()), s.number())
	if err == nil {
		b.Device().noteFill(s.number(), bytesAt{b.block, b.addr, b.Bytes()}, pattern)
	}
	return wrap(op, err)
}

// CopyFromAsync copies host, which must have the buffer's length, to the device as work of a stream (nil: the default stream). If host is
// page-locked, the copy is asynchronous, and host must not be changed until the stream has been synchronized. Otherwise host may be
// changed when it returns.
func (b *Buffer[T]) CopyFromAsync(s *Stream, host []T) error {
	const op = "copying to the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	l := b.block.Link
	if err := s.on(l); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(b)
	mem := bytesOf(host)
	if m, offset := client.FindPinned(mem); m != nil {
		return wrap(op, l.SendPinned(m, b.block, &wire.Command{
			Op: wire.OpUpload, Dst: b.addr, Src: offset, N: uint64(len(mem)), Arg: m.Number, Stream: s.number(),
		}, nil))
	}
	return wrap(op, b.block.Upload(b.addr, mem, s.number()))
}

// CopyToAsync copies the elements to host as work of a stream (nil: the default stream) and does not wait for it. host must be
// page-locked (see Pinned), must have the buffer's length, and must not be used until the stream has been synchronized.
func (b *Buffer[T]) CopyToAsync(s *Stream, host []T) error {
	const op = "copying from the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	l := b.block.Link
	if err := s.on(l); err != nil {
		return wrap(op, err)
	}
	if len(host) == 0 {
		return nil
	}
	defer runtime.KeepAlive(b)
	mem := bytesOf(host)
	m, offset := client.FindPinned(mem)
	if m == nil {
		return misuse(op, "only pinned memory can be copied to without waiting: make the slice with gpu.Pinned, or use CopyTo")
	}
	return wrap(op, l.SendPinned(m, b.block, &wire.Command{
		Op: wire.OpDownload, Dst: offset, Src: b.addr, N: uint64(len(mem)), Arg: m.Number, Stream: s.number(),
	}, nil))
}

// Copy copies src to dst, which must have the same length, as work of the default stream. They may be views of one buffer if they do not
// overlap. A copy between two devices is complete when Copy returns; it is direct where the devices can access each other's memory, and
// goes through the host otherwise.
func Copy[T Element](dst, src *Buffer[T]) error { return CopyAsync(nil, dst, src) }

// CopyAsync is like Copy but queues the copy on a stream of dst's device (nil: the default stream).
func CopyAsync[T Element](s *Stream, dst, src *Buffer[T]) error {
	const op = "copying on the device"
	if err := errors.Join(dst.made(), src.made()); err != nil {
		return wrap(op, err)
	}
	if dst.n != src.n {
		return misuse(op, "the source has %d elements, the destination %d: they must be equally long (Buffer.Slice makes a view of a part)", src.n, dst.n)
	}
	to, from := dst.block.Link, src.block.Link
	if err := s.on(to); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(src)
	defer runtime.KeepAlive(dst)
	if dst.n == 0 {
		return nil
	}
	n := uint64(dst.Bytes())
	if to != from {
		return wrap("copying between devices", client.CopyAcross(dst.block, dst.addr, src.block, src.addr, n, s.number()))
	}
	if dst.addr < src.addr+n && src.addr < dst.addr+n {
		return misuse(op, "source and destination overlap")
	}
	err := to.PostBetween(dst.block, src.block,
		&wire.Command{Op: wire.OpCopy, Dst: dst.addr, Src: src.addr, N: n, Stream: s.number()}, nil)
	if err == nil {
		dst.Device().noteCopy(s.number(), bytesAt{dst.block, dst.addr, dst.Bytes()}, bytesAt{src.block, src.addr, src.Bytes()})
	}
	return wrap(op, err)
}
