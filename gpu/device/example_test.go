package device_test

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
)

func ExampleServe() {
	// In a program this is main.
	device.Serve()

	x := gpu.ToDevice([]float32{1, 2, 3})
	if err := gpu.Sync(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.ToHost())
	// Output: [1 2 3]
}
