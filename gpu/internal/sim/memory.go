package sim

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

const (
	// chunkBase and chunkEnd bound the addresses of chunks, which nothing else uses: above Go's
	// heap, below the race detector's shadow memory, programs and libraries.
	chunkBase = 0x1000_0000_0000
	chunkEnd  = 0x1fff_0000_0000
	// granularity is the unit in bytes to which sizes are rounded up: the smaller it is, the
	// sooner an index out of bounds leaves the chunk.
	granularity = 64 << 10
	// guard is the number of bytes after a chunk that are no memory, so that an index far out of
	// bounds faults instead of accessing the next chunk.
	guard = 1 << 30
	// overread is the number of bytes after a chunk that can be read, and are 0: where g++ 12 vectorises a loop over rows, it
	// may read a few more rows than there are, and ignores them.
	overread = 64 << 10
	// stagger is the difference of two chunks' distances from multiples of guard. It keeps what begins at such a multiple out of the
	// same places of caches, and is a huge page, so that chunks can have these.
	stagger = 2 << 20
)

// placeIn returns where in a stretch of addresses, which begins at a multiple of guard, a chunk begins. AMD's processors (Zen) look for
// data in the first cache by a hash of the address's bits 12 to 27, and of two addresses with the same hash and the same place in
// their pages only one has its data there. If all chunks began at multiples of guard, this were so for the elements of the same
// number of two arrays, and z[i] = x[i] + y[i] would take twice as long.
func placeIn(stretch uint64) uint64 { return stretch + stretch/guard%(guard/4/stagger)*stagger }

// memory is the device's memory: anonymous files, mapped at addresses at which another process
// can map them, too.
type memory struct {
	total  uint64
	used   uint64
	next   uint64            // where the search for free addresses begins
	chunks map[uint64]uint64 // address to size
	recent uint64            // the chunk that bytes found last
	// variables are those of loaded modules, address to size.
	variables map[uint64]uint64
}

func (d *device) MemInfo() (free, total uint64, err error) {
	if err := d.alive(); err != nil {
		return 0, 0, err
	}
	return d.memory.free(), d.memory.total, nil
}

// free returns the device memory that is not allocated, or the host's free memory if that is less.
func (m *memory) free() uint64 {
	return min(m.total-min(m.used, m.total), hostAvailable())
}

func (d *device) CreateChunk(size, addr uint64) (backend.Chunk, error) {
	if err := d.alive(); err != nil {
		return backend.Chunk{}, err
	}
	return d.memory.create(size, addr)
}

func (m *memory) create(size, addr uint64) (backend.Chunk, error) {
	if size == 0 {
		return backend.Chunk{}, errorf(codeInvalidValue, "a chunk of 0 bytes")
	}
	if free := m.free(); size > free {
		return backend.Chunk{}, errorf(codeOutOfMemory, "%d MiB of device memory asked for, %d MiB are free (the simulator uses the host's memory)", size>>20, free>>20)
	}
	size = (size + granularity - 1) &^ (granularity - 1)
	fd, err := unix.MemfdCreate("gopherwarp-chunk", unix.MFD_CLOEXEC)
	if err == nil {
		err = unix.Ftruncate(fd, int64(size))
		if err != nil {
			unix.Close(fd)
		}
	}
	if err != nil {
		return backend.Chunk{}, wrap(codeOutOfMemory, err, "making %d bytes of device memory", size)
	}
	if addr != 0 {
		c := backend.Chunk{Addr: addr, Size: size, FD: fd}
		if err := m.adopt(c); err != nil {
			unix.Close(fd)
			return backend.Chunk{}, err
		}
		return c, nil
	}
	if m.next < chunkBase {
		m.next = chunkBase
	}
	step := (size + guard/4 + 2*guard - 1) &^ (guard - 1)
	// Addresses are reused only after all others were used, so a stale pointer faults. Addresses
	// of chunks of an earlier process are skipped.
	for tried := uint64(0); tried < chunkEnd-chunkBase; tried += guard {
		if m.next+step > chunkEnd {
			m.next = chunkBase
		}
		addr := placeIn(m.next)
		switch err := mapAt(fd, addr, size); {
		case err == nil:
			m.next += step
			m.chunks[addr] = size
			m.used += size
			return backend.Chunk{Addr: addr, Size: size, FD: fd}, nil
		case errors.Is(err, unix.EEXIST):
			m.next += guard
		default:
			unix.Close(fd)
			return backend.Chunk{}, wrap(codeOutOfMemory, err, "mapping %d bytes of device memory", size)
		}
	}
	unix.Close(fd)
	return backend.Chunk{}, errorf(codeOutOfMemory, "no room for %d bytes of device memory among the addresses", size)
}

func mapAt(fd int, addr, size uint64) error {
	got, err := unix.MmapPtr(fd, 0, pointer(addr), uintptr(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED_NOREPLACE)
	if err != nil {
		return err
	}
	if uint64(uintptr(got)) != addr {
		// Linux before 4.17 ignores MAP_FIXED_NOREPLACE: the address is only a hint.
		_ = unix.MunmapPtr(got, uintptr(size))
		return unix.EEXIST
	}
	// Where that fails, only what g++ reads needlessly can fault.
	_, _ = unix.MmapPtr(-1, 0, pointer(addr+size), overread, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED_NOREPLACE)
	return nil
}

func (d *device) ImportChunk(c backend.Chunk) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.memory.adopt(c)
}

// adopt maps a chunk at its address.
func (m *memory) adopt(c backend.Chunk) error {
	switch {
	case c.FD < 0:
		return errorf(codeInvalidHandle, "the chunk at %#x has no descriptor to import it by", c.Addr)
	case c.Size == 0 || c.Size%granularity != 0 || c.Addr%granularity != 0 || c.Addr < chunkBase || c.Addr+c.Size > chunkEnd:
		return errorf(codeInvalidValue, "no chunk of the simulator has %d bytes at %#x", c.Size, c.Addr)
	}
	var st unix.Stat_t
	if err := unix.Fstat(c.FD, &st); err != nil {
		return wrap(codeInvalidHandle, err, "importing the chunk at %#x", c.Addr)
	}
	if uint64(st.Size) < c.Size {
		return errorf(codeInvalidValue, "the chunk at %#x has %d bytes, its file %d", c.Addr, c.Size, st.Size)
	}
	if err := mapAt(c.FD, c.Addr, c.Size); err != nil {
		return wrap(codeInvalidValue, err, "importing the chunk at %#x", c.Addr)
	}
	m.chunks[c.Addr] = c.Size
	m.used += c.Size
	return nil
}

// MapPeer maps memory of another simulated device at any address.
func (d *device) MapPeer(c backend.Chunk) (uint64, error) {
	if err := d.alive(); err != nil {
		return 0, err
	}
	mem, err := unix.MmapPtr(c.FD, 0, nil, uintptr(c.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return 0, wrap(codeInvalidHandle, err, "mapping %d bytes of another device", c.Size)
	}
	addr := uint64(uintptr(mem))
	d.memory.chunks[addr] = c.Size
	d.memory.used += c.Size // since ReleaseChunk subtracts it
	return addr, nil
}

func (d *device) ReleaseChunk(addr uint64) error {
	if err := d.alive(); err != nil {
		return err
	}
	d.checks.memory.Released(addr, d.memory.chunks[addr])
	return d.memory.release(addr)
}

func (m *memory) release(addr uint64) error {
	size, ok := m.chunks[addr]
	if !ok {
		return errorf(codeInvalidValue, "no chunk begins at %#x", addr)
	}
	if addr >= chunkBase && addr < chunkEnd {
		_ = unix.MunmapPtr(pointer(addr+size), overread)
	}
	if err := unix.MunmapPtr(pointer(addr), uintptr(size)); err != nil {
		return wrap(codeInvalidValue, err, "releasing the chunk at %#x", addr)
	}
	delete(m.chunks, addr)
	m.used -= size
	return nil
}

// bytes returns device memory as a slice, if all of it is in one chunk.
func (m *memory) bytes(addr, n uint64) ([]byte, error) {
	within := func(start, size uint64) bool { return addr >= start && addr-start < size && n <= size-(addr-start) }
	if within(m.recent, m.chunks[m.recent]) {
		return unsafe.Slice((*byte)(pointer(addr)), n), nil
	}
	for start, size := range m.chunks {
		if within(start, size) {
			m.recent = start
			return unsafe.Slice((*byte)(pointer(addr)), n), nil
		}
	}
	for start, size := range m.variables {
		if addr >= start && addr-start <= size && n <= size-(addr-start) {
			return unsafe.Slice((*byte)(pointer(addr)), n), nil
		}
	}
	return nil, errorf(codeInvalidValue, "the %d bytes at %#x are not device memory", n, addr)
}

// RegisterHost does nothing: the simulator accesses host memory directly.
func (d *device) RegisterHost([]byte) error { return d.alive() }

// UnregisterHost does nothing, either.
func (d *device) UnregisterHost([]byte) error { return d.alive() }

func (d *device) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	if err := d.onStream(stream); err != nil || len(src) == 0 {
		return err
	}
	mem, err := d.memory.bytes(dst, uint64(len(src)))
	if err != nil {
		return err
	}
	copy(mem, src)
	d.checks.memory.Written(dst, uint64(len(src)))
	return nil
}

func (d *device) CopyDtoH(dst []byte, src uint64, stream uint32) error {
	if err := d.onStream(stream); err != nil || len(dst) == 0 {
		return err
	}
	mem, err := d.memory.bytes(src, uint64(len(dst)))
	if err != nil {
		return err
	}
	copy(dst, mem)
	return nil
}

func (d *device) CopyDtoD(dst, src, n uint64, stream uint32) error {
	if err := d.onStream(stream); err != nil || n == 0 {
		return err
	}
	to, err := d.memory.bytes(dst, n)
	if err != nil {
		return err
	}
	from, err := d.memory.bytes(src, n)
	if err != nil {
		return err
	}
	copy(to, from)
	d.checks.memory.Copied(dst, src, n)
	return nil
}

func (d *device) CopyRect(r *backend.Rect) error {
	if err := d.onStream(r.Stream); err != nil || r.Width == 0 || r.Rows == 0 {
		return err
	}
	if r.Rows > 1 && (r.DstPitch < r.Width || r.SrcPitch < r.Width) {
		return errorf(codeInvalidValue, "cannot copy rows of %d bytes to rows %d and from rows %d bytes apart: they overlap", r.Width, r.DstPitch, r.SrcPitch)
	}
	to, from := r.DstHost, r.SrcHost
	var err error
	if to == nil {
		if to, err = d.memory.bytes(r.Dst, r.Span(r.DstPitch)); err != nil {
			return err
		}
	}
	if from == nil {
		if from, err = d.memory.bytes(r.Src, r.Span(r.SrcPitch)); err != nil {
			return err
		}
	}
	for i := range r.Rows {
		copy(to[i*r.DstPitch:][:r.Width], from[i*r.SrcPitch:][:r.Width])
		if r.DstHost == nil {
			d.checks.memory.Written(r.Dst+i*r.DstPitch, r.Width)
		}
	}
	return nil
}

func (d *device) Fill(dst uint64, pattern []byte, n uint64, stream uint32) error {
	if err := d.onStream(stream); err != nil {
		return err
	}
	p := uint64(len(pattern))
	if p != 1 && p != 2 && p != 4 || n%p != 0 || dst%p != 0 {
		return errorf(codeInvalidValue, "cannot fill %d bytes at %#x with a pattern of %d bytes: it has 1, 2 or 4 bytes, and divides address and length", n, dst, p)
	}
	if n == 0 {
		return nil
	}
	mem, err := d.memory.bytes(dst, n)
	if err != nil {
		return err
	}
	for done := copy(mem, pattern); done < len(mem); done *= 2 {
		copy(mem[done:], mem[:done])
	}
	d.checks.memory.Written(dst, n)
	return nil
}
