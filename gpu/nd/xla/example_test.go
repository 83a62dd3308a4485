package xla_test

import (
	"fmt"
	"log"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/xla"
)

// It runs where XLA's plugin is, which Find looks for.
func ExampleProgram_Run() {
	c, err := xla.Open()
	if err != nil {
		log.Fatal(err)
	}
	f, err := c.Compile([]byte(`func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
		%y = stablehlo.multiply %x, %x : tensor<4xf32>
		return %y : tensor<4xf32>
	}`))
	if err != nil {
		log.Fatal(err)
	}
	out, err := f.Run(nd.Arange[float32](4))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Inputs(), out[0].(*nd.Array[float32]).ToHost())
}
