package client

import (
	"runtime"
	"sync"
)

// A SharedChunk is a chunk that was shared with other code of this process.
type SharedChunk struct {
	link  *Link
	chunk *chunk
}

// A SharedRange is the position of an address in memory that can be mapped.
type SharedRange struct {
	// FD is the descriptor of the memory: a memfd on the simulator, on a GPU one for cuMemImportFromShareableHandle. The link owns it: do
	// not close it.
	FD           int
	Size, Offset uint64 // in bytes, of the memory and of the address in it; other buffers are in it, too
	Memory       *SharedChunk
}

// ShareAddress returns the position of an address of the allocation in memory that can be mapped.
func (a *Allocation) ShareAddress(addr uint64) (SharedRange, error) {
	l := a.Link
	var r SharedRange
	err := l.With(func(*Process) error {
		if err := a.Usable(); err != nil {
			return err
		}
		c := a.chunk
		if c.fd < 0 {
			return invalid("the driver of %s cannot share device memory between processes: copy the elements by ToHost", l.Name())
		}
		if c.shared == nil {
			c.shared = &SharedChunk{l, c}
		}
		r = SharedRange{c.fd, c.size, addr - c.addr, c.shared}
		return nil
	})
	return r, err
}

// OnRelease calls f in a new goroutine after the last allocation of the chunk was freed and the chunk was released.
func (s *SharedChunk) OnRelease(f func()) {
	s.link.conn.mu.Lock()
	defer s.link.conn.mu.Unlock()
	if s.link.mem.chunks[s.chunk.addr] != s.chunk {
		go f()
		return
	}
	s.chunk.onRelease = append(s.chunk.onRelease, f)
}

// Hold keeps the block reachable, and its allocation marked as held, until release is called.
func (b *Block) Hold() (release func(), err error) {
	l := b.Link
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	if err := b.Usable(); err != nil {
		return nil, err
	}
	b.holds++
	return sync.OnceFunc(func() {
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		b.holds--
		runtime.KeepAlive(b)
	}), nil
}

// Held reports whether the allocation is held.
func (a *Allocation) Held() bool {
	a.Link.conn.mu.Lock()
	defer a.Link.conn.mu.Unlock()
	return a.holds > 0
}
