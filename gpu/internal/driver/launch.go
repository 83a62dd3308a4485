package driver

import (
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Launch must be fast: it does not allocate, and adds as little as possible to the time of cuLaunchKernel.
func (d *device) Launch(l *backend.Launch) error {
	f, ok := d.functions[l.Func]
	if !ok {
		return unknownHandle("kernel", l.Func)
	}
	s, err := d.stream(l.Stream)
	if err != nil {
		return err
	}
	if len(l.Args) > maxParams {
		return invalidValue("a kernel takes at most %d bytes of parameters, not %d", maxParams, len(l.Args))
	}
	if l.SharedBytes > f.dynamicShared {
		if err := d.raiseShared(f, l.SharedBytes); err != nil {
			return err
		}
	}
	d.paramSize = uintptr(copy(d.params[:], l.Args))
	if f.textures.Any() {
		return d.launchOnTextures(f, l, s)
	}
	return d.start(f, l, s)
}

// start launches a kernel whose parameters are in d.params.
func (d *device) start(f *function, l *backend.Launch, s uintptr) error {
	if l.Cooperative || l.Cluster[0] != 0 {
		return d.launchSpecial(f, l, s)
	}
	d.launch = [11]uintptr{
		f.handle,
		uintptr(l.Grid[0]), uintptr(l.Grid[1]), uintptr(l.Grid[2]),
		uintptr(l.Block[0]), uintptr(l.Block[1]), uintptr(l.Block[2]),
		uintptr(l.SharedBytes), s, 0, uintptr(unsafe.Pointer(&d.extra)),
	}
	r := d.api.LaunchKernel.callKept(d.launch[:])
	runtime.KeepAlive(d)
	if r != 0 {
		return d.api.failure(result(r), "launching a kernel")
	}
	return nil
}

// raiseShared allows a kernel to use more dynamic shared memory than the 48 KiB that every kernel may use.
func (d *device) raiseShared(f *function, bytes uint32) error {
	r := d.api.FuncSetAttr(f.handle, funcMaxDynamicShared, int32(bytes))
	if err := d.api.check(r, "raising a kernel's limit of dynamic shared memory"); err != nil {
		return err
	}
	f.dynamicShared = bytes
	return nil
}

// launchSpecial launches a cooperative grid, or a grid with clusters.
func (d *device) launchSpecial(f *function, l *backend.Launch, stream uintptr) error {
	if d.api.LaunchKernelEx == nil {
		return &backend.Error{
			Code: int(errNotSupported), Name: "CUDA_ERROR_NOT_SUPPORTED",
			Message: "cooperative launches and clusters need a driver of CUDA 11.8 or newer",
		}
	}
	var attributes [2]launchAttribute
	n := 0
	if l.Cooperative {
		attributes[n].id, attributes[n].value[0] = launchCooperative, 1
		n++
	}
	if l.Cluster[0] != 0 {
		attributes[n].id = launchCluster
		copy(attributes[n].value[:], l.Cluster[:])
		n++
	}
	config := &launchConfig{
		grid: l.Grid, block: l.Block, shared: l.SharedBytes, stream: stream,
		attributes: &attributes[0], count: uint32(n),
	}
	r := d.api.LaunchKernelEx(config, f.handle, nil, &d.extra[0])
	runtime.KeepAlive(d)
	return d.api.check(r, "launching a kernel")
}

// Occupancy raises the kernel's limit of dynamic shared memory if necessary.
func (d *device) Occupancy(fn uint32, threads int, sharedBytes uint32) (int, error) {
	f, ok := d.functions[fn]
	if !ok {
		return 0, unknownHandle("kernel", fn)
	}
	if sharedBytes > f.dynamicShared {
		if err := d.raiseShared(f, sharedBytes); err != nil {
			return 0, err
		}
	}
	var blocks int32
	err := d.api.check(d.api.Occupancy(&blocks, f.handle, int32(threads), uint64(sharedBytes)), "computing a kernel's occupancy")
	return int(blocks), err
}
