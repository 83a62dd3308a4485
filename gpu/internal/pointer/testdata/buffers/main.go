package main

import "github.com/gopherwarp/gopherwarp/gpu"

var shown any

func main() {
	x := gpu.ToDevice([]float32{1, 2})
	shown = x.ToHost()
	shown = x
}
