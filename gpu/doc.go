// Package gpu gives Go code access to a GPU: devices, buffers, streams, events, and kernels written in CUDA C++.
//
//	x := gpu.ToDevice(host)            // *gpu.Buffer[float32]
//	y := gpu.Zeros[float32](len(host))
//	m, err := gpu.Compile(source)
//	k, err := m.Kernel("saxpy")
//	err = k.Launch(gpu.For(len(host), 256), 2.0, x, y, len(host))
//	fmt.Println(y.ToHost()[:4])
//
// # Devices
//
// Kernels run in a separate process, the device process, which is started at first use. A fault of a kernel (an address out of bounds, a
// failed assert) makes that process unusable, so it is replaced at once, and buffers keep their contents. The error is an *Error, with
// the kernel's name and the line that launched it.
//
// The environment variable GOPHERWARP_DEVICE or the function Use selects the device: "auto" (a GPU if there is one, else the simulator),
// "sim", or "cuda:N". GOPHERWARP_GPU_MEMORY limits the memory that is reserved on a device, and GOPHERWARP_GPU_IDLE is the time after
// which an unused one is suspended (Device.Suspend).
//
// # Asynchronous work
//
// Launches and copies to the device are queued on a stream and do not wait for the device; when they return, host memory may be used
// again. ToHost, CopyTo and Sync wait. An error that only the device can detect is returned by the next of these.
//
// Functions that return a buffer or a stream but no error, and ToHost, panic with an *Error if the device fails, as make does if there is
// no memory.
//
// Functions that wait have a variant whose name ends in Context. If its context ends first, the device's work is stopped by replacing the
// device process, which keeps buffers, and the error is that of the context.
//
// # Related packages
//
// Package check finds errors in kernels, package prof measures kernels, package vec has CUDA's vector types, and package nd has arrays.
//
// Package gpu/internal/client is the session's side of the connection to the device process, package device the other side. Backends and
// the memory shared with them are under internal, too. This package does not depend on notebooks.
package gpu
