package pjrt

import (
	"errors"
	"runtime"
	"unsafe"
)

// A Type is a type of elements, PJRT_Buffer_Type.
type Type int32

// The types that Go has, or package nd.
const (
	Pred Type = iota + 1
	S8
	S16
	S32
	S64
	U8
	U16
	U32
	U64
	F16
	F32
	F64
	BF16
	C64
	C128
)

// A Buffer is an array in the memory of a client's device.
type Buffer struct {
	client *Client
	handle uintptr
}

// View returns a buffer whose elements are at an address of the device, in row-major order. They must stay there until the buffer is closed.
func (c *Client) View(address uintptr, t Type, shape []int) (*Buffer, error) {
	dims := lengths(shape)
	args := &viewArgs{client: c.handle, memory: address, dims: &dims[0], numDims: uintptr(len(shape)), dtype: t, device: c.device}
	args.onDelete[0] = c.plugin.nothing // plugins call it without asking whether there is one
	if err := call(c.plugin, clientCreateViewOfBuffer, args); err != nil {
		return nil, err
	}
	return &Buffer{c, args.buffer}, nil
}

// FromHost returns a buffer with a copy of elements in row-major order.
func (c *Client) FromHost(data []byte, t Type, shape []int) (*Buffer, error) {
	dims := lengths(shape)
	if len(data) == 0 {
		data = make([]byte, 1)[:0] // an address is needed even of nothing
	}
	args := &fromHostArgs{
		client: c.handle, data: unsafe.SliceData(data), dtype: t, dims: &dims[0], numDims: uintptr(len(shape)),
		semantics: immutableDuringCall, device: c.device,
	}
	if err := call(c.plugin, clientBufferFromHost, args); err != nil {
		return nil, err
	}
	b := &Buffer{c, args.buffer}
	if err := c.plugin.await(args.done); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// lengths returns a shape as the interface takes it, with one element more, so that the first has an address.
func lengths(shape []int) []int64 {
	dims := make([]int64, len(shape)+1)
	for i, n := range shape {
		dims[i] = int64(n)
	}
	return dims
}

// ToHost waits for the buffer and copies its elements in row-major order.
func (b *Buffer) ToHost(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	args := &toHostArgs{buffer: b.handle, data: unsafe.SliceData(data), size: uintptr(len(data))}
	if err := call(b.client.plugin, bufferToHost, args); err != nil {
		return err
	}
	err := b.client.plugin.await(args.event)
	runtime.KeepAlive(data)
	return err
}

// Type returns the type of elements.
func (b *Buffer) Type() (Type, error) {
	args := &objectResultArgs{object: b.handle}
	err := call(b.client.plugin, bufferElementType, args)
	return Type(int32(args.result)), err
}

// Shape returns the lengths of the axes.
func (b *Buffer) Shape() ([]int, error) {
	args := &dimensionsArgs{buffer: b.handle}
	if err := call(b.client.plugin, bufferDimensions, args); err != nil {
		return nil, err
	}
	shape := make([]int, args.numDims)
	for i, n := range unsafe.Slice(args.dims, len(shape)) {
		shape[i] = int(n)
	}
	return shape, nil
}

// Address returns the address of the elements on the device.
func (b *Buffer) Address() (uintptr, error) {
	args := &objectResultArgs{object: b.handle}
	err := call(b.client.plugin, bufferUnsafePointer, args)
	return args.result, err
}

// Await waits until the elements have been computed.
func (b *Buffer) Await() error {
	args := &objectResultArgs{object: b.handle}
	if err := call(b.client.plugin, bufferReadyEvent, args); err != nil {
		return err
	}
	return b.client.plugin.await(args.result)
}

// CanAwaitOn reports whether the plugin has AwaitOn.
func (c *Client) CanAwaitOn() bool { return c.plugin.waitStream != 0 }

// AwaitOn makes a stream of CUDA wait until the elements have been computed, and does not wait itself.
func (b *Buffer) AwaitOn(stream uintptr) error {
	args := &waitStreamArgs{size: unsafe.Sizeof(waitStreamArgs{}), stream: stream, buffer: b.handle}
	return b.client.plugin.invoke(b.client.plugin.waitStream, unsafe.Pointer(args))
}

// Close gives the buffer back.
func (b *Buffer) Close() error { return b.client.plugin.destroy(bufferDestroy, &b.handle) }
