package client

import (
	"errors"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/heap"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

const (
	// MinChunk is the minimum size of a chunk: allocations are slow on the device.
	MinChunk = 32 << 20
	// gpuGrain is the denominator of the part of a GPU's memory that its buffers have more, at least, when the garbage collector runs.
	gpuGrain = 64
)

// allocator allocates the memory of one device. It allocates chunks on the device and allocations in them. The connection's lock guards
// it.
type allocator struct {
	link    *Link // whose memory it is
	conn    *connection
	checks  *checks
	heap    heap.Heap
	chunks  map[uint64]*chunk // by address
	live    allocations
	waiting []*Allocation // freed, but possibly still in use by a stream
	soon    collector
	retain  retention
	limit   uint64 // of the heap's size; 0 means no limit
	quota   quota
	// These count for memoryStats.
	peakUsed, peakReserved uint64
	allocations, reused    uint64
}

// chunk is device memory that outlives the process that allocated it, if it has a descriptor.
type chunk struct {
	addr, size uint64
	fd         int  // -1 if the memory is lost when its process exits, or is in saved
	lost       bool // whether it was lost
	// saved is a copy in host memory, while the device is suspended.
	saved *savedChunk
	// mappedBy are devices that have the chunk mapped.
	mappedBy []*Link
	// shared is the chunk's form for other code of this process, and its onRelease is called when the chunk is released.
	shared    *SharedChunk
	onRelease []func()
}

// An Allocation is a range of a chunk that is in use.
type Allocation struct {
	Link       *Link
	chunk      *chunk
	Addr, Size uint64
	Asked      uint64 // the requested size in bytes
	Made       Origin
	// These are guarded by the connection's lock, as is chunk.lost.
	freed bool
	use   usage
	holds int // number of holds, which prevent freeing
	// These are those before and behind it in the list of the allocations in use.
	previous, next *Allocation
}

// A Block is the memory of a buffer and its views: when it becomes unreachable, the allocation is freed.
type Block struct{ *Allocation }

// BlockSpace is the size of the Go memory that a block is in, maybe together with its first user. Go's runtime keeps what it knows of cleanups
// in a list for each 8 KiB of objects of the same size, which it searches from the beginning for a new one: of blocks of their own size there
// would be a thousand in a list.
const BlockSpace = 256

func newBlock() *Block {
	return &new(struct {
		Block
		_ [BlockSpace - unsafe.Sizeof(Block{})]byte
	}).Block
}

// take returns an allocation in existing chunks, or nil. The lock is held.
func (m *allocator) take(size uint64, made Origin) *Allocation {
	taken := size + m.checks.gap()
	addr, ok := m.heap.Take(taken)
	if !ok {
		return nil
	}
	c := m.chunks[m.heap.ChunkOf(addr)]
	a := &Allocation{Link: m.link, chunk: c, Addr: addr, Size: heap.Round(taken), Asked: size, Made: made}
	m.list(a)
	return a
}

// reuse returns memory of exactly that size that was freed on the stream, or nil. The lock is held.
func (m *allocator) reuse(size uint64, stream uint32, made Origin) *Allocation {
	i := slices.IndexFunc(m.waiting, func(a *Allocation) bool {
		return a.use.stream == stream && !a.use.several && a.Size == heap.Round(size) && !a.chunk.lost
	})
	if i < 0 {
		return nil
	}
	old := m.waiting[i]
	m.waiting = slices.Delete(m.waiting, i, i+1)
	a := &Allocation{Link: m.link, chunk: old.chunk, Addr: old.Addr, Size: old.Size, Asked: size, use: usage{last: old.use.last, stream: stream}, Made: made}
	m.list(a)
	m.reused++
	return a
}

// list adds a new allocation to the list.
func (m *allocator) list(a *Allocation) {
	m.live.add(a)
	m.checks.allocated(a)
	m.allocations++
	_, used := m.heap.Used()
	m.peakUsed = max(m.peakUsed, used)
	m.retain.note(used)
	m.soon.allocated(used, m.grain())
}

// grain returns how many bytes buffers have more, at least, when the garbage collector runs. Memory of a simulated device is quickest while
// it is in the processor's caches.
func (m *allocator) grain() uint64 {
	if m.link.Kind() == "sim" {
		return MinChunk
	}
	return max(MinChunk, m.link.Properties().TotalMemory/gpuGrain)
}

// grow allocates a chunk for at least size bytes on the device. The lock is held.
func (m *allocator) grow(p *Process, size uint64) error {
	size = heap.Round(size + m.checks.gap())
	ask := max(size, MinChunk)
	if limit, _ := m.bound(); limit > 0 {
		left := limit - min(limit, m.heap.Reserved())
		if ask = max(size, min(MinChunk, left)); ask > left {
			return &backend.Error{Code: CodeOutOfMemory, Name: "CUDA_ERROR_OUT_OF_MEMORY", Message: "the limit of the pool is reached"}
		}
	}
	req := &wire.CreateChunk{Size: ask}
	if err := m.conn.request(p, req, -1); err != nil {
		return err
	}
	c := req.Chunk
	m.chunks[c.Addr] = &chunk{addr: c.Addr, size: c.Size, fd: c.FD}
	m.heap.Add(heap.Range{Addr: c.Addr, Size: c.Size})
	m.peakReserved = max(m.peakReserved, m.heap.Reserved())
	m.link.publish()
	return nil
}

// free frees an allocation. It returns false if it was freed before. It never waits for the device's work. The lock is held.
func (m *allocator) free(a *Allocation) bool {
	if a.freed {
		return false
	}
	a.freed = true
	m.live.remove(a)
	m.checks.freed(a)
	if a.use.stream != 0 && a.use.last > m.conn.progress.settled.Load() {
		m.waiting = append(m.waiting, a)
		return true
	}
	// Whatever uses the memory next comes after what uses it now: the default stream's work
	// is waited for by all streams.
	m.giveBack(a)
	m.shrink()
	return true
}

// reclaim returns freed memory to the heap if, by done, streams no longer use it. The lock is held.
func (m *allocator) reclaim(done func(*usage) bool) {
	if len(m.waiting) == 0 {
		return
	}
	m.waiting = slices.DeleteFunc(m.waiting, func(a *Allocation) bool {
		if done(&a.use) {
			m.giveBack(a)
			return true
		}
		return false
	})
	m.shrink()
}

// giveBack returns memory to the heap.
func (m *allocator) giveBack(a *Allocation) {
	if a = m.checks.retire(a); a == nil {
		return
	}
	if !a.chunk.lost {
		m.heap.Give(heap.Range{Addr: a.Addr, Size: a.Size})
		_, used := m.heap.Used()
		m.soon.freed(used)
	}
}

// shrink returns empty chunks to the device, the smallest first, until the rest is not larger than the memory in use, or is one chunk, or
// was needed lately. So a program that repeatedly makes and frees the same buffers reuses them: allocating a chunk of 1 GiB takes as long as
// a kernel that fills it. A chunk of the minimum size stays beside larger ones: without it small buffers would take a piece of
// a large one's chunk. The lock is held.
func (m *allocator) shrink() {
	empty := m.heap.Empty()
	if n := len(empty); n > 0 && empty[0].Size == MinChunk && empty[n-1].Size > MinChunk {
		empty = empty[1:]
	}
	if len(empty) == 0 {
		return
	}
	_, used := m.heap.Used()
	always := max(used, empty[len(empty)-1].Size)
	lately := max(always, m.retain.peak(used, time.Now())-used)
	var sum uint64
	keep := len(empty)
	for i := len(empty) - 1; i >= 0; i-- {
		if sum+empty[i].Size > lately {
			keep = len(empty) - 1 - i
			break
		}
		sum += empty[i].Size
	}
	m.drop(empty[:len(empty)-keep])
	if sum > always {
		m.shrinkLater()
	}
}

// shrinkLater shrinks the memory again when it may not have been needed lately. The lock is held.
func (m *allocator) shrinkLater() {
	if m.retain.again || m.conn.p == nil {
		return
	}
	m.retain.again = true
	time.AfterFunc(retainPeriod, func() {
		m.conn.mu.Lock()
		defer m.conn.mu.Unlock()
		m.retain.again = false
		m.shrink()
	})
}

// trim returns empty chunks to the device, the largest first, and keeps that many. The lock is held.
func (m *allocator) trim(keep int) {
	if empty := m.heap.Empty(); len(empty) > keep {
		m.drop(empty[keep:])
	}
}

// trimTo returns empty chunks to the device until at most that many bytes are reserved, if that is possible. The lock is held.
func (m *allocator) trimTo(bytes uint64) {
	for n := len(m.heap.Empty()); n > 0 && m.heap.Reserved() > bytes; n-- {
		m.trim(n - 1)
	}
}

// drop returns those empty chunks to the device. Without a process they are kept, to be released after the next process has imported
// them. The lock is held.
func (m *allocator) drop(empty []heap.Range) {
	if m.conn.p == nil {
		return
	}
	for _, r := range slices.Backward(empty) {
		if m.conn.push(m.conn.p, &wire.Command{Op: wire.OpReleaseChunk, Dst: r.Addr}, nil) != nil {
			return // the process has exited: as above
		}
		c := m.chunks[r.Addr]
		delete(m.chunks, r.Addr)
		m.heap.Remove(r)
		c.release()
	}
	if len(empty) > 0 {
		m.link.publish()
	}
}

// lose removes a chunk whose memory is lost. The lock is held.
func (m *allocator) lose(c *chunk) {
	c.lost = true
	delete(m.chunks, c.addr)
	m.heap.Abandon(heap.Range{Addr: c.addr, Size: c.size})
	c.release()
}

// loseUnshared removes the chunks that only the exited process could access. The lock is held.
func (m *allocator) loseUnshared() {
	for _, c := range m.chunks {
		if c.fd < 0 {
			m.lose(c)
		}
	}
}

// release makes the devices that have mapped a chunk, and other code that shares it, unmap it, without waiting for them. The lock of the
// chunk's link is held.
func (c *chunk) release() {
	for _, f := range c.onRelease {
		go f()
	}
	c.onRelease = nil
	for _, l := range c.mappedBy {
		go l.peers.unmap(c)
	}
	c.mappedBy = nil
	if c.fd >= 0 {
		syscall.Close(c.fd)
	}
	if c.saved != nil {
		syscall.Close(c.saved.fd)
	}
}

// restore maps the chunks in a new process. The lock is held.
func (m *allocator) restore(p *Process) error {
	for addr, c := range m.chunks {
		if c.saved != nil {
			if err := m.restoreSaved(p, c); err != nil {
				return err
			}
			continue
		}
		err := m.conn.request(p, &wire.ImportChunk{Addr: addr, Size: c.size}, c.fd)
		if errors.Is(err, errGone) {
			return err
		}
		if err != nil {
			m.lose(c)
		}
	}
	return nil
}

// memoryStats is the memory use of a device. Sizes are in bytes.
type memoryStats struct {
	Used     uint64 // by buffers, including Waiting
	Waiting  uint64 // freed, but possibly still in use by a stream
	Reserved uint64 // allocated from the device
	PeakUsed uint64 // maximum of Used so far
	// PeakReserved is the maximum of Reserved so far, which is at least PeakUsed.
	PeakReserved uint64
	Allocations  uint64 // buffers made so far
	Reused       uint64 // of them from Waiting
}

// stats returns the memory use, and the number of buffers. The lock is held.
func (m *allocator) stats() (s memoryStats, buffers int) {
	s = memoryStats{
		Reserved: m.heap.Reserved(), PeakUsed: m.peakUsed, PeakReserved: m.peakReserved,
		Allocations: m.allocations, Reused: m.reused,
	}
	buffers, s.Used = m.heap.Used()
	for _, a := range m.waiting {
		s.Waiting += a.Size
	}
	return s, buffers - len(m.waiting)
}

// Usable returns an error if the memory was freed or lost. The connection's lock is held.
func (a *Allocation) Usable() error {
	switch {
	case a == nil:
		return nil
	case a.freed:
		return invalid("the buffer was freed; make a new one with gpu.Alloc, gpu.Zeros or gpu.ToDevice")
	case a.chunk.lost:
		return invalid("the buffer's contents went with the device process that died, because this driver cannot share memory; make the buffer anew")
	}
	return nil
}

// Touch records that a command of a stream uses the allocation. The connection's lock is held.
func (a *Allocation) Touch(c *wire.Command) {
	if a != nil {
		a.use.add(c.Seq, c.Stream, &a.Link.conn.progress)
	}
}
