package nd_test

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func ExampleMatMul() {
	a := nd.Arange[float64](6).Reshape(2, 3)
	p := nd.MatMul(a, a.T()) // the transposed matrix is not copied
	fmt.Println(p.Shape(), p.ToHost())
	// Output: [2 2] [5 14 14 50]
}

func ExampleEinsum() {
	a := nd.Arange[float64](6).Reshape(2, 3)
	fmt.Println(nd.Einsum("ij,ij->i", a, a).ToHost()) // the squares of each row's length
	fmt.Println(nd.Einsum("ij->ji", a).Shape())
	// Output:
	// [5 50]
	// [3 2]
}

func ExampleSolve() {
	a := nd.FromSlice([]float64{2, 0, 0, 4}, 2, 2)
	fmt.Println(nd.Solve(a, nd.FromSlice([]float64{6, 8})).ToHost())
	err := nd.Try(func() { nd.Solve(nd.Zeros[float64](2, 2), nd.Ones[float64](2)) })
	fmt.Println(err)
	// Output:
	// [3 2]
	// nd.Solve: the matrix is singular: there is no one solution; Lstsq finds the shortest of those that come closest
}

func ExampleRFFT() {
	wave := nd.FromSlice([]float64{1, 0, -1, 0}) // one period
	fmt.Println(nd.RFFT[complex128](wave).ToHost())
	fmt.Println(nd.RFFTFreq(4, 0.25).ToHost()) // in Hz, if there are 4 samples a second
	// Output:
	// [(0+0i) (2+0i) (0+0i)]
	// [0 1 2]
}

func ExampleCSR_Dot() {
	m := nd.CSRFromCOO(2, 3, []int32{0, 1}, []int32{2, 0}, []float64{5, 7})
	fmt.Println(m.Dot(nd.FromSlice([]float64{1, 2, 3})).ToHost())
	// Output: [15 7]
}

func ExampleElementwise2() {
	squaredDiff := nd.Elementwise2[float32, float32, float32](nd.ElementwiseKernel{
		Name: "squared_diff", In: "x, y", Out: "z", Code: "float d = x - y; z = d * d",
	})
	fmt.Println(squaredDiff(nd.FromSlice([]float32{1, 5}), nd.Scalar(float32(3))).ToHost())
	// Output: [4 4]
}

func ExampleReduction1() {
	product := nd.Reduction1[int64, int32](nd.ReductionKernel{
		Name: "product", In: "x", Out: "y", Map: "x", Reduce: "a * b", Identity: "1",
	})
	fmt.Println(product(nd.FromSlice([]int32{2, 3, 7})).Item())
	// Output: 42
}

func ExampleRawKernel() {
	double := nd.NewRawKernel(`extern "C" __global__ void twice(float *x, int n) {
		int i = blockIdx.x * blockDim.x + threadIdx.x;
		if (i < n)
			x[i] *= 2;
	}`, "twice")
	x := nd.FromSlice([]float32{1, 2, 3})
	if err := double.Launch(gpu.For(3, 256), x, 3); err != nil {
		fmt.Println(err)
	}
	fmt.Println(x.ToHost())
	// Output: [2 4 6]
}

func ExampleLoop() {
	x, a := nd.Ones[float64](3), nd.FromSlice([]float64{2, 9, 100})
	nd.Loop(10, func() { // Newton's method for square roots
		x = x.Add(a.Div(x)).MulScalar(0.5)
	}, &x)
	fmt.Printf("%.4f\n", x.ToHost())
	// Output: [1.4142 3.0000 10.0000]
}
