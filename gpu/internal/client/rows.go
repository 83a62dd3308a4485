package client

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// uploadRows copies rows of n bytes, without gaps on the host, to rows pitch bytes apart.
func (s *staging) uploadRows(b *Block, dst uint64, pitch int, src []byte, n int) error {
	if len(src) == 0 {
		return nil
	}
	if n > PartSize || n == pitch {
		return eachRow(len(src), n, pitch, func(at, row, size int) error {
			return s.upload(b, dst+uint64(row), src[at:at+size], 0)
		})
	}
	rows := wire.Rows{DstPitch: uint64(pitch), SrcPitch: uint64(n)}
	if m, offset := FindPinned(src); m != nil {
		rows.Count = uint64(len(src) / n)
		return s.link.movePinned(m, b, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: offset, N: uint64(n), Arg: m.Number}, rows.Bytes())
	}
	parts, err := s.ready()
	if err != nil {
		return err
	}
	for first := true; len(src) > 0; first = false {
		t := <-parts
		err := s.settle(t)
		if err == nil || errors.Is(err, errReplaced) {
			rows.Count = uint64(min(PartSize, len(src)) / n)
			size := int(rows.Count) * n
			copyWide(t.mem, src[:size])
			err = s.postPart(b, t, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: t.offset, N: uint64(n)}, rows.Bytes(), first)
			dst, src = dst+rows.Count*uint64(pitch), src[size:]
		}
		parts <- t
		if err != nil {
			return err
		}
	}
	return nil
}

// downloadRows is the inverse of uploadRows. Parts are copied one after the other.
func (s *staging) downloadRows(b *Block, dst []byte, n int, src uint64, pitch int) error {
	if len(dst) == 0 {
		return nil
	}
	if n > PartSize || n == pitch {
		return eachRow(len(dst), n, pitch, func(at, row, size int) error {
			return s.download(b, dst[at:at+size], src+uint64(row), 0)
		})
	}
	rows := wire.Rows{DstPitch: uint64(n), SrcPitch: uint64(pitch)}
	if m, offset := FindPinned(dst); m != nil {
		rows.Count = uint64(len(dst) / n)
		return s.link.movePinned(m, b, &wire.Command{Op: wire.OpDownload, Dst: offset, Src: src, N: uint64(n), Arg: m.Number}, rows.Bytes())
	}
	parts, err := s.ready()
	if err != nil {
		return err
	}
	t := <-parts
	defer func() { parts <- t }()
	if err := s.settle(t); err != nil && !errors.Is(err, errReplaced) {
		return err
	}
	for len(dst) > 0 {
		rows.Count = uint64(min(PartSize, len(dst)) / n)
		size := int(rows.Count) * n
		c := &wire.Command{Op: wire.OpDownload, Dst: t.offset, Src: src, N: uint64(n)}
		if _, err := s.link.exchange(&roundTrip{on: b.Allocation, cmd: *c, data: rows.Bytes()}); err != nil {
			return err
		}
		copyWide(dst[:size], t.mem)
		dst, src = dst[size:], src+rows.Count*uint64(pitch)
	}
	return nil
}

// eachRow splits a copy into rows, or leaves it whole if there are no gaps.
func eachRow(total, n, pitch int, one func(at, row, size int) error) error {
	if n == pitch {
		return one(0, 0, total)
	}
	for at, row := 0, 0; at < total; at, row = at+n, row+pitch {
		if err := one(at, row, n); err != nil {
			return err
		}
	}
	return nil
}
