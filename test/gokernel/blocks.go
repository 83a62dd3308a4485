package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

// What the threads of a block do together.

//gpu:kernel
func blockSums(x []float32, sums []float32) {
	tile := gpu.Shared[[128]float32]()
	t := gpu.ThreadIdx().X
	tile[t] = 0
	if i := gpu.GlobalID(); i < len(x) {
		tile[t] = x[i]
	}
	gpu.SyncThreads()
	for s := gpu.BlockDim().X / 2; s > 0; s /= 2 {
		if t < s {
			tile[t] += tile[t+s]
		}
		gpu.SyncThreads()
	}
	if t == 0 {
		sums[gpu.BlockIdx().X] = tile[0]
	}
}

//gpu:kernel
func transpose(in, out []int32, n int) {
	tile := gpu.Shared[[16][17]int32]()
	x, y := gpu.GlobalID2D()
	tx, ty := gpu.ThreadIdx().X, gpu.ThreadIdx().Y
	if x < n && y < n {
		tile[ty][tx] = in[y*n+x]
	}
	gpu.SyncThreads()
	x, y = gpu.BlockIdx().Y*16+tx, gpu.BlockIdx().X*16+ty
	if x < n && y < n {
		out[y*n+x] = tile[tx][ty]
	}
}

func warpSum[T int32 | float32](v T) T {
	for d := 16; d > 0; d /= 2 {
		v += gpu.ShuffleDown(v, d)
	}
	return v
}

//gpu:kernel
func warps(in []int32, out []int32) {
	i := gpu.GlobalID()
	v := in[i]
	sum := gpu.Shuffle(warpSum(v), 0)
	other := gpu.ShuffleXor(v, 5)
	before := gpu.ShuffleUp(v, 1)
	odd := gpu.Ballot(v%2 != 0)
	out[i] = sum*3 + other*5 + before*7 + int32(odd) + int32(gpu.LaneID())
}

//gpu:kernel
func histogram(in []uint32, counts []uint32, least, largest []int32, total []int64, sum []float64) {
	local := gpu.Shared[[32]uint32]()
	t := gpu.ThreadIdx().X
	if t < len(local) {
		local[t] = 0
	}
	gpu.SyncThreads()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&local[in[i]%32], 1)
		gpu.AtomicMin(&least[0], int32(in[i]))
		gpu.AtomicMax(&largest[0], int32(in[i]))
		gpu.AtomicAdd(&total[0], int64(in[i]))
		gpu.AtomicAdd(&sum[0], float64(in[i]))
	}
	gpu.SyncThreads()
	if t < len(local) {
		gpu.AtomicAdd(&counts[t], local[t])
	}
}

//gpu:kernel
func lock(held []int32, count []int64) {
	for taken := false; !taken; {
		if gpu.AtomicCompareAndSwap(&held[0], 0, 1) == 0 {
			gpu.AtomicAdd(&count[0], 2)
			gpu.AtomicExchange(&held[0], 0)
			taken = true
		}
	}
}
