package client

import (
	"errors"
	"runtime"
	"slices"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/heap"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

const (
	// MinChunk is what is asked of the device at least: making memory is slow there.
	MinChunk = 32 << 20
	// firstCollect is the heap size at which the garbage collector is first asked to find
	// buffers that nobody can reach; it does not know how large they are.
	firstCollect = 1 << 30
)

// allocator gives out the memory of one device. It takes chunks of the device and allocations from them. The connection's lock
// guards it.
type allocator struct {
	link    *Link // whose memory it is
	conn    *connection
	checks  *checks
	heap    heap.Heap
	chunks  map[uint64]*chunk // by address
	live    map[*Allocation]struct{}
	waiting []*Allocation // freed, but perhaps still in use by a stream
	// collect is the size of the heap at which the garbage collector is asked whether
	// there are buffers that nobody can reach any more.
	collect uint64
	limit   uint64 // of the heap's size; 0 if there is none
	// These count for memoryStats.
	peakUsed, peakReserved uint64
	allocations, reused    uint64
}

// chunk is device memory that outlives the process that made it, if it has a descriptor.
type chunk struct {
	addr, size uint64
	fd         int  // -1: the memory is lost with its process
	lost       bool // it was
	// mappedBy are devices that have it mapped.
	mappedBy []*Link
	// shared is what others know it by, and onRelease is called when it is given back.
	shared    *SharedChunk
	onRelease []func()
}

// Allocation is a range of a chunk that someone owns.
type Allocation struct {
	Link       *Link
	chunk      *chunk
	Addr, Size uint64
	Asked      uint64 // what of the size someone wanted
	Made       Origin
	// These are guarded by the connection's lock, as is chunk.lost.
	freed bool
	use   usage
	holds int // of those who keep it from being freed
}

// Block is what buffers hold: when the last one that holds it is gone, so is the
// allocation. All views of a buffer share one block.
type Block struct{ *Allocation }

// take takes an allocation out of the chunks there are, or returns nil. The lock is held.
func (m *allocator) take(size uint64, made Origin) *Allocation {
	taken := size + m.checks.gap()
	addr, ok := m.heap.Take(taken)
	if !ok {
		return nil
	}
	for _, c := range m.chunks {
		if addr >= c.addr && addr-c.addr < c.size {
			a := &Allocation{Link: m.link, chunk: c, Addr: addr, Size: heap.Round(taken), Asked: size, Made: made}
			m.list(a)
			return a
		}
	}
	panic("gpu: the heap handed out memory of no chunk")
}

// reuse takes memory of just that size which was freed on the stream, or returns nil. The lock is held.
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

// list notes an allocation that was just made.
func (m *allocator) list(a *Allocation) {
	m.live[a] = struct{}{}
	m.checks.allocated(a)
	m.allocations++
	_, used := m.heap.Used()
	m.peakUsed = max(m.peakUsed, used)
}

// grow asks the device for a chunk in which size bytes fit. The lock is held.
func (m *allocator) grow(p *Process, size uint64) error {
	if m.heap.Reserved() > m.collect {
		m.collect = 2 * m.heap.Reserved()
		runtime.GC() // frees come too late for this request, but for the next ones
	}
	size = heap.Round(size + m.checks.gap())
	ask := max(size, MinChunk)
	if m.limit > 0 {
		left := m.limit - min(m.limit, m.heap.Reserved())
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
	return nil
}

// free frees an allocation and reports whether it was not freed before. It never waits for the device's work. The lock is held.
func (m *allocator) free(a *Allocation) bool {
	if a.freed {
		return false
	}
	a.freed = true
	delete(m.live, a)
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

// reclaim takes back what was freed while streams were at work, where they are done with it. The lock is held.
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

// giveBack gives memory back to the heap.
func (m *allocator) giveBack(a *Allocation) {
	if a = m.checks.retire(a); a == nil {
		return
	}
	if !a.chunk.lost {
		m.heap.Give(a.Addr)
	}
}

// shrink gives empty chunks back to the device, the smallest first, until the rest is no more than what
// is in use, or is one chunk. A program that makes and frees the same large buffers again and
// again then has them at hand: making a chunk of 1 GiB takes as long as a kernel that fills it. The lock is held.
func (m *allocator) shrink() {
	empty := m.heap.Empty()
	_, used := m.heap.Used()
	var sum uint64
	keep := len(empty)
	for i := len(empty) - 1; i >= 0; i-- {
		if sum += empty[i].Size; sum > max(used, empty[len(empty)-1].Size) {
			keep = len(empty) - 1 - i
			break
		}
	}
	m.drop(empty[:len(empty)-keep])
}

// trim gives empty chunks back to the device, the largest first, and keeps that many. The lock is held.
func (m *allocator) trim(keep int) {
	if empty := m.heap.Empty(); len(empty) > keep {
		m.drop(empty[keep:])
	}
}

// trimTo gives empty chunks back until at most so many bytes stay reserved, if that is possible. The lock is held.
func (m *allocator) trimTo(bytes uint64) {
	for n := len(m.heap.Empty()); n > 0 && m.heap.Reserved() > bytes; n-- {
		m.trim(n - 1)
	}
}

// drop gives those empty chunks back to the device. Without a process they stay: they would only be imported into the next one; that is soon
// enough. The lock is held.
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
}

// lose forgets a chunk whose memory is gone. The lock is held.
func (m *allocator) lose(c *chunk) {
	c.lost = true
	delete(m.chunks, c.addr)
	m.heap.Abandon(heap.Range{Addr: c.addr, Size: c.size})
	c.release()
}

// loseUnshared forgets the chunks that only the process that has exited could reach. The lock is held.
func (m *allocator) loseUnshared() {
	for _, c := range m.chunks {
		if c.fd < 0 {
			m.lose(c)
		}
	}
}

// release has the devices that have mapped a chunk, and whoever shares it, unmap it, without waiting for them. The lock of the chunk's
// link is held.
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
}

// restore has a new process map the chunks. The lock is held.
func (m *allocator) restore(p *Process) error {
	for addr, c := range m.chunks {
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

// memoryStats says how a device's memory is used. Sizes are in bytes.
type memoryStats struct {
	Used     uint64 // by buffers, and by what waits
	Waiting  uint64 // freed, but a stream may still work on it
	Reserved uint64 // taken from the device
	PeakUsed uint64 // the most that Used and Reserved have been
	// PeakReserved is at least PeakUsed.
	PeakReserved uint64
	Allocations  uint64 // buffers made so far
	Reused       uint64 // of them from what waits
}

// stats returns how the memory is used, and how many buffers there are. The lock is held.
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

// Usable returns an error if the memory is not there any more. The connection's lock is held.
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

// Touch notes that a command of a stream works on the allocation. The connection's lock is held.
func (a *Allocation) Touch(c *wire.Command) {
	if a != nil {
		a.use.add(c.Seq, c.Stream, &a.Link.conn.progress)
	}
}
