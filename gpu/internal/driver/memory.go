package driver

import (
	"fmt"
	"maps"
	"slices"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// chunk is the description of a chunk for ReleaseChunk.
type chunk struct {
	size   uint64
	mapped bool // from cuMemMap; otherwise from cuMemAlloc
	peer   bool // of another device, at an address reserved for it
}

// The addresses of shareable chunks are chosen by this package, because a later process must map them at the same ones. So every
// process first reserves one large range, at an address that depends only on the device, and maps chunks within it. Reserving a
// range for each chunk does not work: if it fits into a range that the driver has reserved for itself, the driver returns a part
// of that, whatever address was requested (seen with driver 580).
const (
	// rangeBase is above all addresses at which Go's heap begins (the lowest 64 TiB) and below those of programs and libraries.
	rangeBase = 0x4000_0000_0000
	// rangeSize is much larger than the memory of any device, so fragmentation does not matter. Address space costs nothing.
	rangeSize = 1 << 40
)

// reserveRange reserves the addresses for shareable memory. If the driver cannot share memory, the range is empty, and chunks are
// allocated by cuMemAlloc.
func (d *device) reserveRange() {
	d.granularity = d.sharedGranularity()
	if d.granularity == 0 {
		return
	}
	want := uint64(rangeBase) + uint64(d.props.Ordinal)*rangeSize
	if d.api.AddressReserve(&d.low, rangeSize, 0, want, 0) != success {
		d.granularity = 0
	}
}

// sharedGranularity returns the granularity of shareable memory in bytes, or 0 if the driver cannot share memory.
func (d *device) sharedGranularity() uint64 {
	a := d.api
	if a.MemImport == nil || a.Granularity == nil {
		return 0
	}
	for _, attr := range []attribute{attrVirtualMemory, attrHandlePosixFD} {
		if n, err := a.attribute(attr, d.ordinal); err != nil || n == 0 {
			return 0
		}
	}
	var bytes uint64
	prop := d.allocationProp()
	const minimum = 0
	if a.Granularity(&bytes, &prop, minimum) != success {
		return 0
	}
	return bytes
}

func (d *device) location() location { return location{kind: locationDevice, id: d.ordinal} }

func (d *device) allocationProp() allocationProp {
	return allocationProp{kind: allocationPinned, handles: handlePosixFD, location: d.location()}
}

// AllocateExactly makes the sizes of later chunks exactly as requested. Their memory is lost when the process exits.
func (d *device) AllocateExactly() { d.granularity = 0 }

func (d *device) CreateChunk(size, addr uint64) (backend.Chunk, error) {
	if size == 0 {
		return backend.Chunk{}, invalidValue("a chunk must have at least 1 byte")
	}
	if addr != 0 && !d.inRange(addr, size) {
		return backend.Chunk{}, d.unavailable(addr)
	}
	if d.granularity != 0 {
		c, err := d.createShared(size, addr)
		if !isCode(err, errNotSupported) && !isCode(err, errNotPermitted) {
			return c, err
		}
		// Some virtual GPUs report shareable memory but then cannot allocate it.
		d.granularity = 0
	}
	if addr != 0 {
		return backend.Chunk{}, d.unavailable(addr)
	}
	if err := d.api.check(d.api.MemAlloc(&addr, size), fmt.Sprintf("allocating %d bytes on the GPU", size)); err != nil {
		return backend.Chunk{}, err
	}
	d.chunks[addr] = chunk{size: size}
	return backend.Chunk{Addr: addr, Size: size, FD: -1}, nil
}

// createShared allocates memory with a descriptor. It always releases the allocation's handle: the mapping and the descriptor
// each keep the memory alive.
func (d *device) createShared(size, addr uint64) (backend.Chunk, error) {
	a := d.api
	size = (size + d.granularity - 1) / d.granularity * d.granularity
	doing := fmt.Sprintf("allocating %d bytes on the GPU", size)

	var handle uint64
	prop := d.allocationProp()
	if err := a.check(a.MemCreate(&handle, size, &prop, 0), doing); err != nil {
		return backend.Chunk{}, err
	}
	defer a.MemRelease(handle)

	fd := int32(-1)
	err := a.check(a.MemExport(&fd, handle, handlePosixFD, 0), doing+": exporting it")
	if err != nil {
		return backend.Chunk{}, err
	}
	syscall.CloseOnExec(int(fd))
	ok := true
	if addr == 0 {
		addr, ok = d.freeAddress(size)
	}
	if !ok {
		err = invalidValue("%s: the address range for device memory is full", doing)
	} else {
		err = d.mapMemory(handle, size, addr, doing)
	}
	if err != nil {
		syscall.Close(int(fd))
		return backend.Chunk{}, err
	}
	return backend.Chunk{Addr: addr, Size: size, FD: int(fd)}, nil
}

// ImportChunk maps the chunk's memory at the same address. The caller still owns the descriptor.
func (d *device) ImportChunk(c backend.Chunk) error {
	if c.FD < 0 {
		return invalidValue("the memory at %#x was not shareable, so its contents were lost when its process exited", c.Addr)
	}
	if !d.inRange(c.Addr, c.Size) {
		return d.unavailable(c.Addr)
	}
	a := d.api
	doing := fmt.Sprintf("importing %d bytes at %#x", c.Size, c.Addr)
	var handle uint64
	if err := a.check(a.MemImport(&handle, uintptr(c.FD), handlePosixFD), doing); err != nil {
		return err
	}
	defer a.MemRelease(handle)
	return d.mapMemory(handle, c.Size, c.Addr, doing)
}

// inRange reports whether chunks can have those addresses.
func (d *device) inRange(addr, size uint64) bool {
	return d.granularity != 0 && addr >= d.low && addr+size <= d.low+rangeSize
}

func (d *device) unavailable(addr uint64) error {
	return &backend.Error{
		Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED",
		Message: fmt.Sprintf("the addresses from %#x on are not available in this process, so the memory of the earlier process is lost", addr),
	}
}

// MapPeer works only for connected devices, as by NVLink.
func (d *device) MapPeer(c backend.Chunk) (uint64, error) {
	a := d.api
	doing := fmt.Sprintf("mapping %d bytes of another GPU", c.Size)
	if d.granularity == 0 || c.FD < 0 {
		return 0, &backend.Error{Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED", Message: doing + ": this driver cannot share memory"}
	}
	var handle uint64
	if err := a.check(a.MemImport(&handle, uintptr(c.FD), handlePosixFD), doing); err != nil {
		return 0, err
	}
	defer a.MemRelease(handle)
	var addr uint64
	if err := a.check(a.AddressReserve(&addr, c.Size, 0, 0, 0), doing); err != nil {
		return 0, err
	}
	if err := d.mapMemory(handle, c.Size, addr, doing); err != nil {
		a.AddressFree(addr, c.Size)
		return 0, err
	}
	d.chunks[addr] = chunk{size: c.Size, mapped: true, peer: true}
	return addr, nil
}

// freeAddress returns the lowest address of the range at which n bytes are free.
func (d *device) freeAddress(n uint64) (addr uint64, ok bool) {
	addr = d.low
	end := d.low + rangeSize
	for _, taken := range slices.Sorted(maps.Keys(d.chunks)) {
		if taken < d.low || taken >= end {
			continue // from cuMemAlloc
		}
		if taken >= addr+n {
			break
		}
		addr = taken + d.chunks[taken].size
	}
	return addr, addr+n <= end
}

// mapMemory maps the allocation for reading and writing.
func (d *device) mapMemory(handle, size, addr uint64, doing string) error {
	a := d.api
	if err := a.check(a.MemMap(addr, size, 0, handle, 0), doing+": mapping it"); err != nil {
		return err
	}
	access := accessDesc{location: d.location(), flags: accessReadWrite}
	if err := a.check(a.MemSetAccess(addr, size, &access, 1), doing+": setting the access rights"); err != nil {
		a.MemUnmap(addr, size)
		return err
	}
	d.chunks[addr] = chunk{size: size, mapped: true}
	return nil
}

// ReleaseChunk first waits for the device, because kernels may still use the memory, and unmapping, unlike freeing, does not wait
// for them.
func (d *device) ReleaseChunk(addr uint64) error {
	c, ok := d.chunks[addr]
	if !ok {
		return invalidValue("there is no chunk at %#x; it was released or never created", addr)
	}
	delete(d.chunks, addr)
	a := d.api
	if !c.mapped {
		return a.check(a.MemFree(addr), "freeing memory on the GPU")
	}
	if err := d.Sync(); err != nil {
		return err
	}
	err := a.check(a.MemUnmap(addr, c.size), "freeing memory on the GPU")
	if c.peer {
		a.AddressFree(addr, c.size)
	}
	return err
}
