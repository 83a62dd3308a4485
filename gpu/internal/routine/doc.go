// Package routine says what numerical libraries do for a session: the routines, each a struct
// with the arguments, and how they travel to the device process.
//
// A routine is work of a stream, like a launch: it is given to the stream and not waited for,
// and it works on device addresses. On a GPU cuBLAS, cuSOLVER, cuFFT and cuSPARSE carry it out
// (package cudalib), on the simulator gonum and plain Go (package sim/linalg). Both understand a
// routine as its struct says here, which is what the CUDA libraries do with the same arguments:
// matrices are stored by columns, pivots count from 1, and the inverse of a Fourier transform is
// not divided by anything.
//
// Most routines take Count problems of the same shape, whose matrices lie Step elements apart.
package routine
