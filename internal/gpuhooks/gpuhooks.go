// Package gpuhooks gives packages of this module access to functions of package gpu that it does not export: the cell runtime
// and verify, which cannot import packages under gpu/internal. Only package gpu sets the variables, when it is initialised, but for Compiling. In a
// program without it there are no devices, and the functions do nothing.
package gpuhooks

import (
	"context"
	"unsafe"
)

// Program is the program of a kernel.
type Program struct{ Name, Source string }

var (
	// Warm begins to open the current device and returns at once. An error is returned by the first use.
	Warm = func() {}

	// CellEnd waits for the devices' work, returns its first error, and flushes the output of device printf. It costs
	// almost nothing if no work was submitted. If ctx is cancelled first, the work is stopped as by Interrupt, and CellEnd
	// returns an error.
	CellEnd = func(ctx context.Context) error { return nil }

	// Interrupt stops the devices' work, e.g. a kernel that never ends, by replacing their processes. Buffers stay. Calls that
	// wait for that work return an error.
	Interrupt = func() {}

	// Behind returns the profiler's labels that a goroutine had before it ran a thread of a kernel as plain Go, given its present labels, or nil if
	// those are no thread's.
	Behind = func(labels unsafe.Pointer) unsafe.Pointer { return nil }

	// Shuffle runs f with the blocks and threads of all its launches in a random order that depends on seed, if the
	// current device is the simulator, whose default order is always the same. On a GPU it only runs f. seed
	// must not be 0. Launches of graphs keep the device's order. The error is f's, or that of the work it has submitted to
	// the device, which is complete on return.
	Shuffle = func(seed uint32, f func() error) error { return f() }

	// SkipLaunches runs f with the current device checking but not executing launches, and returns the programs of the
	// skipped kernels. Copies, fills and routines of libraries are executed. So results that are correct were not
	// computed by kernels. The error is f's, or that of the work it has submitted to the device.
	SkipLaunches = func(f func() error) ([]Program, error) { return nil, f() }

	// Compiling is called by package gpu when it begins to compile a program, and end when that has ended. The cell runtime sets it.
	Compiling = func(program string) (end func()) { return func() {} }

	// FillAllocated runs f with all bytes of buffers that it makes by gpu.Alloc on the current device set to value, so that results do not
	// depend on what was in that memory. The error is f's.
	FillAllocated = func(value byte, f func() error) error { return f() }

	// Downloads runs f and returns the data that it has copied from the current device to the host, by copy: results of a
	// function can be searched there. Page-locked and managed memory is not included, as it is not copied.
	Downloads = func(f func() error) ([][]byte, error) { return nil, f() }
)
