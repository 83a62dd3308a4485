// Command shared is a library for Python that makes arrays, and takes those of others.
package main

import "C"

import (
	"fmt"
	"os"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/dlpack"
)

var (
	matrix   *nd.Array[float32]
	received nd.Operand
)

// export_matrix is a view of the columns of 0, 1, 2 … 11 in three rows.
//
//export export_matrix
func export_matrix() unsafe.Pointer {
	matrix = nd.Arange[float32](12).Reshape(3, 4).Eval()
	t, err := dlpack.Export(matrix.T())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return nil
	}
	return unsafe.Pointer(t)
}

// matrix_sum returns the sum of the elements of the matrix.
//
//export matrix_sum
func matrix_sum() float64 { return float64(matrix.Sum().Item()) }

// receive makes an array of a tensor and sums it.
//
//export receive
func receive(t unsafe.Pointer) float64 {
	var err error
	if received, err = dlpack.Import((*dlpack.ManagedTensorVersioned)(t)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return -1
	}
	return float64(received.(*nd.Array[float32]).Sum().Item())
}

func main() {}
