package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

//gpu:kernel
func randomNumbers(seeds []uint64, first int, bits []uint32, wide, below []uint64, single, normal, exponential []float32, double, normal64, exponential64 []float64) {
	k := gpu.GlobalID()
	if k >= len(bits) {
		return
	}
	seed, request, i := seeds[k%len(seeds)], uint32(k%5), first+k
	bits[k], wide[k] = gpu.RandomUint32(seed, request, i), gpu.RandomUint64(seed, request, i)
	below[k] = gpu.RandomUint64N(seed, request, i, seeds[k%len(seeds)]>>(k%64))
	single[k], double[k] = gpu.RandomFloat32(seed, request, i), gpu.RandomFloat64(seed, request, i)
	normal[k], normal64[k] = gpu.RandomNormal32(seed, request, i), gpu.RandomNormal64(seed, request, i)
	exponential[k], exponential64[k] = gpu.RandomExponential32(seed, request, i), gpu.RandomExponential64(seed, request, i)
}

//gpu:kernel
func randomLike(seed []uint64, n int, uniform, normal []float32, uniform64, normal64, exponential64 []float64, dice []int32) {
	if i := gpu.GlobalID(); i < n {
		uniform[i], uniform64[i] = gpu.RandomFloat32(seed[0], 0, i), gpu.RandomFloat64(seed[0], 1, i)
		normal[i], normal64[i] = gpu.RandomNormal32(seed[0], 2, i), gpu.RandomNormal64(seed[0], 3, i)
		exponential64[i] = gpu.RandomExponential64(seed[0], 4, i)
		dice[i] = 1 + int32(gpu.RandomUint64N(seed[0], 5, i, 6))
	}
}
