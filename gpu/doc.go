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
// # What is wrong with a kernel
//
// Check runs a function with all its launches in check mode, where every access to memory is
// looked at: by the simulator, or on a GPU by NVIDIA's compute-sanitizer with copies of the buffers. Its Report
// names defects by line, block and thread. The simulator also counts what the accesses of each line cost:
// sectors, bank conflicts, idle lanes. Programs compiled with Checked are always run so.
//
// # What lives elsewhere
//
// Package gpu/internal/client is the session's end of the device process, package device the other one. Backends and the
// memory shared with them are under internal, too. This package knows nothing of notebooks.
package gpu
