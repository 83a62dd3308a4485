package gpu

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// pitchAlign is what rows of a Buffer2D begin at multiples of, in bytes, so that warps that read
// a row touch as few sectors as they can. It is what cudaMallocPitch uses.
const pitchAlign = 512

// Buffer2D is a table in device memory, row after row, whose rows may have a gap between
// them. Kernels take it as a pointer to the first element, and PitchElements or Pitch as a
// number:
//
//	__global__ void k(float *a, int pitch, int w, int h) { … a[y*pitch + x] … }
//	k.Launch(gpu.For2D(w, h, 16, 16), a, a.PitchElements(), w, h)
//
// It is freed as a Buffer is.
type Buffer2D[T Element] struct {
	block         *block
	addr          uint64
	width, height int
	pitch         int // bytes
	view          bool
}

// Pitched makes a table of width × height elements on the current device, without setting
// them, whose rows begin where the device reads them best. It panics with an *Error if the
// device has no memory or cannot be used.
func Pitched[T Element](width, height int) *Buffer2D[T] {
	const op = "making a table"
	d, err := Current()
	if err != nil {
		panic(wrap(op, err))
	}
	size := sizeOf[T]()
	if width < 0 || height < 0 || width > maxBytes/size || height > 0 && width*size+pitchAlign > maxBytes/height {
		panic(misuse(op, "a table of %d × %d elements of %d bytes cannot be", width, height, size))
	}
	pitch := (width*size + pitchAlign - 1) / pitchAlign * pitchAlign
	b, err := d.link.alloc(uint64(pitch*height), originOf[T](0))
	if err != nil {
		panic(wrap(fmt.Sprintf("%s of %s on %s", op, byteCount(uint64(pitch*height)), d.Name()), err))
	}
	return &Buffer2D[T]{block: b, addr: b.addr, width: width, height: height, pitch: pitch}
}

// Width is the number of elements in a row.
func (b *Buffer2D[T]) Width() int { return b.width }

// Height is the number of rows.
func (b *Buffer2D[T]) Height() int { return b.height }

// Pitch is the distance from one row to the next, in bytes.
func (b *Buffer2D[T]) Pitch() int { return b.pitch }

// PitchElements is the distance from one row to the next, in elements.
func (b *Buffer2D[T]) PitchElements() int { return b.pitch / sizeOf[T]() }

// Len is the number of elements, gaps not counted.
func (b *Buffer2D[T]) Len() int { return b.width * b.height }

// Bytes is the size of the elements together, gaps not counted.
func (b *Buffer2D[T]) Bytes() int { return b.Len() * sizeOf[T]() }

// Device is the device that has the table.
func (b *Buffer2D[T]) Device() *Device { return deviceOf(b.block.link) }

// Address is where the first element is in the device's memory.
func (b *Buffer2D[T]) Address() uint64 { return b.addr }

// String says what the table is, not what it holds: that is ToHost.
func (b *Buffer2D[T]) String() string {
	var zero T
	return fmt.Sprintf("gpu.Buffer2D[%T]: %d × %d elements, rows %d bytes apart, on %s", zero, b.width, b.height, b.pitch, b.Device().Name())
}

// made returns an error if the table is nil or empty, the zero Buffer2D.
func (b *Buffer2D[T]) made() error {
	if b == nil || b.block == nil {
		return misuse("", "the table is nil: make it with gpu.Pitched")
	}
	return nil
}

func (b *Buffer2D[T]) fits(op string, n int) error {
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	if n != b.Len() {
		return misuse(op, "the slice has %d elements, the table %d × %d", n, b.width, b.height)
	}
	return nil
}

// rowBytes is the size of a row without the gap.
func (b *Buffer2D[T]) rowBytes() int { return b.width * sizeOf[T]() }

// CopyFrom copies host, which holds the rows one after the other without gaps, to the device.
// On return host may be changed.
func (b *Buffer2D[T]) CopyFrom(host []T) error {
	const op = "copying to the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.link.uploadRows(b.block.allocation, b.addr, b.pitch, bytesOf(host), b.rowBytes()))
}

// CopyTo waits for the default stream and copies the rows to host, one after the other without
// gaps.
func (b *Buffer2D[T]) CopyTo(host []T) error {
	const op = "copying from the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.link.downloadRows(b.block.allocation, bytesOf(host), b.rowBytes(), b.addr, b.pitch))
}

// ToHost is CopyTo a new slice. It panics with an *Error if that fails.
func (b *Buffer2D[T]) ToHost() []T {
	if err := b.made(); err != nil {
		panic(wrap("copying from the device", err))
	}
	host := make([]T, b.Len())
	if err := b.CopyTo(host); err != nil {
		panic(err)
	}
	return host
}

// Fill sets every element to v. It panics with an *Error if the table was freed or the device
// cannot be used.
func (b *Buffer2D[T]) Fill(v T) {
	const op = "filling a table"
	if err := b.made(); err != nil {
		panic(wrap(op, err))
	}
	if b.Len() == 0 {
		return
	}
	for y := range b.height {
		b.Row(y).Fill(v)
	}
}

// Row is a view of row y, as a buffer.
func (b *Buffer2D[T]) Row(y int) *Buffer[T] {
	if err := b.made(); err != nil {
		panic(wrap("taking a view of a table", err))
	}
	if y < 0 || y >= b.height {
		panic(misuse("taking a view of a table", "row %d of a table of %d rows", y, b.height))
	}
	return &Buffer[T]{block: b.block, addr: b.addr + uint64(y*b.pitch), n: b.width, view: true}
}

// Slice is a view of the w × h elements from column x and row y on: it shares the table's
// memory. It panics if they are not within the table.
func (b *Buffer2D[T]) Slice(x, y, w, h int) *Buffer2D[T] {
	if err := b.made(); err != nil {
		panic(wrap("taking a view of a table", err))
	}
	if x < 0 || y < 0 || w < 0 || h < 0 || x > b.width-w || y > b.height-h {
		panic(misuse("taking a view of a table", "%d × %d elements from (%d, %d) of a table of %d × %d", w, h, x, y, b.width, b.height))
	}
	return &Buffer2D[T]{block: b.block, addr: b.addr + uint64(y*b.pitch+x*sizeOf[T]()), width: w, height: h, pitch: b.pitch, view: true}
}

// Free gives the memory back, as Buffer.Free does.
func (b *Buffer2D[T]) Free() error {
	const op = "freeing a table"
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	return b.block.free(op, b.view)
}

// Copy2D copies src to dst, which has as many rows and columns, in order with the default
// stream's work. Both are on one device.
func Copy2D[T Element](dst, src *Buffer2D[T]) error {
	const op = "copying a table on the device"
	if err := errors.Join(dst.made(), src.made()); err != nil {
		return wrap(op, err)
	}
	switch {
	case dst.width != src.width || dst.height != src.height:
		return misuse(op, "the source is %d × %d, the destination %d × %d", src.width, src.height, dst.width, dst.height)
	case dst.block.link != src.block.link:
		return misuse(op, "the source is on %s, the destination on %s", src.block.link.name(), dst.block.link.name())
	case dst.Len() == 0:
		return nil
	}
	defer runtime.KeepAlive(src)
	defer runtime.KeepAlive(dst)
	rows := wire.Rows{DstPitch: uint64(dst.pitch), SrcPitch: uint64(src.pitch), Count: uint64(dst.height)}
	return wrap(op, dst.block.link.postBetween(dst.block.allocation, src.block.allocation,
		&wire.Command{Op: wire.OpCopy, Dst: dst.addr, Src: src.addr, N: uint64(dst.rowBytes())}, rows.Bytes()))
}

func (b *Buffer2D[T]) bind(c *Call) {
	if b == nil || b.block == nil {
		c.pointer(reference{}, nil, "nil")
		return
	}
	c.pointer(reference{block: b.block, addr: b.addr, bytes: b.Bytes()}, b.block.link, "a table")
}

func (b *Buffer2D[T]) element() string { return elementName[T]() }
func (b *Buffer2D[T]) pointsTo(T)      {}

// uploadRows copies rows of n bytes, without gaps on the host, to rows pitch bytes apart.
func (l *link) uploadRows(a *allocation, dst uint64, pitch int, src []byte, n int) error {
	if len(src) == 0 {
		return nil
	}
	if n > partSize || n == pitch {
		return l.eachRow(len(src), n, pitch, func(at, row, size int) error {
			return l.upload(a, dst+uint64(row), src[at:at+size], 0)
		})
	}
	rows := wire.Rows{DstPitch: uint64(pitch), SrcPitch: uint64(n)}
	if m, offset := findPinned(src); m != nil {
		rows.Count = uint64(len(src) / n)
		return l.movePinned(m, a, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: offset, N: uint64(n), Arg: m.number}, rows.Bytes())
	}
	parts, err := l.stagingParts()
	if err != nil {
		return err
	}
	for first := true; len(src) > 0; first = false {
		t := <-parts
		err := l.free(t)
		if err == nil || errors.Is(err, errReplaced) {
			rows.Count = uint64(min(partSize, len(src)) / n)
			size := int(rows.Count) * n
			copyWide(t.mem, src[:size])
			err = l.postPart(a, t, &wire.Command{Op: wire.OpUpload, Dst: dst, Src: t.offset, N: uint64(n)}, rows.Bytes(), first)
			dst, src = dst+rows.Count*uint64(pitch), src[size:]
		}
		parts <- t
		if err != nil {
			return err
		}
	}
	return nil
}

// downloadRows is the inverse of uploadRows. Parts are fetched one after the other.
func (l *link) downloadRows(a *allocation, dst []byte, n int, src uint64, pitch int) error {
	if len(dst) == 0 {
		return nil
	}
	if n > partSize || n == pitch {
		return l.eachRow(len(dst), n, pitch, func(at, row, size int) error {
			return l.download(a, dst[at:at+size], src+uint64(row), 0)
		})
	}
	rows := wire.Rows{DstPitch: uint64(n), SrcPitch: uint64(pitch)}
	if m, offset := findPinned(dst); m != nil {
		rows.Count = uint64(len(dst) / n)
		return l.movePinned(m, a, &wire.Command{Op: wire.OpDownload, Dst: offset, Src: src, N: uint64(n), Arg: m.number}, rows.Bytes())
	}
	parts, err := l.stagingParts()
	if err != nil {
		return err
	}
	t := <-parts
	defer func() { parts <- t }()
	if err := l.free(t); err != nil && !errors.Is(err, errReplaced) {
		return err
	}
	for len(dst) > 0 {
		rows.Count = uint64(min(partSize, len(dst)) / n)
		size := int(rows.Count) * n
		c := &wire.Command{Op: wire.OpDownload, Dst: t.offset, Src: src, N: uint64(n)}
		if _, err := l.exchange(nil, a, c, rows.Bytes(), nil); err != nil {
			return err
		}
		copyWide(dst[:size], t.mem)
		dst, src = dst[size:], src+rows.Count*uint64(pitch)
	}
	return nil
}

// eachRow cuts a copy into rows, or leaves it whole if there are no gaps.
func (l *link) eachRow(total, n, pitch int, one func(at, row, size int) error) error {
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
