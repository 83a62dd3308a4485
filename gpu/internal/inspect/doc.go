// Package inspect reads the result of compiling a CUDA program: the resources of its kernels, their PTX and their machine code
// (SASS), each instruction with its line of the source, and the variables that kernels can write. It needs NVRTC, and nvdisasm for SASS, but no GPU.
package inspect
