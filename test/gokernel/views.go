package gokernel

import "github.com/gopherwarp/gopherwarp/gpu"

// Elements in rows and columns.
//
//gpu:kernel
func transposed(out, in gpu.View2D[int32], solid gpu.View3D[float64], sums []int32) {
	x, y := gpu.GlobalID2D()
	if y >= in.Rows || x >= in.Cols {
		return
	}
	out.Set(x, y, in.At(y, x)+int32(in.Stride))
	gpu.AtomicAdd(out.Ref(x, y), 1)
	for plane := range solid.Planes {
		if y < solid.Rows && x < solid.Cols {
			solid.Set(plane, y, x, solid.At(plane, y, x)*2+rowSum(in, y)+last(in.Row(y)))
		}
	}
	if x == 0 {
		for _, v := range in.Row(y) {
			sums[y] += v
		}
	}
}

func rowSum(v gpu.View2D[int32], row int) float64 {
	sum := 0.0
	for col := range v.Cols {
		sum += float64(v.At(row, col))
	}
	return sum
}

func last(x []int32) float64 { return float64(x[len(x)-1]) }

// Dynamic shared memory, votes and sums of warps.
//
//gpu:kernel
func dynamic(x []float32, out []float32, words []int32) {
	tile := gpu.DynamicShared[float32]()
	t := gpu.ThreadIdx().X
	i := gpu.GlobalID()
	tile[t] = x[i]
	gpu.SyncThreads()
	out[i] = tile[len(tile)-1-t] + gpu.WarpSum(x[i])
	if gpu.All(x[i] > 3) {
		out[i] += gpu.WarpMax(x[i])
	}
	if gpu.Any(x[i] > 60) {
		out[i] -= gpu.WarpMin(x[i])
	}
	words[i] = gpu.WarpSum(words[i]) + gpu.WarpMax(words[i])*gpu.WarpMin(words[i])
}
