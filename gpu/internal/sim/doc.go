// Package sim is the backend for machines without a GPU: CUDA C++ on the CPU.
//
// A program is compiled by the host's g++ behind headers that declare what CUDA C++ takes
// for granted (shim/), and loaded as a shared object. The runtime (shim/runtime.cpp, a
// shared object too) runs its blocks on worker threads, as many as there are processors.
// Device memory is anonymous shared files, mapped at addresses of their own.
//
// Kernels are native code, so a kernel that goes wrong goes wrong in this process. The
// runtime catches the fault and the launch returns an error that is Fatal: the process
// still stands, but has to be replaced, as after a fault on a GPU.
//
// What does not live here: finding wrong kernels that happen to run (races, accesses
// within another buffer), which is check mode's work; device functions' signatures, which
// package cudac reads; and how a kernel becomes loops over its threads (package loopsplit).
package sim
