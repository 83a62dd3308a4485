package sim

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// function is a kernel bound to a handle.
type function struct {
	module *module
	entry  *entry
	name   string
	cname  []byte // the name, ending in 0
	shared int    // static, in bytes
}

// noArgs is the parameter buffer of kernels without parameters.
var noArgs = []byte{0}

func (d *device) Launch(l *backend.Launch) error {
	if err := d.onStream(l.Stream); err != nil {
		return err
	}
	f := d.funcs[l.Func]
	if f == nil {
		return errorf(codeInvalidHandle, "there is no function %d", l.Func)
	}
	if err := d.check(f, l); err != nil {
		return err
	}
	args := l.Args
	if len(args) == 0 {
		args = noArgs
	}
	d.dims = [6]uint32{l.Grid[0], l.Grid[1], l.Grid[2], l.Block[0], l.Block[1], l.Block[2]}
	if f.module.checked != nil {
		return d.launchChecked(f, l, args)
	}
	d.checks.memory.WrittenSomewhere()
	if code := d.rt.run(f.entry, args, &d.dims, l.SharedBytes, &d.manner, &f.cname[0], &d.failure); code != 0 {
		err := errorf(code, "%s", d.failure.text())
		if code != codeOutOfMemory {
			err.Fatal = true
			d.lost = err
		}
		return err
	}
	return nil
}

// check holds a launch against the limits of the device, as the CUDA driver does, so that
// what runs here launches there.
func (d *device) check(f *function, l *backend.Launch) error {
	axis := [3]string{"x", "y", "z"}
	threads := uint64(1)
	for i := range 3 {
		if l.Grid[i] == 0 || l.Block[i] == 0 {
			return errorf(codeInvalidValue, "kernel %s: a grid of %v blocks of %v threads is empty: every dimension must be at least 1", f.name, l.Grid, l.Block)
		}
		if int(l.Block[i]) > d.props.MaxBlockDim[i] {
			return errorf(codeInvalidValue, "kernel %s: a block of %d threads in %s: the device allows %d", f.name, l.Block[i], axis[i], d.props.MaxBlockDim[i])
		}
		if int64(l.Grid[i]) > int64(d.props.MaxGridDim[i]) {
			return errorf(codeInvalidValue, "kernel %s: a grid of %d blocks in %s: the device allows %d", f.name, l.Grid[i], axis[i], d.props.MaxGridDim[i])
		}
		threads *= uint64(l.Block[i])
	}
	switch {
	case threads > uint64(d.props.MaxThreadsPerBlock):
		return errorf(codeInvalidValue, "kernel %s: a block of %d threads: the device allows %d per block", f.name, threads, d.props.MaxThreadsPerBlock)
	case threads > uint64(f.entry.maxThreads):
		return errorf(codeOutOfResources, "kernel %s: a block of %d threads: its __launch_bounds__ allow %d", f.name, threads, f.entry.maxThreads)
	case uint64(l.SharedBytes)+uint64(f.shared) > maxDynamicShared:
		return errorf(codeInvalidValue, "kernel %s: %d bytes of dynamic and %d of static shared memory: the device allows %d per block",
			f.name, l.SharedBytes, f.shared, maxDynamicShared)
	case len(l.Args) < int(f.entry.argBytes):
		return errorf(codeInvalidValue, "kernel %s takes %d bytes of arguments and got %d", f.name, f.entry.argBytes, len(l.Args))
	}
	return nil
}
