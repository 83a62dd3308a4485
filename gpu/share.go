package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/client"

// Shared says where a buffer lies in memory that can be mapped again, which is how other code of this process
// reaches it: kernels run in another process, whose addresses mean nothing here.
type Shared struct {
	// FD is the descriptor of the memory: a memfd on the simulator, on a GPU one that
	// cuMemImportFromShareableHandle takes. It stays the package's: do not close it.
	FD int
	// Size is what the descriptor stands for, in bytes. Other buffers lie there, too.
	Size uint64
	// Offset is where in it the buffer begins, in bytes.
	Offset uint64
	// Memory tells the memory apart from all other that there is or was.
	Memory *SharedMemory
}

// SharedMemory is what several buffers lie in.
type SharedMemory client.SharedChunk

// OnRelease calls f in a new goroutine after the last buffer in this memory is freed. Unmap in f: until then the device
// cannot use the memory for something else.
func (m *SharedMemory) OnRelease(f func()) { (*client.SharedChunk)(m).OnRelease(f) }

// Share returns where a buffer's memory is. Map it while it is held (Hold), and wait for
// the device (Device.Sync) before reading it. Where the driver cannot share memory that is an error.
func Share[T Element](b *Buffer[T]) (Shared, error) {
	const op = "sharing a buffer's memory"
	if err := b.made(); err != nil {
		return Shared{}, wrap(op, err)
	}
	r, err := b.block.ShareAddress(b.addr)
	if err != nil {
		return Shared{}, wrap(op, err)
	}
	return Shared{FD: r.Fd, Size: r.Size, Offset: r.Offset, Memory: (*SharedMemory)(r.Memory)}, nil
}

// Hold keeps a buffer from being freed until release is called: Free fails, and the buffer stays reachable.
func Hold[T Element](b *Buffer[T]) (release func(), err error) {
	const op = "holding a buffer"
	if err := b.made(); err != nil {
		return nil, wrap(op, err)
	}
	release, err = b.block.Hold()
	return release, wrap(op, err)
}
