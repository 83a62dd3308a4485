// Package inspect tells what the compiler has made of a CUDA program: the resources of its kernels,
// their PTX and their machine code (SASS), each instruction with the line of the source that it is for.
// It needs NVRTC, for SASS also nvdisasm, and no GPU.
package inspect
