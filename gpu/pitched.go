package gpu

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// pitchAlign is the alignment of the rows of a Buffer2D in bytes, so that warps that read a row touch as few sectors as possible. It is
// that of cudaMallocPitch.
const pitchAlign = 512

// A Buffer2D is a table in device memory, in row-major order, with a possible gap after each row. Kernels take it as a pointer to the
// first element, and its PitchElements or Pitch as a number:
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

// Pitched returns a table of width × height elements on the current device, whose rows are aligned for coalesced access, as with
// cudaMallocPitch. The elements are not initialized. It panics with an *Error if the device is out of memory or cannot be used.
func Pitched[T Element](width, height int) *Buffer2D[T] {
	const op = "making a table"
	if err := checkElement[T](op); err != nil {
		panic(err)
	}
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

// Width returns the number of elements in a row.
func (b *Buffer2D[T]) Width() int { return b.width }

// Height returns the number of rows.
func (b *Buffer2D[T]) Height() int { return b.height }

// Pitch returns the distance between rows in bytes.
func (b *Buffer2D[T]) Pitch() int { return b.pitch }

// PitchElements returns the distance between rows in elements. It is exact only for elements whose size divides the pitch.
func (b *Buffer2D[T]) PitchElements() int { return b.pitch / sizeOf[T]() }

// Len returns the number of elements, without the gaps.
func (b *Buffer2D[T]) Len() int { return b.width * b.height }

// Bytes returns the size of all elements in bytes, without the gaps.
func (b *Buffer2D[T]) Bytes() int { return b.Len() * sizeOf[T]() }

// Device returns the device that has the table.
func (b *Buffer2D[T]) Device() *Device { return deviceOf(b.block.Link) }

// Address returns the device address of the first element.
func (b *Buffer2D[T]) Address() uint64 { return b.addr }

// String returns a description of the table: its type, size, pitch and device. ToHost returns its elements.
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

// rowBytes returns the size of a row in bytes, without the gap.
func (b *Buffer2D[T]) rowBytes() int { return b.width * sizeOf[T]() }

// CopyFrom copies host, which has Len elements in row-major order without gaps, to the device. host may be changed when it returns.
func (b *Buffer2D[T]) CopyFrom(host []T) error {
	const op = "copying to the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.UploadRows(b.addr, b.pitch, bytesOf(host), b.rowBytes()))
}

// CopyTo waits for the default stream and copies the elements, in row-major order without gaps, to host, which must have Len elements.
func (b *Buffer2D[T]) CopyTo(host []T) error {
	const op = "copying from the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.DownloadRows(bytesOf(host), b.rowBytes(), b.addr, b.pitch))
}

// ToHost waits for the default stream and returns a copy of the elements in row-major order. It panics with an *Error if that fails.
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

// Row returns a view of row y as a buffer. It panics if y is out of bounds.
func (b *Buffer2D[T]) Row(y int) *Buffer[T] {
	if err := b.made(); err != nil {
		panic(wrap("taking a view of a table", err))
	}
	if y < 0 || y >= b.height {
		panic(misuse("taking a view of a table", "row %d of a table of %d rows", y, b.height))
	}
	return &Buffer[T]{block: b.block, addr: b.addr + uint64(y*b.pitch), n: b.width, view: true}
}

// Slice returns a view of the w × h elements from column x and row y on, which shares the table's memory. It panics if they are out of
// bounds.
func (b *Buffer2D[T]) Slice(x, y, w, h int) *Buffer2D[T] {
	if err := b.made(); err != nil {
		panic(wrap("taking a view of a table", err))
	}
	if x < 0 || y < 0 || w < 0 || h < 0 || x > b.width-w || y > b.height-h {
		panic(misuse("taking a view of a table", "%d × %d elements from (%d, %d) of a table of %d × %d", w, h, x, y, b.width, b.height))
	}
	return &Buffer2D[T]{block: b.block, addr: b.addr + uint64(y*b.pitch+x*sizeOf[T]()), width: w, height: h, pitch: b.pitch, view: true}
}

// Free frees the memory, as Buffer.Free does.
func (b *Buffer2D[T]) Free() error {
	const op = "freeing a table"
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	return freeBlock(op, b.block, b.view)
}

// Copy2D copies src to dst, which must have the same width and height and be on the same device, as work of the default stream.
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
	return wrap(op, dst.block.Link.PostBetween(dst.block, src.block,
		&wire.Command{Op: wire.OpCopy, Dst: dst.addr, Src: src.addr, N: uint64(dst.rowBytes())}, rows.Bytes()))
}

func (b *Buffer2D[T]) elements() (int, error) {
	return 0, errors.New("the rows of a Buffer2D have padding, which a slice has not: pass a Buffer")
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
