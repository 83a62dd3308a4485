// Package philox computes random numbers of a key and a counter: those that package gpu/nd/random fills arrays with, and those of package
// gpu's functions for kernels. There is the same in CUDA C++ in package gpu/nd/random, and in internal/gokernel for kernels in Go.
package philox
