package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

type floats = *nd.Array[float32]

// spread is how inputs are placed: on one device, or split along their first axis.
type spread func(x floats) floats

// sharded are programs that are measured on one device and on all devices of its kind. prepare makes inputs of that size and places them.
var sharded = []struct {
	what    string
	size    int
	prepare func(n int, place spread) func() nd.Operand
}{
	{"sum of two arrays, 2^28", 1 << 28, sumOfArrays},
	{"sum of two arrays, 2^30", 1 << 30, sumOfArrays},
	{"sum of the elements, 2^29", 1 << 29, sumOfElements},
	{"sum of the elements, 2^31", 1 << 31, sumOfElements},
	{"product of 2^14 × 2^13 and 2^13 × 2^13", 1 << 14, func(n int, place spread) func() nd.Operand {
		x, w := place(uniform(n*n/2, 0).Reshape(n, n/2)), uniform(n*n/4, 1).Reshape(n/2, n/2)
		if axis, _ := nd.Sharding(x); axis == 0 {
			w = nd.Replicate(w)
		}
		return func() nd.Operand { return nd.MatMul(x, w) }
	}},
	{"k-means, 2^22 × 8, 32 centres, 10 rounds", 1 << 22, kmeansOf},
	{"k-means, 2^25 × 8, 32 centres, 10 rounds", 1 << 25, kmeansOf},
}

func sumOfArrays(n int, place spread) func() nd.Operand {
	x, y := place(uniform(n, 0)), place(uniform(n, 1))
	return func() nd.Operand { return x.Add(y).Eval() }
}

func sumOfElements(n int, place spread) func() nd.Operand {
	x := place(uniform(n, 0))
	return func() nd.Operand { return x.Sum() }
}

func kmeansOf(n int, place spread) func() nd.Operand {
	points := place(uniform(n*kmeansAxes, 0).Reshape(n, kmeansAxes))
	return func() nd.Operand { return centresOf(points) }
}

// measureShards prints the time of each program on one device and on all, the devices waited for.
func measureShards(divide int) {
	d := must(gpu.Current())
	devices := must(d.Alike())
	fmt.Printf("%s, %d × %s, %s, sizes divided by %d\n\n| program | one | all | ratio |\n|---|--:|--:|--:|\n",
		time.Now().Format(time.DateOnly), len(devices), d, runtime.Version(), divide)
	for _, p := range sharded {
		one := timeOf([]*gpu.Device{d}, p.prepare(p.size/divide, func(x floats) floats { return x.Eval() }))
		all := timeOf(devices, p.prepare(p.size/divide, func(x floats) floats { return nd.Shard(x, 0) }))
		fmt.Printf("| %s | %s | %s | %.2f |\n", p.what, milliseconds(one), milliseconds(all), one/all)
	}
}

// timeOf returns the median wall time of a program in ms, and frees what it returns.
func timeOf(devices []*gpu.Device, run func() nd.Operand) float64 {
	var times []time.Duration
	awake := nd.Replicate(nd.Ones[float32](1), devices...)
	for i := range rounds + mostRounds/5 {
		// As for the other programs, the devices' processes, which have gone to sleep meanwhile, have work again.
		for range 10 {
			awake.Neg().Eval()
			wait(devices)
		}
		start := time.Now()
		result := run()
		wait(devices)
		if i >= 2 { // the first compiles
			times = append(times, time.Since(start))
		}
		runtime.KeepAlive(result)
		runtime.GC()
	}
	slices.Sort(times)
	return times[len(times)/2].Seconds() * 1e3
}

func wait(devices []*gpu.Device) {
	for _, d := range devices {
		check(d.Sync())
	}
}
