// Package single has one kernel in Go, for how long the first use of one takes.
package single

import "github.com/gopherwarp/gopherwarp/gpu"

//go:generate gopherwarp kernels

//gpu:kernel
func scale(x []float32, by float32) {
	if i := gpu.GlobalID(); i < len(x) {
		x[i] *= by
	}
}

// Text returns the CUDA program of the kernel.
func Text() string { return kernelSource.Text() }
