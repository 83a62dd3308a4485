package nd

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// buffer is a gpu.Buffer[byte], which it has the address of. A cell that mentions an array compiles all methods of the instances of generic
// types to which the types of this package lead, and there is none behind a buffer.
type buffer struct{ _ byte }

// bufferOf returns a buffer's gpu.Buffer[byte], and asBuffer does the opposite.
func bufferOf(b *buffer) *gpu.Buffer[byte] { return (*gpu.Buffer[byte])(unsafe.Pointer(b)) }
func asBuffer(b *gpu.Buffer[byte]) *buffer { return (*buffer)(unsafe.Pointer(b)) }

func (b *buffer) Len() int                      { return bufferOf(b).Len() }
func (b *buffer) Address() uint64               { return bufferOf(b).Address() }
func (b *buffer) Slice(start, stop int) *buffer { return asBuffer(bufferOf(b).Slice(start, stop)) }
func (b *buffer) Fill(v byte)                   { bufferOf(b).Fill(v) }
func (b *buffer) Free() error                   { return bufferOf(b).Free() }
func (b *buffer) CopyFrom(host []byte) error    { return bufferOf(b).CopyFrom(host) }
func (b *buffer) CopyTo(host []byte) error      { return bufferOf(b).CopyTo(host) }
