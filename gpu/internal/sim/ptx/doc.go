// Package ptx translates inline assembly for a GPU (PTX) to C++: asm statements of kernels, of which the simulator's compiler
// knows nothing. Their instructions become calls of functions in shim/ptx.h and of CUDA's own.
//
// What is not translated is reported with the instruction and its line. Assembly for the host's processor stays as it is.
package ptx
