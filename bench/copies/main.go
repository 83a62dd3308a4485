// Command copies measures copies between host memory and the device from Go, as copies.cu
// describes. Run both on one machine, one after the other:
//
//	nvcc -O2 -o copies copies.cu && ./copies
//	GOPHERWARP_BIN=../../bin/gopherwarp go run .
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
)

const (
	warmUp = 3
	runs   = 20
	bytes  = 512 << 20
)

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
	s := device.NewStream()
	b := gpu.Zeros[byte](bytes)
	pinned, ordinary := gpu.Pinned[byte](bytes), make([]byte, bytes)
	for i := range pinned {
		pinned[i], ordinary[i] = 1, 1
	}
	for _, line := range []struct {
		name     string
		up, down func() error
	}{
		{
			"Go, pinned",
			func() error { return errors.Join(b.CopyFromAsync(s, pinned), s.Sync()) },
			func() error { return errors.Join(b.CopyToAsync(s, pinned), s.Sync()) },
		},
		{
			"Go, ordinary slices",
			func() error { return errors.Join(b.CopyFrom(ordinary), gpu.Sync()) },
			func() error { return b.CopyTo(ordinary) },
		},
	} {
		up, err := rate(line.up)
		if err != nil {
			return err
		}
		down, err := rate(line.down)
		if err != nil {
			return err
		}
		fmt.Printf("%-21s %6.2f GB/s to the device  %6.2f GB/s from it  (%s)\n", line.name, up, down, device.Properties().Name)
	}
	return gpu.Unpin(pinned)
}

// rate returns the median rate in GB/s.
func rate(copy func() error) (float64, error) {
	var times []float64
	for i := range warmUp + runs {
		start := time.Now()
		if err := copy(); err != nil {
			return 0, err
		}
		if i >= warmUp {
			times = append(times, time.Since(start).Seconds())
		}
	}
	slices.Sort(times)
	return bytes / times[runs/2] / 1e9, nil
}
