package gpuhost

import (
	"errors"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Show is the set of facts to report about a compiled program.
type Show struct {
	Info, PTX, SASS bool
	Arch            string // another architecture than the device's, or ""
	Shared          int    // bytes of dynamic shared memory, for the occupancy
}

// Any reports whether any fact is to be reported.
func (s Show) Any() bool { return s.Info || s.PTX || s.SASS }

// Built is the result of a compilation.
type Built struct {
	gpu.Build
	Device string
	// Unread is why there is no Build. Then Kernels has the device's own values.
	Unread string
	// Occupancy is by kernel. It is nil if the Build is for another architecture than the
	// device's, since that architecture's limits are not known.
	Occupancy map[string][]gpu.OccupancyRow
	WarpSlots int // of a multiprocessor
}

// look returns the facts about the program. If NVIDIA's compiler is missing, it returns those that the
// device has, if these suffice.
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
	var missing *gpu.Error // from the compiler; the device works
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
		// The GPU is newer than NVRTC, so its driver generated the code.
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

// fromDriver replaces the values of kernels that the compiler does not have by the driver's.
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

// known returns the device's values of the kernels.
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
		if simulated { // the registers of code for another processor are meaningless
			r.Registers, r.Stack, r.Constant = gpu.Unknown, gpu.Unknown, gpu.Unknown
		}
		list = append(list, gpu.BuiltKernel{Name: name, Resources: r})
	}
	return list, nil
}
