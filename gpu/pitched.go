package gpu

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/render"
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
	block         *client.Block
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
	b, err := d.link.Alloc(uint64(pitch*height), originOf[T](0))
	if err != nil {
		panic(wrap(fmt.Sprintf("%s of %s on %s", op, render.Bytes(uint64(pitch*height)), d.Name()), err))
	}
	return &Buffer2D[T]{block: b, addr: b.Addr, width: width, height: height, pitch: pitch}
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
func (b *Buffer2D[T]) Device() *Device { return deviceOf(b.block.Link) }

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
	return wrap(op, b.block.UploadRows(b.addr, b.pitch, bytesOf(host), b.rowBytes()))
}

// CopyTo waits for the default stream and copies the rows to host, one after the other without
// gaps.
func (b *Buffer2D[T]) CopyTo(host []T) error {
	const op = "copying from the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.DownloadRows(bytesOf(host), b.rowBytes(), b.addr, b.pitch))
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
	return freeBlock(op, b.block, b.view)
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
	case dst.block.Link != src.block.Link:
		return misuse(op, "the source is on %s, the destination on %s", src.block.Link.Name(), dst.block.Link.Name())
	case dst.Len() == 0:
		return nil
	}
	defer runtime.KeepAlive(src)
	defer runtime.KeepAlive(dst)
	rows := wire.Rows{DstPitch: uint64(dst.pitch), SrcPitch: uint64(src.pitch), Count: uint64(dst.height)}
	return wrap(op, dst.block.Link.PostBetween(dst.block.Allocation, src.block.Allocation,
		&wire.Command{Op: wire.OpCopy, Dst: dst.addr, Src: src.addr, N: uint64(dst.rowBytes())}, rows.Bytes()))
}

func (b *Buffer2D[T]) bind(c *Call) {
	if b == nil || b.block == nil {
		c.pointer(reference{}, nil, "nil")
		return
	}
	c.pointer(reference{block: b.block, addr: b.addr, bytes: b.Bytes()}, b.block.Link, "a table")
}

func (b *Buffer2D[T]) element() string { return elementName[T]() }
func (b *Buffer2D[T]) pointsTo(T)      {}
