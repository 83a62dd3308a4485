package gpu

import (
	"fmt"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Buffer is an array in device memory. It is freed by Free, or some time after the last
// reference to it and its views is gone. Its methods are safe for concurrent use as far as
// the same memory is not written at the same time.
type Buffer[T Element] struct {
	block *block
	addr  uint64
	n     int
	view  bool
}

// ToDevice makes a buffer on the current device, or the one given, and copies host into it. On
// return host may be changed. It panics with an *Error if the device has no memory or cannot
// be used.
func ToDevice[T Element](host []T, on ...*Device) *Buffer[T] {
	b := alloc[T]("copying to the device", len(host), on)
	if err := b.CopyFrom(host); err != nil {
		panic(err)
	}
	return b
}

// Zeros makes a buffer of n zeros on the current device, or the one given. It panics with an
// *Error if the device has no memory or cannot be used.
func Zeros[T Element](n int, on ...*Device) *Buffer[T] {
	b := alloc[T]("making a buffer of zeros", n, on)
	var zero T
	b.Fill(zero)
	return b
}

// Alloc makes a buffer of n elements on the current device, or the one given, without setting
// them, as cudaMalloc does: they hold whatever was in that memory before. It panics with an
// *Error if the device has no memory or cannot be used.
func Alloc[T Element](n int, on ...*Device) *Buffer[T] { return alloc[T]("making a buffer", n, on) }

func alloc[T Element](op string, n int, on []*Device) *Buffer[T] {
	d, err := chosenOf(on)
	if err != nil {
		panic(wrap(op, err))
	}
	size := bufferBytes[T](op, n)
	b, err := d.link.alloc(size, originOf[T](1))
	if err != nil {
		panic(wrap(fmt.Sprintf("%s of %s on %s", op, byteCount(size), d.Name()), err))
	}
	return &Buffer[T]{block: b, addr: b.addr, n: n}
}

// bufferBytes is the size of n elements. It panics if that cannot be one.
func bufferBytes[T Element](op string, n int) uint64 {
	size := sizeOf[T]()
	if n < 0 || n > maxBytes/size {
		panic(misuse(op, "a buffer of %d elements of %d bytes cannot be", n, size))
	}
	return uint64(n * size)
}

const maxBytes = 1 << 56

// Len is the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

// Bytes is the size of the elements together.
func (b *Buffer[T]) Bytes() int { return b.n * sizeOf[T]() }

// Device is the device that has the buffer.
func (b *Buffer[T]) Device() *Device { return deviceOf(b.block.link) }

// Address is where the elements are in the device's memory. It stays the same for as long as
// the buffer lives.
func (b *Buffer[T]) Address() uint64 { return b.addr }

// made returns an error if the buffer is nil or empty, the zero Buffer.
func (b *Buffer[T]) made() error {
	if b == nil || b.block == nil {
		return misuse("", "the buffer is nil: make it with gpu.Alloc, gpu.Zeros or gpu.ToDevice")
	}
	return nil
}

// String says what the buffer is, not what it holds: that is ToHost.
func (b *Buffer[T]) String() string {
	var zero T
	return fmt.Sprintf("gpu.Buffer[%T]: %d elements, %s on %s", zero, b.n, byteCount(uint64(b.Bytes())), b.Device().Name())
}

// ToHost waits for the default stream and returns a copy of the elements. It panics with an
// *Error if that fails, or if earlier work on the device did.
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

// CopyFrom copies host, which must be as long as the buffer, to the device. On return host
// may be changed.
func (b *Buffer[T]) CopyFrom(host []T) error {
	const op = "copying to the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.link.upload(b.block.allocation, b.addr, bytesOf(host), 0))
}

// CopyTo waits for the default stream and copies the elements to host, which must be as
// long as the buffer.
func (b *Buffer[T]) CopyTo(host []T) error {
	const op = "copying from the device"
	if err := b.fits(op, len(host)); err != nil {
		return err
	}
	defer runtime.KeepAlive(b)
	return wrap(op, b.block.link.download(b.block.allocation, bytesOf(host), b.addr, 0))
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

// Fill sets every element to v. It panics with an *Error if the buffer was freed or the
// device cannot be used.
func (b *Buffer[T]) Fill(v T) {
	if err := b.FillAsync(nil, v); err != nil {
		panic(err)
	}
}

// fill repeats a pattern over n bytes of an allocation.
func (l *link) fill(a *allocation, dst uint64, pattern []byte, n uint64, stream uint32) error {
	if n == 0 {
		return nil
	}
	if short := shorten(pattern); len(short) <= 4 {
		return l.post(a, &wire.Command{Op: wire.OpFill, Dst: dst, N: n, Stream: stream}, short)
	}
	// Devices fill with up to 4 bytes: write the first ones and double them.
	var seed [inline]byte
	whole := min(n, uint64(inline/len(pattern)*len(pattern))) // of patterns
	done := uint64(0)
	for done < whole {
		done += uint64(copy(seed[done:whole], pattern))
	}
	if err := l.post(a, &wire.Command{Op: wire.OpWrite, Dst: dst, Stream: stream}, seed[:done]); err != nil {
		return err
	}
	for done < n {
		part := min(done, n-done)
		if err := l.post(a, &wire.Command{Op: wire.OpCopy, Dst: dst + done, Src: dst, N: part, Stream: stream}, nil); err != nil {
			return err
		}
		done += part
	}
	return nil
}

// shorten halves a pattern while its halves are equal.
func shorten(p []byte) []byte {
	for len(p) > 1 && len(p)%2 == 0 && string(p[:len(p)/2]) == string(p[len(p)/2:]) {
		p = p[:len(p)/2]
	}
	return p
}

// Slice is a view of elements i to j (j not included): it shares the buffer's memory, as a
// slice shares its array's. It panics if the range is not within the buffer.
func (b *Buffer[T]) Slice(i, j int) *Buffer[T] {
	if err := b.made(); err != nil {
		panic(wrap("taking a view of a buffer", err))
	}
	if i < 0 || j < i || j > b.n {
		panic(misuse("taking a view of a buffer", "range [%d:%d] of a buffer of %d elements", i, j, b.n))
	}
	return &Buffer[T]{block: b.block, addr: b.addr + uint64(i*sizeOf[T]()), n: j - i, view: true}
}

// Free gives the memory back once the device is done with it. Using the buffer or a view of
// it afterwards is an error, and so is freeing it twice, or freeing a view.
func (b *Buffer[T]) Free() error {
	const op = "freeing a buffer"
	if err := b.made(); err != nil {
		return wrap(op, err)
	}
	return b.block.free(op, b.view)
}

// free gives a buffer's memory back.
func (b *block) free(op string, view bool) error {
	if view {
		return misuse(op, "this is a view of a part: free the buffer that it is a part of")
	}
	if b.lent() {
		return misuse(op, "another library of this process has it (by dlpack or xla): it can be freed when that has given it up")
	}
	if !b.link.release(b.allocation) {
		return misuse(op, "the buffer was freed already")
	}
	return nil
}

// byteCount writes a size for people: "1.5 KiB".
func byteCount(n uint64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v, unit := float64(n), 0
	for v >= 1024 && unit < 5 {
		v, unit = v/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", v, "BKMGTP"[unit])
}
