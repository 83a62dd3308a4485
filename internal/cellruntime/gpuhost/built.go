package gpuhost

import (
	"errors"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Show is what is to be told of a compiled program.
type Show struct {
	Info, PTX, SASS bool
	Arch            string // for another architecture than the device's
	Shared          int    // bytes of dynamic shared memory, for the occupancy
}

// Any reports whether anything is to be told.
func (s Show) Any() bool { return s.Info || s.PTX || s.SASS }

// Built is what the compiler has made of a program.
type Built struct {
	gpu.Build
	Device string
	// Unread is why there is no Build. Then kernels have what the device knows of them.
	Unread string
	// Occupancy is by kernel. It is missing if the Build is for another architecture than the
	// device's, whose limits it would need.
	Occupancy map[string][]gpu.OccupancyRow
	WarpSlots int // of a multiprocessor
}

// look says what was made of the program. Where NVIDIA's compiler is missing there is what the
// device knows, if that was what was asked for.
func look(mod *gpu.Module, show Show) (*Built, error) {
	d := mod.Device()
	props := d.Properties()
	b := &Built{Device: d.String()}
	var options []gpu.BuildOption
	if show.Arch != "" {
		options = append(options, gpu.WithArch(show.Arch))
	}
	if show.SASS {
		options = append(options, gpu.WithSASS())
	}
	var missing *gpu.Error // the compiler, while the device works
	made, err := mod.Build(options...)
	switch {
	case err == nil:
		b.Build = *made
	case errors.As(err, &missing) && missing.Name == "CUDA_ERROR_JIT_COMPILER_NOT_FOUND":
		b.Unread = missing.Message
		if b.Kernels, err = known(mod, props.Simulated); err != nil {
			return nil, err
		}
	default:
		var source *gpu.CompileError
		if errors.As(err, &source) {
			return nil, sourceError{source}
		}
		return nil, err
	}
	own := b.Unread != "" || b.Arch == props.Arch()
	if strings.HasPrefix(b.Arch, "compute_") && show.Arch == "" && !props.Simulated {
		// The GPU is newer than NVRTC, and its driver has made the code.
		if err := fromDriver(b, mod); err != nil {
			return nil, err
		}
		own = true
	}
	if own {
		b.Occupancy = map[string][]gpu.OccupancyRow{}
		for i := range b.Kernels {
			k := &b.Kernels[i]
			b.Occupancy[k.Name] = d.Occupancies(k.Resources, show.Shared)
		}
		if props.WarpSize > 0 {
			b.WarpSlots = props.MaxThreadsPerMultiProcessor / props.WarpSize
		}
	}
	return b, nil
}

// fromDriver puts what the driver knows of kernels in the place of what the compiler does not.
func fromDriver(b *Built, mod *gpu.Module) error {
	list, err := known(mod, false)
	if err != nil {
		return err
	}
	for i := range b.Kernels {
		for j := range list {
			if list[j].Name == b.Kernels[i].Name {
				b.Kernels[i].Resources = list[j].Resources
			}
		}
	}
	return nil
}

// known is what the device knows of the kernels.
func known(mod *gpu.Module, simulated bool) ([]gpu.BuiltKernel, error) {
	var list []gpu.BuiltKernel
	for _, name := range mod.Kernels() {
		k, err := mod.Kernel(name)
		if err != nil {
			return nil, err
		}
		info := k.Info()
		r := gpu.Resources{
			Registers: info.NumRegs, Shared: info.SharedSizeBytes, Stack: info.LocalSizeBytes, Constant: info.ConstSizeBytes,
			SpillStores: gpu.Unknown, SpillLoads: gpu.Unknown, Barriers: gpu.Unknown, MaxThreads: info.MaxThreadsPerBlock,
		}
		if simulated { // what a compiler for another processor has made says nothing about these
			r.Registers, r.Stack, r.Constant = gpu.Unknown, gpu.Unknown, gpu.Unknown
		}
		list = append(list, gpu.BuiltKernel{Name: name, Resources: r})
	}
	return list, nil
}
