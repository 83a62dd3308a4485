package random_test

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/nd/random"
)

func Example() {
	rng := random.New(42)
	x := random.Normal[float32](rng, 0, 1, 2, 3)
	dice := random.Integers(rng, 1, 7, 10)
	fmt.Println(x.Shape(), dice.Size())
	// Output: [2 3] 10
}

func ExampleGenerator_Stream() {
	x := random.Random[float64](random.New(7), 1000) // on the device
	host := random.New(7).Stream()                   // the same numbers in plain Go
	fmt.Println(x.At(123).Item() == host.Float64(123))
	// Output: true
}
