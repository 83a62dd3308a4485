package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

//gpu:kernel
func tiles(in []int32, f []float32, out []int32, sums []float32) {
	i := gpu.GlobalID()
	four, eight := gpu.TiledPartition(4), gpu.TiledPartition(8)
	v := in[i]
	out[i] = int32(four.Rank()) + 10*int32(eight.Rank()) + 100*int32(four.Size()) + 1000*gpu.TileShuffle(four, v, 1)
	sums[i] = gpu.TileSum(eight, f[i])
	if i/4%2 == 0 { // tiles of one warp diverge
		out[i] += gpu.TileSum(four, v) + gpu.TileShuffleUp(four, v, 1) - gpu.TileShuffleDown(four, v, 2)
		four.Sync()
	} else if i >= 16 {
		return // the rest of the warp goes on
	}
	if i < 16 {
		out[i] ^= int32(inTile(eight, v))
	}
}

func inTile(t gpu.Tile, v int32) uint32 {
	bits := t.Ballot(v%3 == 0)
	if t.All(v >= 0) && t.Any(v%7 == 0) {
		bits |= 0x100
	}
	return bits + uint32(gpu.TileMin(t, v)) + uint32(gpu.TileMax(t, v))<<4 + uint32(gpu.TileShuffleXor(t, v, 3))<<8
}

// gridSums adds up in two steps, with a barrier of the grid between them.
//
//gpu:kernel
func gridSums(x []int32, sums []int32, total []int32) {
	i := gpu.GlobalID()
	gpu.AtomicAdd(&sums[gpu.BlockIdx().X], x[i])
	gpu.SyncGrid()
	if i == 0 {
		for _, s := range sums {
			total[0] += s
		}
	}
}

//gpu:kernel
func matrixProduct(a, b []gpu.Float16, c []float32, n int, scale float32) {
	row, col := gpu.BlockIdx().Y*gpu.MatrixSize, gpu.BlockIdx().X*gpu.MatrixSize
	sum := gpu.LoadAccumulator(c[row*n+col:], n)
	for k := 0; k < n; k += gpu.MatrixSize {
		sum = gpu.MultiplyAdd(gpu.LoadMatrixA(a[row*n+k:], n), gpu.LoadMatrixB(b[k*n+col:], n), sum)
	}
	sum.Scale(scale).Store(c[row*n+col:], n)
}

//gpu:kernel
func brainProduct(a, b []gpu.BFloat16, c []float32) {
	var sum gpu.Accumulator
	addProduct(a, b, &sum)
	sum.Store(c, 16)
}

func addProduct[T gpu.Half](a, b []T, sum *gpu.Accumulator) {
	*sum = gpu.MultiplyAdd(gpu.LoadMatrixA(a, 16), gpu.LoadMatrixB(b, 16), *sum)
}
