package gpu

import "fmt"

// The functions and types in this file are for kernels written in Go.

// MatrixSize is the number of rows and columns of the matrices that a warp multiplies at once.
const MatrixSize = 16

// Half is a constraint that permits the 16-bit floats, which tensor cores multiply.
type Half interface{ Float16 | BFloat16 }

// A MatrixA is the first factor of a product: 16 rows of 16 elements, which the threads of a warp hold together. LoadMatrixA returns it.
// With MatrixB, Accumulator and MultiplyAdd it is CUDA's nvcuda::wmma, which runs on tensor cores.
//
//	//gpu:kernel
//	func multiply(a, b []gpu.Float16, c []float32, n int) {
//		row, col := gpu.BlockIdx().Y*gpu.MatrixSize, gpu.BlockIdx().X*gpu.MatrixSize
//		var sum gpu.Accumulator
//		for k := 0; k < n; k += gpu.MatrixSize {
//			sum = gpu.MultiplyAdd(gpu.LoadMatrixA(a[row*n+k:], n), gpu.LoadMatrixB(b[k*n+col:], n), sum)
//		}
//		sum.Store(c[row*n+col:], n)
//	}
//	err := multiply.Launch(gpu.Launch{Grid: gpu.Dim(n/16, n/16), Block: gpu.Dim(32)}, a, b, c, n)
type MatrixA[T Half] struct {
	at [MatrixSize * MatrixSize]float32
}

// A MatrixB is the second factor of a product, as MatrixA.
type MatrixB[T Half] struct {
	at [MatrixSize * MatrixSize]float32
}

// An Accumulator is the sum of products: 16 rows of 16 float32, which the threads of a warp hold together. The zero Accumulator is zeros.
type Accumulator struct {
	at [MatrixSize * MatrixSize / 32]float32 // of this thread
}

// LoadMatrixA returns the 16 × 16 elements that begin at x[0], row by row, where stride elements are from row to row. Stride is a multiple of 8,
// and the address of x[0] one of 32 bytes. All threads of the warp must call it with the same arguments.
func LoadMatrixA[T Half](x []T, stride int) MatrixA[T] {
	thread("LoadMatrixA")
	return MatrixA[T]{loadMatrix(x, stride)}
}

// LoadMatrixB is LoadMatrixA for the second factor.
func LoadMatrixB[T Half](x []T, stride int) MatrixB[T] {
	thread("LoadMatrixB")
	return MatrixB[T]{loadMatrix(x, stride)}
}

func loadMatrix[T Half](x []T, stride int) (at [MatrixSize * MatrixSize]float32) {
	checkMatrix(len(x), stride, 8)
	for i := range at {
		v := x[i/MatrixSize*stride+i%MatrixSize]
		switch v := any(v).(type) {
		case Float16:
			at[i] = v.Float32()
		case BFloat16:
			at[i] = v.Float32()
		}
	}
	return at
}

// checkMatrix panics if there are too few elements for a matrix, or if the stride does not suit.
func checkMatrix(elements, stride, multiple int) {
	if stride < MatrixSize || stride%multiple != 0 {
		panic(fmt.Sprintf("the stride of a matrix is %d: it is %d or more, and a multiple of %d", stride, MatrixSize, multiple))
	}
	if last := (MatrixSize-1)*stride + MatrixSize; elements < last {
		panic(fmt.Sprintf("index out of range [%d] with length %d", last-1, elements))
	}
}

// MultiplyAdd returns a·b + c: products of 16-bit floats, added in float32 in no particular order. All threads of the warp must call it.
func MultiplyAdd[T Half](a MatrixA[T], b MatrixB[T], c Accumulator) Accumulator {
	for i := range c.at {
		row, col := c.place(i)
		sum := float64(c.at[i])
		for k := range MatrixSize {
			sum += float64(a.at[row*MatrixSize+k]) * float64(b.at[k*MatrixSize+col])
		}
		c.at[i] = float32(sum)
	}
	return c
}

// place returns the row and the column of the i-th element of this thread.
func (c *Accumulator) place(i int) (row, col int) {
	at := thread("Accumulator").Lane*len(c.at) + i
	return at / MatrixSize, at % MatrixSize
}

// LoadAccumulator returns the 16 × 16 elements that begin at x[0], row by row, where stride elements are from row to row. Stride is a multiple
// of 4, and the address of x[0] one of 32 bytes. All threads of the warp must call it with the same arguments.
func LoadAccumulator(x []float32, stride int) (c Accumulator) {
	checkMatrix(len(x), stride, 4)
	for i := range c.at {
		row, col := c.place(i)
		c.at[i] = x[row*stride+col]
	}
	return c
}

// Store stores the elements row by row, beginning at x[0], as LoadAccumulator reads them. All threads of the warp must call it with the same
// arguments.
func (c Accumulator) Store(x []float32, stride int) {
	checkMatrix(len(x), stride, 4)
	for i, v := range c.at {
		row, col := c.place(i)
		x[row*stride+col] = v
	}
}

// Scale returns the elements times f.
func (c Accumulator) Scale(f float32) Accumulator {
	for i := range c.at {
		c.at[i] *= f
	}
	return c
}
