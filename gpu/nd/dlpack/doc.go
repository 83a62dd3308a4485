// Package dlpack hands arrays to other libraries of the same process, and takes theirs, by DLPack: a structure of C that
// says where the elements are, which PyTorch, CuPy, JAX, NumPy, ONNX Runtime and others read.
//
//	t, err := dlpack.Export(a) // no copy: both sides see the same memory
//	C.consume(unsafe.Pointer(t)) // takes a DLManagedTensorVersioned*, and calls its deleter when it is done
//	b, err := dlpack.Import(t)   // the other way; t is used up
//
// Who gets a tensor calls its deleter once, from any thread. A tensor that nobody took is given up by its method Delete.
//
// # Where the memory is
//
// Arrays live in memory of the device process. Export maps that into this process as well. On the simulator it is
// host memory (kDLCPU), on a GPU device memory of this process's primary context (kDLCUDA), which Export opens when
// it is first called: some 0.5 GB of the GPU's memory, and a fault in a kernel that the other library runs spoils this process for CUDA, though
// neither the arrays nor the kernels of package gpu, which are in the device process. Where the driver cannot share memory Export is an
// error, and ExportCopy makes a copy on the host.
//
// # Who waits for whom
//
// Export and Import wait for the work that was given to the device, so a consumer needs no stream. It must
// be done with its own work before package nd uses the memory again; on a GPU its deleter waits for all that this process has under way.
// As long as the consumer has a tensor the memory is not given back, and the array's method Free is an error. Where an array is
// written while an expression waits for its old elements, the new ones go to other memory (see nd.BufferOf), which the consumer does not see.
//
// The layout is that of version 1.1 of dlpack.h (github.com/dmlc/dlpack), and strides are always set, as version 1.2 demands.
package dlpack
