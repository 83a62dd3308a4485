// Package gpuhooks is the way by which packages of this module reach what package gpu does for them and does not export: the
// cell runtime and verify, which cannot import what is under gpu/internal. Package gpu sets the variables when it is initialised; nothing
// else does. In a program without it there are no devices, and nothing to do.
package gpuhooks

import "context"

// Program is a kernel's program.
type Program struct{ Name, Source string }

var (
	// Warm begins to open the current device and returns at once. An error comes back from the first use.
	Warm = func() {}

	// CellEnd waits for what the devices still do and returns the first error of it, and makes device printf's output
	// appear. It costs next to nothing where nothing was submitted. If ctx ends first, the work is stopped as by Interrupt, and that is
	// an error.
	CellEnd = func(ctx context.Context) error { return nil }

	// Interrupt stops what the devices are doing, e.g. a kernel that never ends, by replacing their processes. Buffers stay. Who
	// waits for that work gets an error.
	Interrupt = func() {}

	// Shuffle runs f with the blocks and threads of all launches in it in a random order that follows from the seed, if the
	// current device is the simulator, which otherwise has the same order every time. A GPU has no order, so there f just runs. The
	// seed must not be 0. Launches of graphs keep the order that the device has. The error is f's, or that of the work it has given to
	// the device, which has ended on return.
	Shuffle = func(seed uint32, f func() error) error { return f() }

	// SkipLaunches runs f with the current device doing nothing at launches, which are checked and left out, and returns the
	// programs of the kernels that would have run. Copies, fills and the routines of libraries are carried out. What is right all the same
	// was not computed by kernels. The error is f's, or that of the work it has given to the device.
	SkipLaunches = func(f func() error) ([]Program, error) { return nil, f() }

	// Downloads runs f and returns what it has copied from the current device to the host, copy by copy: what a function
	// returns can be looked for there. Pinned and managed memory is left out, as nobody copies that.
	Downloads = func(f func() error) ([][]byte, error) { return nil, f() }
)
