package dlpack_test

import (
	"fmt"
	"log"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/dlpack"
)

// C gets a pointer to the tensor, here of a transposed matrix.
func ExampleExport() {
	a := nd.Arange[float32](6).Reshape(2, 3)
	t, err := dlpack.Export(a.T())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Major, t.Tensor.NDim, t.Tensor.DType)
	// A consumer would call the deleter. Import does.
	b, err := dlpack.Import(t)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(b.(*nd.Array[float32]).Shape())
	// Output:
	// 1 2 float32
	// [3 2]
}
