package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/philox"

// The functions in this file return the numbers of package gpu/nd/random, bit for bit, in kernels written in Go and elsewhere: element i of
// the array that a generator with that seed returns for a request, of which the first has number 0. A kernel gives each thread the i of its
// own.
//
//	rng := random.New(42)
//	x := random.Random[float32](rng, n)         // element i is gpu.RandomFloat32(42, 0, i)
//	y := random.StandardNormal[float64](rng, n) // element i is gpu.RandomNormal64(42, 1, i)

// RandomUint32 returns 32 random bits, of which RandomFloat32 uses the upper 24.
func RandomUint32(seed uint64, request uint32, i int) uint32 {
	return philox.Stream{Seed: seed, Call: request}.Word(uint64(i), 0)
}

// RandomUint64 returns 64 random bits, of which RandomFloat64 uses the upper 53.
func RandomUint64(seed uint64, request uint32, i int) uint64 {
	return philox.Stream{Seed: seed, Call: request}.Wide(uint64(i), 0)
}

// RandomUint64N returns an integer from 0 to n-1, all with the same probability: element i of random.Integers. An n of 0 means 2⁶⁴.
func RandomUint64N(seed uint64, request uint32, i int, n uint64) uint64 {
	return philox.Stream{Seed: seed, Call: request}.Uint64N(i, n)
}

// RandomFloat32 returns a multiple of 2⁻²⁴ in [0, 1): element i of random.Random[float32].
func RandomFloat32(seed uint64, request uint32, i int) float32 {
	return philox.Stream{Seed: seed, Call: request}.Float32(i)
}

// RandomFloat64 returns a multiple of 2⁻⁵³ in [0, 1): element i of random.Random[float64].
func RandomFloat64(seed uint64, request uint32, i int) float64 {
	return philox.Stream{Seed: seed, Call: request}.Float64(i)
}

// RandomNormal32 returns a normal number with mean 0 and standard deviation 1: element i of random.StandardNormal[float32].
func RandomNormal32(seed uint64, request uint32, i int) float32 {
	return philox.Stream{Seed: seed, Call: request}.Normal32(i)
}

// RandomNormal64 returns a normal number with mean 0 and standard deviation 1: element i of random.StandardNormal[float64].
func RandomNormal64(seed uint64, request uint32, i int) float64 {
	return philox.Stream{Seed: seed, Call: request}.Normal64(i)
}

// RandomExponential32 returns an exponential number with mean 1: element i of random.Exponential[float32] with scale 1.
func RandomExponential32(seed uint64, request uint32, i int) float32 {
	return philox.Stream{Seed: seed, Call: request}.Exponential32(i)
}

// RandomExponential64 returns an exponential number with mean 1: element i of random.Exponential[float64] with scale 1.
func RandomExponential64(seed uint64, request uint32, i int) float64 {
	return philox.Stream{Seed: seed, Call: request}.Exponential64(i)
}
