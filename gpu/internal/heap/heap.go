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
	chunks []chunk // ordered by address
	free   []Range // ordered by address; adjacent ranges of a chunk are merged
	ranges int     // that are allocated
	used   uint64  // bytes of those
	empty  int     // chunks without allocated ranges
}

// chunk is memory that ranges are allocated in.
type chunk struct {
	Range
	ranges int    // that are allocated
	used   uint64 // bytes of those
}

// Round returns the size of an allocation of n bytes. It is at least Align, so that every buffer has an address of its own, and 0
// if it does not fit in 64 bits.
func Round(n uint64) uint64 {
	return (max(n, 1) + Align - 1) &^ (Align - 1)
}

// Add adds a chunk to the heap.
func (h *Heap) Add(r Range) {
	i, _ := slices.BinarySearchFunc(h.chunks, r.Addr, func(c chunk, addr uint64) int { return cmp.Compare(c.Addr, addr) })
	h.chunks = slices.Insert(h.chunks, i, chunk{Range: r})
	h.free = slices.Insert(h.free, h.freeFrom(r.Addr), r)
	h.empty++
}

// Take allocates n bytes, rounded up. It returns false if no free range is large enough.
func (h *Heap) Take(n uint64) (addr uint64, ok bool) {
	n = Round(n)
	best := -1
	for i := range h.free {
		if size := h.free[i].Size; size >= n && (best < 0 || size < h.free[best].Size) {
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
	h.count(h.chunkOf(addr), 1, n)
	return addr, true
}

// Give frees a range that Take allocated, with the size that Round returns. It panics if a part of it is not allocated: to continue would
// corrupt memory.
func (h *Heap) Give(r Range) {
	c := h.chunkOf(r.Addr)
	i := h.freeFrom(r.Addr)
	next, before := i < len(h.free), i > 0
	if c == nil || r.end() > c.end() || r.Size > c.used || next && h.free[i].Addr < r.end() || before && h.free[i-1].end() > r.Addr {
		panic(fmt.Sprintf("heap: no allocated range of %d bytes at %#x", r.Size, r.Addr))
	}
	h.count(c, -1, -r.Size)
	next = next && h.free[i].Addr == r.end() && r.end() < c.end()
	before = before && h.free[i-1].end() == r.Addr && h.free[i-1].Addr >= c.Addr
	switch {
	case before && next:
		h.free[i-1].Size += r.Size + h.free[i].Size
		h.free = slices.Delete(h.free, i, i+1)
	case before:
		h.free[i-1].Size += r.Size
	case next:
		h.free[i].Addr, h.free[i].Size = r.Addr, h.free[i].Size+r.Size
	default:
		h.free = slices.Insert(h.free, i, r)
	}
}

// count adds allocated ranges, of that many bytes together, to those of a chunk and of the heap. To remove some, the numbers are negative.
func (h *Heap) count(c *chunk, ranges int, bytes uint64) {
	if c.ranges == 0 {
		h.empty--
	}
	c.ranges, c.used = c.ranges+ranges, c.used+bytes
	h.ranges, h.used = h.ranges+ranges, h.used+bytes
	if c.ranges == 0 {
		h.empty++
	}
}

// Empty returns the chunks without allocated ranges, the smallest first.
func (h *Heap) Empty() []Range {
	if h.empty == 0 {
		return nil // without looking at all of them: it is asked for whenever a buffer is freed
	}
	var list []Range
	for i := range h.chunks {
		if c := &h.chunks[i]; c.ranges == 0 {
			list = append(list, c.Range)
		}
	}
	slices.SortStableFunc(list, func(a, b Range) int { return cmp.Compare(a.Size, b.Size) })
	return list
}

// Remove removes an empty chunk from the heap.
func (h *Heap) Remove(r Range) { h.Abandon(r) }

// Abandon removes a chunk whose memory is lost. Ranges in it must not be freed afterwards.
func (h *Heap) Abandon(r Range) {
	c := h.chunkOf(r.Addr)
	if c == nil || c.Range != r {
		return
	}
	h.free = slices.DeleteFunc(h.free, func(f Range) bool { return f.Addr >= r.Addr && f.Addr < r.end() })
	h.count(c, -c.ranges, -c.used)
	h.empty--
	h.chunks = slices.DeleteFunc(h.chunks, func(c chunk) bool { return c.Range == r })
}

// Used returns the number of allocated ranges and their total size in bytes.
func (h *Heap) Used() (ranges int, bytes uint64) { return h.ranges, h.used }

// Reserved returns the total size of all chunks in bytes.
func (h *Heap) Reserved() uint64 {
	var n uint64
	for i := range h.chunks {
		n += h.chunks[i].Size
	}
	return n
}

// ChunkOf returns the address of the chunk that has an address.
func (h *Heap) ChunkOf(addr uint64) uint64 { return h.chunkOf(addr).Addr }

// chunkOf returns the chunk that has an address, or nil.
func (h *Heap) chunkOf(addr uint64) *chunk {
	low, high := 0, len(h.chunks)
	for low < high {
		if mid := (low + high) / 2; h.chunks[mid].Addr <= addr {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 || addr >= h.chunks[low-1].end() {
		return nil
	}
	return &h.chunks[low-1]
}

// freeFrom returns the number of the first free range at that address or after it.
func (h *Heap) freeFrom(addr uint64) int {
	low, high := 0, len(h.free)
	for low < high {
		if mid := (low + high) / 2; h.free[mid].Addr < addr {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
