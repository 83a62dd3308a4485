// Package routine defines the routines of numerical libraries: each is a struct with its arguments, which also defines how it is
// sent to the device process.
//
// A routine is work of a stream, like a launch: it is submitted to the stream without waiting, and its arguments are device
// addresses. On a GPU cuBLAS, cuSOLVER, cuFFT and cuSPARSE execute it (package cudalib), on the simulator gonum and plain Go
// (package sim/linalg). Both treat the arguments as the CUDA libraries do: matrices are stored in column-major order, pivots
// count from 1, and an inverse Fourier transform is not normalized.
//
// Most routines solve Count problems of the same shape, whose matrices begin Step elements apart.
package routine
