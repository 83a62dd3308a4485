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
	// textures are the offsets of textures in the arguments.
	textures backend.TextureArguments
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
	d.checks.forget()
	args := l.Args
	if len(args) == 0 {
		args = noArgs
	}
	if f.textures.Any() {
		var err error
		if args, err = d.withTextures(f, args); err != nil {
			return err
		}
	}
	if f.module.array != nil {
		return d.launchArray(f, args, int(l.Grid[0]))
	}
	d.dims = [6]uint32{l.Grid[0], l.Grid[1], l.Grid[2], l.Block[0], l.Block[1], l.Block[2]}
	if f.module.checked != nil {
		return d.launchChecked(f, l, args)
	}
	d.checks.memory.WrittenSomewhere()
	d.now = d.manner
	if l.Shuffle != 0 {
		d.now.order, d.now.seed = shuffled, uint64(l.Shuffle)
	}
	d.now.gang, d.now.cooperative = gang(f, l)
	if code := d.rt.run(f.entry, args, &d.dims, l.SharedBytes, &d.now, &f.cname[0], &d.failure); code != 0 {
		err := errorf(code, "%s", d.failure.text()+f.module.faultLine(d.failure.at))
		if code != codeOutOfMemory {
			err.Fatal = true
			d.lost = err
		}
		return err
	}
	return nil
}

// check checks a launch against the limits of the device, as the CUDA driver does, so that
// whatever runs here can be launched there.
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
	if err := d.checkGang(f, l, int(threads)); err != nil {
		return err
	}
	switch {
	case threads > uint64(d.props.MaxThreadsPerBlock):
		return errorf(codeInvalidValue, "kernel %s: a block of %d threads: the device allows %d per block", f.name, threads, d.props.MaxThreadsPerBlock)
	case threads > uint64(f.entry.maxThreads):
		return errorf(codeOutOfResources, "kernel %s: a block of %d threads: its __launch_bounds__ allow %d", f.name, threads, f.entry.maxThreads)
	case uint64(l.SharedBytes)+uint64(f.shared) > uint64(d.props.SharedMemPerBlockOptin):
		return errorf(codeInvalidValue, "kernel %s: %d bytes of dynamic and %d of static shared memory: the device allows %d per block",
			f.name, l.SharedBytes, f.shared, d.props.SharedMemPerBlockOptin)
	case len(l.Args) < int(f.entry.argBytes):
		return errorf(codeInvalidValue, "kernel %s takes %d bytes of arguments and got %d", f.name, f.entry.argBytes, len(l.Args))
	}
	return nil
}

// maxGang is the maximum number of blocks that run at the same time. Each thread block needs a thread of the
// operating system.
const maxGang = 1024

// cluster returns the shape of the launch's clusters, which is its own or the one in the kernel's
// attributes. It is 0 without clusters.
func cluster(f *function, l *backend.Launch) [3]uint32 {
	if l.Cluster != [3]uint32{} {
		return l.Cluster
	}
	return f.entry.cluster
}

// gang returns the shape of the part of the grid whose blocks run at the same time, or 0.
func gang(f *function, l *backend.Launch) (box [3]uint32, cooperative uint32) {
	if l.Cooperative {
		return l.Grid, 1
	}
	return cluster(f, l), 0
}

// checkGang checks the limits of clusters and cooperative launches.
func (d *device) checkGang(f *function, l *backend.Launch, threads int) error {
	shape, size := cluster(f, l), uint64(1)
	for i := range 3 {
		if n := shape[i]; n > 0 {
			size *= uint64(n)
			if l.Grid[i]%n != 0 {
				return errorf(codeInvalidValue, "kernel %s: a grid of %v blocks cannot be cut into clusters of %v", f.name, l.Grid, shape)
			}
		} else if shape != [3]uint32{} {
			return errorf(codeInvalidValue, "kernel %s: a cluster of %v blocks is empty: every dimension must be at least 1", f.name, shape)
		}
	}
	blocks := uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
	switch {
	case size > 8:
		return errorf(codeInvalidClusterSize, "kernel %s: a cluster of %d blocks: the device allows 8", f.name, size)
	case size > 1 && d.props.ClusterLaunch == 0:
		return errorf(codeInvalidClusterSize, "kernel %s: a device of compute capability %d.%d has no clusters: they came with 9.0",
			f.name, d.props.ComputeMajor, d.props.ComputeMinor)
	case size > 1 && l.Cooperative:
		return errorf(codeInvalidValue, "kernel %s: the simulator runs cooperative launches without clusters", f.name)
	case l.Cooperative:
		perSM, err := d.Occupancy(l.Func, threads, l.SharedBytes)
		if err != nil {
			return err
		}
		if limit := uint64(min(perSM*d.props.MultiProcessorCount, maxGang)); blocks > limit {
			return errorf(codeCooperativeLaunchTooLarge, "kernel %s: all %d blocks of a cooperative launch must run at the same time, and the device holds %d of them",
				f.name, blocks, limit)
		}
	}
	return nil
}
