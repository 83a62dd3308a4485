// Package kernels generates random CUDA kernels. Its test compares what they compute on the simulator, in each order of threads and in
// check mode, and on a GPU.
//
// The kernels are free of races and of undefined behaviour, and their floating-point operations are those that IEEE 754 defines to the
// bit, so that all devices must agree, and check mode must find nothing. Kernels that race are generated in gpu/internal/sim, where two
// ways of running them are compared that have the same order of threads.
package kernels
