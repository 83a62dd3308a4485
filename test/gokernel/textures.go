package gokernel

import (
	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

//gpu:kernel
func line(t gpu.Tex1D[float32], at []float32, out []float32) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = t.At(at[i])
	}
}

//gpu:kernel
func plane(t gpu.Tex2D[vec.Float4], at []float32, out []vec.Float4) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = readPlane(t, at[i], at[len(at)-1-i])
	}
}

func readPlane(t gpu.Tex2D[vec.Float4], x, y float32) vec.Float4 {
	v := t.At(x, y)
	v.X += 1
	return v
}

//gpu:kernel
func integersOf(t gpu.Tex2D[int32], bytes gpu.Tex2D[vec.Uchar2], at []float32, out []int32) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = t.At(at[i], at[len(at)-1-i]) + int32(bytes.At(at[i], 1).Y)
	}
}

//gpu:kernel
func solid(t gpu.Tex3D[float32], at []float32, out []float32) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = t.At(at[i], at[len(at)-1-i], 1.25)
	}
}
