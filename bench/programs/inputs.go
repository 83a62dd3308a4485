package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

// scrambled returns n integers below 2^32 that depend on their index and on k alone, as inputs.scrambled in Python does.
func scrambled(n int, k uint64) *nd.Array[uint64] {
	x := nd.Arange(uint64(n)).AddScalar(k*977 + 1).MulScalar(2654435761).AndScalar(1<<32 - 1)
	x = x.Xor(x.RshScalar(15)).MulScalar(2246822519).AndScalar(1<<32 - 1)
	return x.Xor(x.RshScalar(13))
}

// uniform returns n numbers from 0 to 1.
func uniform(n int, k uint64) *nd.Array[float32] {
	return nd.AsType[float32](scrambled(n, k)).MulScalar(1.0 / (1 << 32)).Eval()
}

// integers returns n integers below limit.
func integers(n int, k, limit uint64) *nd.Array[int32] {
	return nd.AsType[int32](scrambled(n, k).ModScalar(limit)).Eval()
}

// linear returns a function that multiplies, for the bytes of a program.
func linear(bytes int) func(n int) int { return func(n int) int { return bytes * n } }
