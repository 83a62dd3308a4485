// Command arrayfuncs measures Go functions that package nd calls for the elements of arrays beside the same in the package's own functions,
// in one run. It prints the device time, and the bytes that are read and written in that time.
//
//	go generate ./bench/arrayfuncs && go run ./bench/arrayfuncs
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/random"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

func main() {
	device.Serve()
	if err := nd.Try(measure); err != nil {
		fmt.Fprintln(os.Stderr, "arrayfuncs:", err)
		os.Exit(1)
	}
}

// A contest is an array in two ways, whose elements are equal.
type contest struct {
	name  string
	bytes int // read and written
	// own is with package nd's own functions, and function with a Go function.
	own, function func() nd.Operand
	same          func() bool
}

// contestOf returns the contest of two expressions.
func contestOf[T nd.Elem](name string, bytes int, own, function func() *nd.Array[T]) contest {
	return contest{
		name, bytes, func() nd.Operand { return own().Eval() }, func() nd.Operand { return function().Eval() },
		func() bool { return own().Equal(function()).All().Item() },
	}
}

func measure() {
	d, err := gpu.Current()
	if err != nil {
		panic(err)
	}
	n := 1 << 26
	if d.Properties().Simulated {
		n = 1 << 20
	}
	rng := random.New(1)
	x, y := random.Random[float32](rng, n), random.Random[float32](rng, n)
	table, row := x.Reshape(n/1024, 1024), random.Random[float32](rng, 1024)
	whole := random.Integers[int64](rng, -5, 5, n)
	contests := []contest{
		contestOf("x*x + y", 12*n, func() *nd.Array[float32] { return x.Mul(x).Add(y) }, func() *nd.Array[float32] { return nd.Map2(x, y, squarePlus) }),
		contestOf("x*x + row", 8*n, func() *nd.Array[float32] { return table.Mul(table).Add(row) }, func() *nd.Array[float32] { return nd.Map2(table, row, squarePlus) }),
		contestOf("(x+y)² + 2y, fused", 12*n, func() *nd.Array[float32] { return x.Add(y).Mul(x.Add(y)).Add(y.MulScalar(2)) },
			func() *nd.Array[float32] { return nd.Map2(x.Add(y), y.MulScalar(2), squarePlus) }),
		contestOf("logistic", 8*n, func() *nd.Array[float32] { return nd.Reciprocal(nd.Exp(x.Neg()).AddScalar(1)) }, func() *nd.Array[float32] { return nd.Map(x, logistic) }),
		contestOf("from 0.25 to 0.75", 8*n, func() *nd.Array[float32] { return x.MaximumScalar(0.25).MinimumScalar(0.75) }, func() *nd.Array[float32] { return nd.Map(x, clamped) }),
		contestOf("largest of x", 4*n, func() *nd.Array[float32] { return x.Max() }, func() *nd.Array[float32] { return nd.Reduce(x, greater, 0) }),
		contestOf("largest of rows", 4*n, func() *nd.Array[float32] { return table.Max(1) }, func() *nd.Array[float32] { return nd.Reduce(table, greater, 0, 1) }),
		contestOf("largest of columns", 4*n, func() *nd.Array[float32] { return table.Max(0) }, func() *nd.Array[float32] { return nd.Reduce(table, greater, 0, 0) }),
		contestOf("largest so far", 8*n, func() *nd.Array[float32] { return nd.Cummax(x) }, func() *nd.Array[float32] { return nd.Accumulate(x, greater) }),
		contestOf("sums so far of int64", 16*n, func() *nd.Array[int64] { return nd.Cumsum(whole) }, func() *nd.Array[int64] { return nd.Accumulate(whole, sum64) }),
	}
	fmt.Printf("%s, %s, %d elements, device time, median of the best of 3 rounds\n\n", time.Now().Format(time.DateOnly), d, n)
	fmt.Println("| | package nd | | Go function | | ratio | equal |\n|---|--:|--:|--:|--:|--:|---|")
	for _, c := range contests {
		var times [2]time.Duration
		for round := range 3 { // in turns, so that the clock is the same for both
			for i, f := range []func() nd.Operand{c.own, c.function} {
				t, err := prof.Time(func() error { f(); return nil })
				if err != nil {
					panic(fmt.Errorf("%s: %w", c.name, err))
				}
				if round == 0 || t.Median < times[i] {
					times[i] = t.Median
				}
			}
		}
		rate := func(t time.Duration) float64 { return float64(c.bytes) / t.Seconds() / 1e9 }
		fmt.Printf("| %s | %v | %.0f GB/s | %v | %.0f GB/s | %.3f | %v |\n", c.name, times[0], rate(times[0]), times[1], rate(times[1]),
			float64(times[1])/float64(times[0]), c.same())
	}
}
