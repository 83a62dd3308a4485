// Command launch measures kernel launches from Go, as launch.cu describes, with the calls that %%cuda generates. Run all
// three on one machine, one after the other:
//
//	nvcc -O2 -o launch launch.cu -lcuda && ./launch
//	python3 launch_cupy.py
//	GOPHERWARP_BIN=../../bin/gopherwarp go run .
//
// A launch from Go only writes a record that the device process reads later. So compare the last figure, the time per launch
// until all are done.
package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
)

const batch = 500

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	device, err := gpu.Current()
	if err != nil {
		return err
	}
	mod, err := gpu.Compile(`extern "C" __global__ void empty(float a, const float *x, float *y) {}`)
	if err != nil {
		return err
	}
	kernel, err := mod.Kernel("empty")
	if err != nil {
		return err
	}
	x := gpu.Zeros[float32](1024)
	var first error
	launch := func() {
		c := kernel.Begin(gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(128)})
		c.Float32(2)
		gpu.PassPointer(c, x)
		gpu.PassPointer(c, x)
		if err := c.Do(); err != nil && first == nil {
			first = err
		}
	}
	sync := func() {
		if err := gpu.Sync(); err != nil && first == nil {
			first = err
		}
	}
	medianNS(20, sync, launch, func() {}) // warm-up
	fmt.Printf("Go, typed            %7.0f ns/launch  %7.0f ns/launch+sync  %7.0f ns/launch until done  (%s)\n",
		medianNS(400, sync, launch, func() {}),
		medianNS(100, sync, func() { launch(); sync() }, func() {}),
		medianNS(400, sync, launch, sync),
		device.Properties().Name)
	return first
}

// medianNS returns the median time of a call in ns, in batches that begin with the device idle. The time of end is
// part of the batch.
func medianNS(batches int, begin, one, end func()) float64 {
	times := make([]float64, batches)
	for i := range times {
		begin()
		start := time.Now()
		for range batch {
			one()
		}
		end()
		times[i] = float64(time.Since(start).Nanoseconds()) / batch
	}
	slices.Sort(times)
	return times[batches/2]
}
