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
	size uint64
	// reserved is the size of the address range around the mapping; 0 if the memory is
	// from cuMemAlloc.
	reserved uint64
}

// Shareable chunks lie at addresses of our own choosing, because a later process must
// get the same ones. Left to itself the driver picks addresses among the process's own
// mappings, which are elsewhere in every process, and it carves ranges below 32 MiB out
// of a block whatever address is asked for (seen with driver 580; larger ranges at
// multiples of 32 MiB always landed where they were asked for). So each chunk gets whole
// units of address space, which costs no memory.
const (
	addressUnit = 64 << 20
	// addressBase is far above Go's heap and below the program and its libraries. Each
	// device has a TiB from there, so that one process could map the chunks of several.
	addressBase = 0x1000_0000_0000
	addressSpan = 1 << 40
)

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
	size = roundUp(size, d.granularity)
	doing := fmt.Sprintf("allocating %d bytes on the GPU", size)

	var handle uint64
	prop := d.allocationProp()
	if err := a.check(a.MemCreate(&handle, size, &prop, 0), doing); err != nil {
		return backend.Chunk{}, err
	}
	defer a.MemRelease(handle)

	fd := int32(-1)
	if err := a.check(a.MemExport(&fd, handle, handlePosixFD, 0), doing+": exporting it"); err != nil {
		return backend.Chunk{}, err
	}
	syscall.CloseOnExec(int(fd))
	addr, err := d.mapMemory(handle, size, d.freeAddress(roundUp(size, addressUnit)), doing)
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
	if d.granularity == 0 {
		return &backend.Error{
			Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED",
			Message: "this driver cannot take over the memory of another process",
		}
	}
	a := d.api
	doing := fmt.Sprintf("taking over %d bytes at %#x", c.Size, c.Addr)
	var handle uint64
	if err := a.check(a.MemImport(&handle, uintptr(c.FD), handlePosixFD), doing); err != nil {
		return err
	}
	defer a.MemRelease(handle)
	addr, err := d.mapMemory(handle, c.Size, c.Addr, doing)
	if err == nil && addr != c.Addr {
		_ = d.ReleaseChunk(addr)
		return &backend.Error{
			Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED",
			Message: fmt.Sprintf("%s: these addresses are taken in this process (the driver offered %#x)", doing, addr),
		}
	}
	return err
}

// freeAddress is the lowest address of the device's range that has n bytes free, or 0,
// which leaves the choice to the driver, if there is none.
func (d *device) freeAddress(n uint64) uint64 {
	low := uint64(addressBase) + uint64(d.ordinal)*addressSpan
	end := low + addressSpan
	for _, addr := range slices.Sorted(maps.Keys(d.chunks)) {
		if next := addr + d.chunks[addr].reserved; next > low && addr < end {
			if addr >= low+n {
				break
			}
			low = next
		}
	}
	if low+n > end {
		return 0
	}
	return low
}

func roundUp(n, unit uint64) uint64 { return (n + unit - 1) / unit * unit }

// mapMemory maps the allocation, readable and writable, at the address want if it can be
// had and else where the driver likes.
func (d *device) mapMemory(handle, size, want uint64, doing string) (uint64, error) {
	a := d.api
	c := chunk{size: size, reserved: roundUp(size, addressUnit)}
	var addr uint64
	if err := a.check(a.AddressReserve(&addr, c.reserved, 0, want, 0), doing+": reserving addresses"); err != nil {
		return 0, err
	}
	if err := a.check(a.MemMap(addr, size, 0, handle, 0), doing+": mapping"); err != nil {
		a.AddressFree(addr, c.reserved)
		return 0, err
	}
	access := accessDesc{location: d.location(), flags: accessReadWrite}
	if err := a.check(a.MemSetAccess(addr, size, &access, 1), doing+": opening it for access"); err != nil {
		a.MemUnmap(addr, size)
		a.AddressFree(addr, c.reserved)
		return 0, err
	}
	d.chunks[addr] = c
	return addr, nil
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
	if c.reserved == 0 {
		return a.check(a.MemFree(addr), "freeing memory on the GPU")
	}
	if err := d.Sync(); err != nil {
		return err
	}
	if err := a.check(a.MemUnmap(addr, c.size), "freeing memory on the GPU"); err != nil {
		return err
	}
	return a.check(a.AddressFree(addr, c.reserved), "giving back addresses of the GPU")
}
