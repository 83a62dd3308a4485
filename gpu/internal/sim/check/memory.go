package check

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

const (
	wordSize = 4                             // bytes of memory per cell
	cellSize = uint64(unsafe.Sizeof(cell{})) // size of a cell in bytes
	// keptFreed is how many freed buffers are remembered, so that an access to one gets a message of
	// its own.
	keptFreed = 256
)

// cell mirrors the runtime's Cell.
type cell [9]uint32

// A buffer is device memory in use by the session.
type buffer struct {
	addr, size uint64
	// set has a bit for each byte, which is 1 if the byte is initialized. It is nil if all bytes are.
	set []byte
	// cells are mapped at the first launch that needs them.
	cells []byte
	// chunk reports whether this is a whole chunk.
	chunk bool
}

func (b *buffer) end() uint64 { return b.addr + b.size }

// Memory is the state of device memory.
type Memory struct {
	buffers []*buffer // by address
	freed   []backend.View
	listed  bool // the session reports its buffers
	heap    heap
}

// Allocated adds a buffer, which is not initialized if it is fresh.
func (m *Memory) Allocated(addr, size uint64, fresh bool) error {
	if size == 0 {
		return nil // it cannot be accessed
	}
	m.listed = true
	m.drop(func(b *buffer) bool { return b.chunk })
	i, _ := m.find(addr)
	if i > 0 && m.buffers[i-1].end() > addr || i < len(m.buffers) && m.buffers[i].addr < addr+size {
		return fmt.Errorf("the buffer of %d bytes at %#x overlaps another", size, addr)
	}
	b := &buffer{addr: addr, size: size}
	if fresh {
		var err error
		if b.set, err = pages(size/8 + 3); err != nil {
			return fmt.Errorf("allocate the state of a buffer of %d bytes: %w", size, err)
		}
	}
	m.buffers = slices.Insert(m.buffers, i, b)
	m.freed = slices.DeleteFunc(m.freed, func(v backend.View) bool { return v.Addr < addr+size && addr < v.Addr+v.Size })
	return nil
}

// Freed removes a buffer.
func (m *Memory) Freed(addr uint64) {
	i, found := m.find(addr)
	if !found {
		return
	}
	b := m.buffers[i]
	b.unmap()
	m.buffers = slices.Delete(m.buffers, i, i+1)
	if len(m.freed) == keptFreed {
		m.freed = slices.Delete(m.freed, 0, 1)
	}
	m.freed = append(m.freed, backend.View{Addr: b.addr, Size: b.size})
}

// Released removes the buffers of a chunk that was released.
func (m *Memory) Released(addr, size uint64) {
	m.drop(func(b *buffer) bool { return b.addr >= addr && b.addr-addr < size })
}

// drop removes buffers.
func (m *Memory) drop(unwanted func(b *buffer) bool) {
	m.buffers = slices.DeleteFunc(m.buffers, func(b *buffer) bool {
		gone := unwanted(b)
		if gone {
			b.unmap()
		}
		return gone
	})
}

// adopt makes each chunk a buffer, unless the session reports its buffers.
func (m *Memory) adopt(chunks [][2]uint64) {
	if m.listed {
		return
	}
	for _, c := range chunks {
		known := false
		m.each(c[0], c[1]-c[0], func(*buffer, uint64, uint64) { known = true })
		if !known {
			i, _ := m.find(c[0])
			m.buffers = slices.Insert(m.buffers, i, &buffer{addr: c[0], size: c[1] - c[0], chunk: true})
		}
	}
}

// Close frees all state.
func (m *Memory) Close() { m.Released(0, ^uint64(0)) }

func (b *buffer) unmap() {
	// Unmapping a mapping does not fail.
	if b.set != nil {
		_ = unix.Munmap(b.set)
	}
	if b.cells != nil {
		_ = unix.Munmap(b.cells)
	}
}

// Written records that bytes were initialized by other means than a kernel of check mode.
func (m *Memory) Written(addr, n uint64) {
	m.each(addr, n, func(b *buffer, lo, hi uint64) { setBits(b.set, lo-b.addr, hi-b.addr) })
}

// Copied records that bytes were copied, initialized or not.
func (m *Memory) Copied(dst, src, n uint64) {
	m.Written(dst, n)
	m.each(src, n, func(from *buffer, lo, hi uint64) {
		if from.set == nil {
			return
		}
		m.each(dst+lo-src, hi-lo, func(to *buffer, tlo, thi uint64) {
			if to.set == nil {
				return
			}
			for a := tlo; a < thi; a++ {
				i, k := a-dst+src-from.addr, a-to.addr
				if from.set[i/8]>>(i%8)&1 == 0 {
					to.set[k/8] &^= 1 << (k % 8)
				}
			}
		})
	})
}

// WrittenSomewhere records that a kernel ran without check mode: it may have initialized any byte.
func (m *Memory) WrittenSomewhere() {
	for _, b := range m.buffers {
		if b.set != nil {
			_ = unix.Munmap(b.set) // as in unmap
			b.set = nil
		}
	}
}

// each calls f for the parts of a range that are in buffers.
func (m *Memory) each(addr, n uint64, f func(b *buffer, lo, hi uint64)) {
	i, found := m.find(addr)
	if !found && i > 0 {
		i--
	}
	for ; i < len(m.buffers) && m.buffers[i].addr < addr+n; i++ {
		b := m.buffers[i]
		if lo, hi := max(addr, b.addr), min(addr+n, b.end()); lo < hi {
			f(b, lo, hi)
		}
	}
}

func (m *Memory) find(addr uint64) (int, bool) {
	return slices.BinarySearchFunc(m.buffers, addr, func(b *buffer, a uint64) int { return cmp.Compare(b.addr, a) })
}

// forget clears the cells of all buffers.
func (m *Memory) forget() {
	for _, b := range m.buffers {
		if b.cells != nil {
			_ = unix.Munmap(b.cells) // as in unmap
			b.cells = nil
		}
	}
}

func setBits(set []byte, lo, hi uint64) {
	if set == nil {
		return
	}
	for lo < hi && lo%8 != 0 {
		set[lo/8] |= 1 << (lo % 8)
		lo++
	}
	for ; lo+8 <= hi; lo += 8 {
		set[lo/8] = 0xff
	}
	for ; lo < hi; lo++ {
		set[lo/8] |= 1 << (lo % 8)
	}
}

// pages maps zeroed memory outside Go's heap, of which only pages in use take memory.
func pages(size uint64) ([]byte, error) {
	return unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
}

// cellsFor maps cells for n bytes of memory.
func cellsFor(n uint64) ([]byte, error) { return pages((n/wordSize + 8) * cellSize) }
