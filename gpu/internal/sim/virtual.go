package sim

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// virtualGranularity is the unit in bytes of what programs reserve, create and map by the driver API; shim/virtual_memory.h has the same.
const virtualGranularity = 2 << 20

// virtualOp is an operation on virtual memory; shim/virtual_memory.h has the same list.
type virtualOp uint64

const (
	virtualReserve virtualOp = iota
	virtualFree
	virtualCreate
	virtualRelease
	virtualMap
	virtualUnmap
	virtualSetAccess
	virtualFind
)

// physical is memory that cuMemCreate has made. It exists until it is neither mapped nor held by its handle.
type physical struct {
	handle uint64
	device *device
	size   uint64
	fd     int
	held   int // how often it has been created or retained, less how often released
	mapped int // how many mappings it has
	used   bool
}

// mapping is a part of a reserved range with memory.
type mapping struct {
	addr, size uint64
	memory     *physical
	accessible bool
}

func (m mapping) end() uint64 { return m.addr + m.size }

// virtualMemory is what a program has made by cuMemAddressReserve, cuMemCreate and cuMemMap.
type virtualMemory struct {
	reserved map[uint64]uint64 // address to size
	physical map[uint64]*physical
	mappings []mapping // by address
	last     uint64    // the handle that was given last
}

// virtual executes an operation on virtual memory. The arguments from a[2] on are those of the driver's function.
func (r *programRun) virtual(d *device, a *[16]uint64) error {
	if err := d.alive(); err != nil {
		return err
	}
	v := &r.space
	switch virtualOp(a[1]) {
	case virtualReserve:
		addr, err := v.reserve(&d.memory, a[3], a[4], a[5])
		store(a[2], addr)
		return err
	case virtualFree:
		return v.free(a[2], a[3])
	case virtualCreate:
		target, err := r.device(int(a[4]))
		if err != nil {
			return err
		}
		handle, err := v.create(target, a[3])
		store(a[2], handle)
		return err
	case virtualRelease:
		return v.release(a[2])
	case virtualMap:
		return v.mapMemory(a[2], a[3], a[4], a[5])
	case virtualUnmap:
		return v.unmap(a[2], a[3])
	case virtualSetAccess:
		return v.setAccess(a[2], a[3], a[4] != 0)
	case virtualFind:
		i := v.find(a[2])
		if i < 0 {
			return errorf(codeInvalidValue, "no memory is mapped at %#x", a[2])
		}
		m := v.mappings[i]
		m.memory.held += int(a[5])
		store(a[3], m.memory.handle)
		if m.accessible {
			store(a[4], 1)
		}
	}
	return nil
}

// aligned returns an error unless all numbers are multiples of the granularity.
func aligned(function string, numbers ...uint64) error {
	for _, n := range numbers {
		if n%virtualGranularity != 0 {
			return errorf(codeInvalidValue, "%s: %#x is not a multiple of %#x, which cuMemGetAllocationGranularity returns", function, n, virtualGranularity)
		}
	}
	return nil
}

// reserve reserves addresses, at hint if they are free.
func (v *virtualMemory) reserve(m *memory, size, alignment, hint uint64) (uint64, error) {
	if err := aligned("cuMemAddressReserve", size); err != nil {
		return 0, err
	}
	if size == 0 || alignment&(alignment-1) != 0 {
		return 0, errorf(codeInvalidValue, "cuMemAddressReserve: %d bytes with an alignment of %d: the size must be positive, the alignment a power of 2", size, alignment)
	}
	alignment = max(alignment, guard)
	if hint != 0 && hint%virtualGranularity == 0 && hint >= chunkBase && hint+size <= chunkEnd && reserveAt(hint, size) == nil {
		v.reserved[hint] = size
		return hint, nil
	}
	for next := max(m.next, chunkBase); ; next += guard {
		next = (next + alignment - 1) &^ (alignment - 1)
		if next+size > chunkEnd || next+size < next {
			return 0, errorf(codeOutOfMemory, "cuMemAddressReserve: no room for %d bytes among the addresses", size)
		}
		switch err := reserveAt(next, size); {
		case err == nil:
			v.reserved[next] = size
			m.next = next + (size+2*guard-1)&^(guard-1)
			return next, nil
		case !errors.Is(err, unix.EEXIST):
			return 0, wrap(codeOutOfMemory, err, "cuMemAddressReserve: reserving %d bytes", size)
		}
	}
}

// reserveAt makes addresses fault that nothing uses yet.
func reserveAt(addr, size uint64) error {
	got, err := unix.MmapPtr(-1, 0, pointer(addr), uintptr(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE|unix.MAP_FIXED_NOREPLACE)
	if err == nil && uint64(uintptr(got)) != addr {
		_ = unix.MunmapPtr(got, uintptr(size)) // as in mapAt
		return unix.EEXIST
	}
	return err
}

func (v *virtualMemory) free(addr, size uint64) error {
	if v.reserved[addr] != size || size == 0 {
		return errorf(codeInvalidValue, "cuMemAddressFree: %d bytes at %#x are not what a call of cuMemAddressReserve has returned", size, addr)
	}
	for _, m := range v.mappings {
		if m.addr < addr+size && addr < m.end() {
			return errorf(codeInvalidValue, "cuMemAddressFree: memory is mapped at %#x: call cuMemUnmap first", m.addr)
		}
	}
	delete(v.reserved, addr)
	if err := unix.MunmapPtr(pointer(addr), uintptr(size)); err != nil {
		return wrap(codeInvalidValue, err, "cuMemAddressFree")
	}
	return nil
}

func (v *virtualMemory) create(d *device, size uint64) (uint64, error) {
	if err := aligned("cuMemCreate", size); err != nil {
		return 0, err
	}
	if size == 0 {
		return 0, errorf(codeInvalidValue, "cuMemCreate: 0 bytes")
	}
	if free := d.memory.free(); size > free {
		return 0, errorf(codeOutOfMemory, "cuMemCreate: %d MiB of device memory asked for, %d MiB are free (the simulator uses the host's memory)", size>>20, free>>20)
	}
	fd, err := unix.MemfdCreate("gopherwarp-virtual", unix.MFD_CLOEXEC)
	if err == nil {
		if err = unix.Ftruncate(fd, int64(size)); err != nil {
			unix.Close(fd)
		}
	}
	if err != nil {
		return 0, wrap(codeOutOfMemory, err, "cuMemCreate: making %d bytes of device memory", size)
	}
	v.last++
	v.physical[v.last] = &physical{handle: v.last, device: d, size: size, fd: fd, held: 1}
	d.memory.used += size
	return v.last, nil
}

func (v *virtualMemory) release(handle uint64) error {
	p := v.physical[handle]
	if p == nil || p.held == 0 {
		return errorf(codeInvalidValue, "cuMemRelease: %d is not a handle of cuMemCreate, or it has been released before", handle)
	}
	p.held--
	v.drop(p)
	return nil
}

// drop frees memory that nothing refers to.
func (v *virtualMemory) drop(p *physical) {
	if p.held > 0 || p.mapped > 0 {
		return
	}
	unix.Close(p.fd)
	p.device.memory.used -= p.size
	delete(v.physical, p.handle)
}

// find returns the index of the mapping of an address, or -1.
func (v *virtualMemory) find(addr uint64) int {
	return slices.IndexFunc(v.mappings, func(m mapping) bool { return addr >= m.addr && addr < m.end() })
}

func (v *virtualMemory) mapMemory(addr, size, offset, handle uint64) error {
	if err := aligned("cuMemMap", addr, size, offset); err != nil {
		return err
	}
	p := v.physical[handle]
	switch {
	case p == nil || p.held == 0:
		return errorf(codeInvalidValue, "cuMemMap: %d is not a handle of cuMemCreate", handle)
	case size == 0 || offset > p.size || size > p.size-offset:
		return errorf(codeNotSupported, "cuMemMap: %d bytes from byte %d of memory that has %d", size, offset, p.size) // as driver 580 on an H200
	case !v.isReserved(addr, size):
		return errorf(codeInvalidValue, "cuMemMap: not all of the %d bytes at %#x are reserved by cuMemAddressReserve", size, addr)
	}
	i := 0
	for ; i < len(v.mappings) && v.mappings[i].addr < addr+size; i++ {
		if v.mappings[i].end() > addr {
			return errorf(codeInvalidValue, "cuMemMap: memory is mapped at %#x already", v.mappings[i].addr)
		}
	}
	if _, err := unix.MmapPtr(p.fd, int64(offset), pointer(addr), uintptr(size), unix.PROT_NONE, unix.MAP_SHARED|unix.MAP_FIXED); err != nil {
		return wrap(codeOutOfMemory, err, "cuMemMap")
	}
	// What is written at one address of the memory is initialised at all others.
	checks := &p.device.checks.memory
	for _, m := range v.mappings {
		if m.memory == p {
			checks.Written(m.addr, m.size)
		}
	}
	if err := p.device.Allocated(addr, size, !p.used); err != nil {
		return err
	}
	p.mapped++
	p.used = true
	v.mappings = slices.Insert(v.mappings, i, mapping{addr: addr, size: size, memory: p})
	return nil
}

// isReserved reports whether all of a range is reserved, be it by several calls.
func (v *virtualMemory) isReserved(addr, size uint64) bool {
	for end := addr + size; addr < end; {
		from := addr
		for begin, n := range v.reserved {
			if addr >= begin && addr < begin+n {
				addr = begin + n
			}
		}
		if addr == from {
			return false
		}
	}
	return true
}

// within returns the indices of the mappings that make up a range. It is an error if one is cut, or if there are gaps.
func (v *virtualMemory) within(function string, addr, size uint64) (from, to int, err error) {
	from = slices.IndexFunc(v.mappings, func(m mapping) bool { return m.addr == addr })
	if from >= 0 {
		next := addr
		for to = from; to < len(v.mappings) && v.mappings[to].addr == next && next < addr+size; to++ {
			next = v.mappings[to].end()
		}
		if size > 0 && next == addr+size {
			return from, to, nil
		}
	}
	return 0, 0, errorf(codeInvalidValue, "%s: the %d bytes at %#x are not one mapping of cuMemMap or several that adjoin", function, size, addr)
}

func (v *virtualMemory) unmap(addr, size uint64) error {
	from, to, err := v.within("cuMemUnmap", addr, size)
	if err != nil {
		return err
	}
	if _, err := unix.MmapPtr(-1, 0, pointer(addr), uintptr(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE|unix.MAP_FIXED); err != nil {
		return wrap(codeInvalidValue, err, "cuMemUnmap")
	}
	gone := slices.Clone(v.mappings[from:to])
	v.mappings = slices.Delete(v.mappings, from, to)
	for _, m := range gone {
		_ = m.memory.device.Freed(m.addr) // that the device is alive was tested
		m.memory.mapped--
		v.join(m.memory.device)
		v.drop(m.memory)
	}
	return nil
}

func (v *virtualMemory) setAccess(addr, size uint64, accessible bool) error {
	from, to, err := v.within("cuMemSetAccess", addr, size)
	if err != nil {
		return err
	}
	protection := uintptr(unix.PROT_NONE)
	if accessible {
		protection = unix.PROT_READ | unix.PROT_WRITE
	}
	if _, _, errno := unix.Syscall(unix.SYS_MPROTECT, uintptr(addr), uintptr(size), protection); errno != 0 {
		return wrap(codeOutOfMemory, errno, "cuMemSetAccess")
	}
	for i := from; i < to; i++ {
		v.mappings[i].accessible = accessible
	}
	for i := from; i < to; i++ {
		v.join(v.mappings[i].memory.device)
	}
	return nil
}

// join makes the accessible mappings of a device its chunks. Those that adjoin are one, so that copies can cross from one to the next.
func (v *virtualMemory) join(d *device) {
	chunks := d.memory.chunks
	for begin, size := range v.reserved {
		for addr := range chunks {
			if addr >= begin && addr < begin+size {
				delete(chunks, addr)
			}
		}
	}
	first := uint64(0)
	for _, m := range v.mappings {
		switch {
		case m.memory.device != d || !m.accessible:
		case first != 0 && first+chunks[first] == m.addr:
			chunks[first] += m.size
		default:
			first = m.addr
			chunks[first] = m.size
		}
	}
}
