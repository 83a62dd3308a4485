package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

// The functions of CUDA C++ in testdata/noise.cuh, and the same in Go.

//gpu:cuda testdata/noise.cuh
func noise(x uint32) uint32 {
	x = x*1664525 + 1013904223
	return (x*1664525 + 1013904223) >> 5
}

//gpu:cuda testdata/noise.cuh
func exchange(a, b *float32) { *a, *b = *b, *a }

//gpu:cuda testdata/noise.cuh
func widened(x *float32, n int8) float64 { return float64(n) * float64(*x) }

//gpu:cuda testdata/noise.cuh
func fromLast(v int32) int32 { return gpu.Shuffle(v, 31) }

//gpu:cuda testdata/noise.cuh
func odd(x int) bool { return x%2 != 0 }

// state has the name of a struct there, and TURN that of a macro.
func state(x uint32) uint32 { return x + 1 }

//gpu:kernel
func mixed(x []float32, w []float64, y []uint32) {
	TURN := gpu.GlobalID()
	i := TURN
	last := fromLast(int32(i))
	y[i] = state(noise(uint32(i))) + uint32(last)
	if odd(i) {
		exchange(&x[i], &x[i-1])
		w[i] = widened(&x[i], int8(i))
	}
}
