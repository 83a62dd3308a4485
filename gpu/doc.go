// Package gpu is how Go code uses a GPU: devices, buffers, streams, events, and kernels
// written in CUDA C++.
//
//	x := gpu.ToDevice(host)            // *gpu.Buffer[float32]
//	y := gpu.Zeros[float32](len(host))
//	m, err := gpu.Compile(source)
//	k, err := m.Kernel("saxpy")
//	err = k.Launch(gpu.For(len(host), 256), 2.0, x, y, len(host))
//	fmt.Println(y.ToHost()[:4])
//
// # Where kernels run
//
// Kernels run in a process of their own, the device process, which is started at first
// use. A kernel that goes wrong (an address out of bounds, a failed assert) ruins that
// process for good, so it is replaced at once, and buffers keep their contents. The error
// comes back as an *Error that names the kernel and where it was launched.
//
// The environment variable GOPHERWARP_DEVICE or Use picks the device: "auto" (a GPU if there
// is one, else the simulator), "sim", or "cuda:N".
//
// # When things happen
//
// Launches and copies to the device are put in order on a stream and do not wait; on
// return from them host memory may be used again. ToHost, CopyTo and Sync wait. An error of
// a launch that the checks before it cannot see comes back from the next of these.
//
// Functions that return a buffer or a stream and no error, and ToHost, panic with an *Error
// when the device fails them, as make does when there is no memory.
//
// Functions that wait have a variant whose name ends in Context. If its context ends first,
// what the device is doing is stopped by replacing its process, which keeps buffers, and the
// error is that of the context.
//
// # What lives elsewhere
//
// Package check finds what is wrong with kernels, package prof measures them,
// package vec has CUDA's vector types, and package nd has arrays.
//
// Package gpu/internal/client is the session's end of the device process, package device the other one. Backends and the
// memory shared with them are under internal, too. This package knows nothing of notebooks.
package gpu
