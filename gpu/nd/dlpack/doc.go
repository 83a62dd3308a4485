// Package dlpack exchanges arrays with other libraries of the same process by DLPack: a C structure that describes memory, which PyTorch,
// CuPy, JAX, NumPy, ONNX Runtime and others read.
//
//	t, err := dlpack.Export(a) // no copy: both sides see the same memory
//	C.consume(unsafe.Pointer(t)) // takes a DLManagedTensorVersioned*, and calls its deleter when it is done
//	b, err := dlpack.Import(t)   // the other way; t is used up
//
// The consumer of a tensor calls its deleter once, from any thread. A tensor without a consumer is deleted by its method Delete.
//
// # Memory
//
// Arrays are in memory of the device process. Export maps that into this process as well. On the simulator it is host memory (kDLCPU), on
// a GPU device memory of this process's primary context (kDLCUDA), which Export creates when it is first called: that takes about 0.5 GB
// of the GPU's memory, and a fault in a kernel of the other library makes CUDA unusable in this process, but affects neither the arrays
// nor the kernels of package gpu, which are in the device process. Where the driver cannot share memory Export returns an error, and
// ExportCopy makes a copy on the host.
//
// # Synchronization
//
// Export and Import wait for the work that was submitted to the device, so a consumer needs no stream. It must have finished its own work
// before package nd uses the memory again; on a GPU its deleter waits for all pending work of this process. While the consumer has a
// tensor the memory is not freed, and the array's method Free returns an error. Where an array is written while an expression waits for
// its old elements, the new ones go to other memory (see nd.BufferOf), which the consumer does not see.
//
// The layout is that of version 1.1 of dlpack.h (github.com/dmlc/dlpack), and strides are always set, as version 1.2 requires.
package dlpack
