// Package sim is the backend for machines without a GPU: it runs CUDA C++ on the CPU.
//
// The host's C++ compiler compiles a program, with headers that declare what CUDA C++ predeclares
// (shim/), to a shared object, which is loaded. The runtime (shim/runtime.cpp, also a shared
// object) runs the blocks on worker threads, one per processor. Device memory consists of
// anonymous shared files, mapped at addresses reserved for it.
//
// Kernels are native code, so a fault of a kernel is a fault of this process. The runtime catches
// it and the launch returns an error that is Fatal: the process still runs, but must be replaced,
// as after a fault on a GPU.
//
// Other packages find errors in kernels that run without a fault, such as races and accesses to
// another buffer (package check), parse the signatures of kernels (package cudac), and convert
// kernels to loops over their threads (package loopsplit).
package sim
