package driver

import (
	"fmt"
	"maps"
	"slices"
	"syscall"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// chunk is what ReleaseChunk must know of a stretch of device memory.
type chunk struct {
	size   uint64
	mapped bool // from cuMemMap; otherwise from cuMemAlloc
	peer   bool // of another device, at an address reserved for it alone
}

// Shareable chunks lie at addresses of our own choosing, because a later process must
// get the same ones. For that every process reserves one wide range, at an address that
// depends on nothing but the device, before it does anything else, and chunks are mapped
// inside of it. Reserving for each chunk does not work: a range that fits into one
// that the driver already keeps for itself is carved out of that, whatever address was
// asked for (seen with driver 580).
const (
	// rangeBase is above all places that Go's heap begins at (the lowest 64 TiB) and
	// below those of programs and libraries.
	rangeBase = 0x4000_0000_0000
	// rangeSize is far more than any device has memory, so fragmentation is no concern.
	// Address space costs nothing.
	rangeSize = 1 << 40
)

// reserveRange prepares the device for shareable memory. Where that cannot be had the
// range stays empty, and chunks are made with cuMemAlloc.
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

// sharedGranularity is the unit of memory that other processes can import, or 0 where
// the driver cannot share memory.
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

// AllocateExactly makes chunks as large as they are asked for, which then die with the process.
func (d *device) AllocateExactly() { d.granularity = 0 }

func (d *device) CreateChunk(size uint64) (backend.Chunk, error) {
	if size == 0 {
		return backend.Chunk{}, invalidValue("a chunk of 0 bytes was asked for")
	}
	if d.granularity != 0 {
		c, err := d.createShared(size)
		if !isCode(err, errNotSupported) && !isCode(err, errNotPermitted) {
			return c, err
		}
		// Some virtual GPUs announce shareable memory and then refuse to make it.
		d.granularity = 0
	}
	var addr uint64
	if err := d.api.check(d.api.MemAlloc(&addr, size), fmt.Sprintf("allocating %d bytes on the GPU", size)); err != nil {
		return backend.Chunk{}, err
	}
	d.chunks[addr] = chunk{size: size}
	return backend.Chunk{Addr: addr, Size: size, FD: -1}, nil
}

// createShared makes memory with a descriptor. The allocation's own handle is released
// at the end in any case: the mapping and the descriptor each keep the memory alive.
func (d *device) createShared(size uint64) (backend.Chunk, error) {
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
	addr, ok := d.freeAddress(size)
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

// ImportChunk maps the chunk's memory at its old address. The descriptor stays the
// caller's.
func (d *device) ImportChunk(c backend.Chunk) error {
	if c.FD < 0 {
		return invalidValue("the memory at %#x was not shareable, so its contents went with the process that held it", c.Addr)
	}
	if d.granularity == 0 || c.Addr < d.low || c.Addr+c.Size > d.low+rangeSize {
		return &backend.Error{
			Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED",
			Message: fmt.Sprintf("this process cannot have the addresses from %#x on, so the memory of the earlier one is lost", c.Addr),
		}
	}
	a := d.api
	doing := fmt.Sprintf("taking over %d bytes at %#x", c.Size, c.Addr)
	var handle uint64
	if err := a.check(a.MemImport(&handle, uintptr(c.FD), handlePosixFD), doing); err != nil {
		return err
	}
	defer a.MemRelease(handle)
	return d.mapMemory(handle, c.Size, c.Addr, doing)
}

// MapPeer needs the devices to be connected, as by NVLink.
func (d *device) MapPeer(c backend.Chunk) (uint64, error) {
	a := d.api
	doing := fmt.Sprintf("reaching %d bytes of another GPU", c.Size)
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

// freeAddress is the lowest address of the range at which n bytes are free.
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

// mapMemory maps the allocation, readable and writable.
func (d *device) mapMemory(handle, size, addr uint64, doing string) error {
	a := d.api
	if err := a.check(a.MemMap(addr, size, 0, handle, 0), doing+": mapping it"); err != nil {
		return err
	}
	access := accessDesc{location: d.location(), flags: accessReadWrite}
	if err := a.check(a.MemSetAccess(addr, size, &access, 1), doing+": opening it for access"); err != nil {
		a.MemUnmap(addr, size)
		return err
	}
	d.chunks[addr] = chunk{size: size, mapped: true}
	return nil
}

// ReleaseChunk waits for the device first, because kernels may still use the memory and
// unmapping, unlike freeing, does not wait for them.
func (d *device) ReleaseChunk(addr uint64) error {
	c, ok := d.chunks[addr]
	if !ok {
		return invalidValue("there is no chunk at %#x; it has been released or never was", addr)
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
