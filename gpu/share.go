package gpu

import (
	"runtime"
	"sync"
)

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
type SharedMemory struct {
	link  *link
	chunk *chunk
}

// OnRelease has f called on a goroutine of its own when no buffer is there any more and the device has been given the memory
// back, which whoever has it mapped keeps it from using.
func (m *SharedMemory) OnRelease(f func()) {
	m.link.mu.Lock()
	defer m.link.mu.Unlock()
	if m.link.chunks[m.chunk.addr] != m.chunk {
		go f()
		return
	}
	m.chunk.sharers = append(m.chunk.sharers, f)
}

// Share says where a buffer's memory is. Map it while it is held (Hold), and wait for
// the device (Device.Sync) before reading it. Where the driver cannot share memory that is an error.
func Share[T Element](b *Buffer[T]) (Shared, error) {
	const op = "sharing a buffer's memory"
	if err := b.made(); err != nil {
		return Shared{}, wrap(op, err)
	}
	l, a := b.block.link, b.block.allocation
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := a.usable(); err != nil {
		return Shared{}, wrap(op, err)
	}
	if a.chunk.fd < 0 {
		return Shared{}, misuse(op, "the driver of %s cannot share device memory between processes: copy the elements by ToHost", l.name())
	}
	c := a.chunk
	if c.shared == nil {
		c.shared = &SharedMemory{l, c}
	}
	return Shared{FD: c.fd, Size: c.size, Offset: b.addr - c.addr, Memory: c.shared}, nil
}

// Hold keeps a buffer, which it makes reachable, from being freed by Free, until the function that it returns is called.
func Hold[T Element](b *Buffer[T]) (letGo func(), err error) {
	const op = "holding a buffer"
	if err := b.made(); err != nil {
		return nil, wrap(op, err)
	}
	block := b.block
	l := block.link
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := block.usable(); err != nil {
		return nil, wrap(op, err)
	}
	block.holds++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		block.holds--
		runtime.KeepAlive(block)
	}), nil
}

// lent says whether somebody holds the allocation.
func (a *allocation) lent() bool {
	a.link.mu.Lock()
	defer a.link.mu.Unlock()
	return a.holds > 0
}
