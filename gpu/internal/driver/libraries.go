package driver

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/cudalib"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/internal/toolkit"
)

// vendorLibraries returns CUDA's numerical libraries for this device.
func (d *device) vendorLibraries() *cudalib.Libraries {
	if d.libraries == nil {
		places := toolkit.Directories()
		d.libraries = cudalib.New(cudalib.Config{
			Open: func(names []string) (uintptr, string, error) { return openLibrary(candidates(places, names)) },
			CUDA: d.props.DriverVersion / 1000,
			Alloc: func(size uint64) (addr uint64, err error) {
				err = d.api.check(d.api.MemAlloc(&addr, size), fmt.Sprintf("allocating %d bytes on the GPU", size))
				return addr, err
			},
			Free: func(addr uint64) error { return d.api.check(d.api.MemFree(addr), "freeing memory on the GPU") },
			Zero: func(addr, size uint64, stream uint32) error { return d.Fill(addr, []byte{0}, size, stream) },
			Lost: d.lost,
		})
	}
	return d.libraries
}

// lost returns the fault that destroyed the context, or nil.
func (d *device) lost() error {
	_, err := d.done(d.api.StreamQuery, 0, "work on the GPU")
	return err
}

// Library opens a library, which takes up to a second the first time.
func (d *device) Library(f routine.Family) error { return d.vendorLibraries().Load(f) }

// Call submits a routine to the stream.
func (d *device) Call(c routine.Call, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	return d.vendorLibraries().Call(c, stream, s)
}

// Lend makes the stream use the libraries' handles of the default stream, with that memory as their workspace.
func (d *device) Lend(stream uint32, work, size uint64, families []routine.Family) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	return d.vendorLibraries().Lend(stream, s, work, size, families)
}

// Return ends that.
func (d *device) Return(stream uint32) error { return d.vendorLibraries().Return(stream) }

// GroupID returns an identifier from NCCL.
func (d *device) GroupID() ([]byte, error) { return d.vendorLibraries().GroupID() }

// Join connects the devices by NCCL. It does not use the shared memory of m, since NCCL has its own.
func (d *device) Join(group uint32, m backend.Membership) (backend.Wait, error) {
	return d.vendorLibraries().Join(group, m, func() error {
		return d.api.check(d.api.ContextSet(d.context), "making the context current")
	})
}

// Collect submits a collective operation to the stream.
func (d *device) Collect(group uint32, c *routine.Collective, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	return d.vendorLibraries().Collect(group, c, s)
}

// Leave ends the membership of a group.
func (d *device) Leave(group uint32) error { return d.vendorLibraries().Leave(group) }
