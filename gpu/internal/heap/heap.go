package heap

import (
	"cmp"
	"fmt"
	"slices"
)

// Align is the alignment of every range in bytes, as that of cudaMalloc.
const Align = 256

// A Range is a range of device memory.
type Range struct{ Addr, Size uint64 }

func (r Range) end() uint64 { return r.Addr + r.Size }

// A Heap allocates ranges of its chunks, from the smallest free range that is large enough, so that small ones do not take a piece of what a
// large one needs whole. Its methods are not safe for concurrent use. The zero value has no memory.
type Heap struct {
	chunks []Range // ordered by address
	free   []Range // ordered by address; adjacent ranges of a chunk are merged
	taken  map[uint64]uint64
	used   uint64
}

// Round returns the size of an allocation of n bytes. It is at least Align, so that every buffer has an address of its own, and 0
// if it does not fit in 64 bits.
func Round(n uint64) uint64 {
	return (max(n, 1) + Align - 1) &^ (Align - 1)
}

// Add adds a chunk to the heap.
func (h *Heap) Add(chunk Range) {
	h.chunks = insert(h.chunks, chunk)
	h.free = insert(h.free, chunk)
}

// Take allocates n bytes, rounded up. It returns false if no free range is large enough.
func (h *Heap) Take(n uint64) (addr uint64, ok bool) {
	n = Round(n)
	best := -1
	for i, r := range h.free {
		if r.Size >= n && (best < 0 || r.Size < h.free[best].Size) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	r := &h.free[best]
	addr = r.Addr
	r.Addr, r.Size = r.Addr+n, r.Size-n
	if r.Size == 0 {
		h.free = slices.Delete(h.free, best, best+1)
	}
	if h.taken == nil {
		h.taken = map[uint64]uint64{}
	}
	h.taken[addr] = n
	h.used += n
	return addr, true
}

// Give frees the range at addr, which Take returned. It panics if there is no such range: to continue would corrupt memory.
func (h *Heap) Give(addr uint64) {
	n, ok := h.taken[addr]
	if !ok {
		panic(fmt.Sprintf("heap: no allocated range at %#x", addr))
	}
	delete(h.taken, addr)
	h.used -= n
	chunk := h.chunks[h.chunkOf(addr)]
	h.free = insert(h.free, Range{addr, n})
	i, _ := find(h.free, addr)
	if i+1 < len(h.free) && h.free[i].end() == h.free[i+1].Addr && h.free[i+1].Addr < chunk.end() {
		h.free[i].Size += h.free[i+1].Size
		h.free = slices.Delete(h.free, i+1, i+2)
	}
	if i > 0 && h.free[i-1].end() == addr && h.free[i-1].Addr >= chunk.Addr {
		h.free[i-1].Size += h.free[i].Size
		h.free = slices.Delete(h.free, i, i+1)
	}
}

// Empty returns the chunks without allocated ranges, the smallest first.
func (h *Heap) Empty() []Range {
	var list []Range
	for _, r := range h.free {
		if i, ok := find(h.chunks, r.Addr); ok && h.chunks[i] == r {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Range) int { return cmp.Compare(a.Size, b.Size) })
	return list
}

// Remove removes an empty chunk from the heap.
func (h *Heap) Remove(chunk Range) {
	h.chunks = slices.DeleteFunc(h.chunks, func(r Range) bool { return r == chunk })
	h.free = slices.DeleteFunc(h.free, func(r Range) bool { return r == chunk })
}

// Abandon removes a chunk whose memory is lost. Ranges in it must not be freed afterwards.
func (h *Heap) Abandon(chunk Range) {
	in := func(addr uint64) bool { return addr >= chunk.Addr && addr < chunk.end() }
	h.chunks = slices.DeleteFunc(h.chunks, func(r Range) bool { return r == chunk })
	h.free = slices.DeleteFunc(h.free, func(r Range) bool { return in(r.Addr) })
	for addr, n := range h.taken {
		if in(addr) {
			delete(h.taken, addr)
			h.used -= n
		}
	}
}

// Used returns the number of allocated ranges and their total size in bytes.
func (h *Heap) Used() (ranges int, bytes uint64) { return len(h.taken), h.used }

// Reserved returns the total size of all chunks in bytes.
func (h *Heap) Reserved() uint64 {
	var n uint64
	for _, c := range h.chunks {
		n += c.Size
	}
	return n
}

func (h *Heap) chunkOf(addr uint64) int {
	i, exact := find(h.chunks, addr)
	if !exact {
		i--
	}
	return i
}

func find(list []Range, addr uint64) (int, bool) {
	return slices.BinarySearchFunc(list, addr, func(r Range, a uint64) int { return cmp.Compare(r.Addr, a) })
}

func insert(list []Range, r Range) []Range {
	i, _ := find(list, r.Addr)
	return slices.Insert(list, i, r)
}
