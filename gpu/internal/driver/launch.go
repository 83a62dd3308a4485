package driver

import (
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Launch is the hot path: it allocates nothing and adds as little as it can to
// cuLaunchKernel.
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

// raiseShared opts a kernel in to more dynamic shared memory than the 48 KiB that every
// kernel may use.
func (d *device) raiseShared(f *function, bytes uint32) error {
	r := d.api.FuncSetAttr(f.handle, funcMaxDynamicShared, int32(bytes))
	if err := d.api.check(r, "asking for more shared memory than is given by default"); err != nil {
		return err
	}
	f.dynamicShared = bytes
	return nil
}
