package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var shown any

func main() {
	x := nd.Zeros[float32](3)
	shown = x.Add(x)
}
