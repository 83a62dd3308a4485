package gpu

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A Buffer is an array in device memory. It is freed by Free, or some time after it and all of its views become unreachable. Its methods
// are safe for concurrent use as long as no memory is written that others access.
type Buffer[T Element] struct {
	block *client.Block
	addr  uint64
	n     int
	view  bool
}

// ToDevice returns a buffer with a copy of host, on the current device or the one given. host may be changed when it returns. It panics
// with an *Error if the device is out of memory or cannot be used.
func ToDevice[T Element](host []T, on ...*Device) *Buffer[T] {
	b, _ := alloc[T]("copying to the device", len(host), on)
	if err := b.CopyFrom(host); err != nil {
		panic(err)
	}
	return b
}

// Zeros returns a buffer of n zeros on the current device or the one given. It does not wait for the device. It panics with an *Error if
// the device is out of memory or cannot be used.
func Zeros[T Element](n int, on ...*Device) *Buffer[T] {
	b, _ := alloc[T]("making a buffer of zeros", n, on)
	var zero T
	b.Fill(zero)
	return b
}

// Alloc returns a buffer of n elements on the current device or the one given. The elements are not initialized, as with cudaMalloc. It
// panics with an *Error if the device is out of memory or cannot be used.
func Alloc[T Element](n int, on ...*Device) *Buffer[T] {
	b, d := alloc[T]("making a buffer", n, on)
	if fill := pointer.Load[byte](&d.watchers.fill); fill != nil {
		v := make([]T, 1)
		for i := range bytesOf(v) {
			bytesOf(v)[i] = *fill
		}
		b.Fill(v[0])
	}
	return b
}

func alloc[T Element](op string, n int, on []*Device) (*Buffer[T], *Device) {
	d, err := chosenOf(on)
	if err != nil {
		panic(wrap(op, err))
	}
	size := bufferBytes[T](op, n)
	both := new(struct {
		buffer Buffer[T]
		block  client.Block
		_      [client.BlockSpace - unsafe.Sizeof(Buffer[byte]{}) - unsafe.Sizeof(client.Block{})]byte
	})
	b := &both.block
	err = d.link.AllocInto(b, size, originOf[T](1))
	if err != nil && d.execute(false) == nil { // what has been put off keeps memory
		err = d.link.AllocInto(b, size, originOf[T](1))
	}
	if err != nil {
		panic(wrap(fmt.Sprintf("%s of %s on %s", op, render.Bytes(size), d.Name()), err))
	}
	both.buffer = Buffer[T]{block: b, addr: b.Addr, n: n}
	return &both.buffer, d
}

// bufferBytes returns the size of n elements in bytes. It panics if n is negative or too large, or if T is no type for elements.
func bufferBytes[T Element](op string, n int) uint64 {
	if err := checkElement[T](op); err != nil {
		panic(err)
	}
	size := sizeOf[T]()
	if n < 0 || n > maxBytes/size {
		panic(misuse(op, "a buffer of %d elements of %d bytes cannot be", n, size))
	}
	return uint64(n * size)
}

const maxBytes = 1 << 56

// Len returns the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

// Bytes returns the size of all elements in bytes.
func (b *Buffer[T]) Bytes() int { return b.n * sizeOf[T]() }

// Device returns the device that has the buffer.
func (b *Buffer[T]) Device() *Device { return deviceOf(b.block.Link) }

// Address returns the device address of the first element. It does not change until the buffer is freed.
func (b *Buffer[T]) Address() uint64 { return b.addr }

// made returns an error if the buffer is nil or empty, the zero Buffer.
func (b *Buffer[T]) made() error {
	if b == nil || b.block == nil {
		return misuse("", "the buffer is nil: make it with gpu.Alloc, gpu.Zeros or gpu.ToDevice")
	}
	return nil
}

// String returns a description of the buffer: its type, length, size and device. ToHost returns its elements.
func (b *Buffer[T]) String() string {
	var zero T
	return fmt.Sprintf("gpu.Buffer[%T]: %d elements, %s on %s", zero, b.n, render.Bytes(uint64(b.Bytes())), b.Device().Name())
}

// ToHost waits for the default stream and returns a copy of the elements. It panics with an *Error if the copy or earlier work on the
// device has failed.
func (b *Buffer[T]) ToHost() []T {
	if err := b.made(); err != nil {
		panic(wrap("copying from the device", err))
	}
	host := make([]T, b.n)
	if err := b.CopyTo(host); err != nil {
		panic(err)
	}
	return host
}

// CopyFrom copies host, which must have the buffer's length, to the device, as work of the default stream. host may be changed when it
// returns.
func (b *Buffer[T]) CopyFrom(host []T) error {
	const op = "copying to the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.Upload(b.addr, bytesOf(host), 0))
}

// CopyTo waits for the default stream and copies the elements to host, which must have the buffer's length. Its error may be that of
// earlier work on the device.
func (b *Buffer[T]) CopyTo(host []T) error {
	const op = "copying from the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.Download(bytesOf(host), b.addr, 0))
}

func (b *Buffer[T]) fits(op string, n int) error {
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	if n != b.n {
		return misuse(op, "the slice has %d elements, the buffer %d: they must be equally long (Buffer.Slice makes a view of a part)", n, b.n)
	}
	return nil
}

// Fill sets every element to v, as work of the default stream. It panics with an *Error if the buffer was freed or the device cannot be
// used.
func (b *Buffer[T]) Fill(v T) {
	if err := b.FillAsync(nil, v); err != nil {
		panic(err)
	}
}

// Slice returns a view of the elements i to j (exclusive), which shares the buffer's memory. It panics if the range is out of bounds.
func (b *Buffer[T]) Slice(i, j int) *Buffer[T] {
	if err := b.made(); err != nil {
		panic(wrap("taking a view of a buffer", err))
	}
	if i < 0 || j < i || j > b.n {
		panic(misuse("taking a view of a buffer", "range [%d:%d] of a buffer of %d elements", i, j, b.n))
	}
	return &Buffer[T]{block: b.block, addr: b.addr + uint64(i*sizeOf[T]()), n: j - i, view: true}
}

// Free frees the memory once the device has finished its work on it. Using the buffer or a view of it afterwards is an error, as is
// freeing a buffer twice, or freeing a view.
func (b *Buffer[T]) Free() error {
	const op = "freeing a buffer"
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	return freeBlock(op, b.block, b.view)
}

// freeBlock frees a buffer's memory; op is the operation for errors.
func freeBlock(op string, b *client.Block, view bool) error {
	if view {
		return misuse(op, "this is a view of a part: free the buffer that it is a part of")
	}
	if b.Allocation.Held() {
		return misuse(op, "another library of this process has it (by dlpack or xla): it can be freed when that has given it up")
	}
	if !b.Free() {
		return misuse(op, "the buffer was freed already")
	}
	return nil
}
