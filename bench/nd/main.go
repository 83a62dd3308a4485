// Command nd measures arrays on the current device: rates of large operations, the CPU time of a small one, and how the time
// of a + b grows with the size. It prints a line "name value unit" for each, as peers.py does for CuPy, PyTorch and JAX.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/random"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

func main() {
	log2 := flag.Int("log2", 28, "elements of a large array, as a power of two")
	curve := flag.Bool("curve", false, "time a + b for 2^10 to 2^30 elements only")
	flag.Parse()
	err := nd.Try(func() {
		if *curve {
			growth()
			return
		}
		rates(1 << *log2)
		small()
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// work is an operation that is measured, and the minimum number of bytes that it reads and writes (or of items that it sorts).
type work struct {
	name  string
	bytes int
	run   func() interface{ Free() error }
}

// seconds returns the median device time of 20 runs.
func seconds(run func() interface{ Free() error }) float64 {
	t, err := prof.Time(func() error { return run().Free() }, prof.WithWarmUps(3), prof.WithMaxRuns(20))
	if err != nil {
		panic(err)
	}
	return t.Median.Seconds()
}

func rates(n int) {
	a := nd.Full[float32](1.5, n).Eval()
	b := nd.Full[float32](2.5, n).Eval()
	rows := 1 << 14
	m := a.Reshape(n/rows, rows)
	row := b.Slice(nd.To(rows))
	bytes := nd.Full[uint8](1, n/rows*2, rows*2).Eval()
	ints := nd.Full[int32](1, n).Eval()
	list := []work{
		{"add", 12 * n, func() interface{ Free() error } { return a.Add(b).Eval() }},
		{"fused sqrt(a*a+b*b)", 12 * n, func() interface{ Free() error } { return nd.Sqrt(a.Mul(a).Add(b.Mul(b))).Eval() }},
		{"copy", 8 * n, func() interface{ Free() error } { return a.Copy() }},
		{"fill", 4 * n, func() interface{ Free() error } { return nd.Full[float32](1, n).Eval() }},
		{"add row", 8 * n, func() interface{ Free() error } { return m.Add(row).Eval() }},
		{"add unaligned", 12 * n, func() interface{ Free() error } { return a.Slice(nd.From(1)).Add(b.Slice(nd.To(n - 1))).Eval() }},
		{"every second", 6 * n, func() interface{ Free() error } { return a.Slice(nd.All.By(2)).Copy() }},
		{"transpose", 8 * n, func() interface{ Free() error } { return m.T().Copy() }},
		{"transpose, bytes", 2 * 4 * n, func() interface{ Free() error } { return bytes.T().Copy() }},
		{"sum", 4 * n, func() interface{ Free() error } { return a.Sum() }},
		{"sum of rows", 4 * n, func() interface{ Free() error } { return m.Sum(1) }},
		{"sum of columns", 4 * n, func() interface{ Free() error } { return m.Sum(0) }},
		{"argmax", 4 * n, func() interface{ Free() error } { return nd.Argmax(a) }},
		{"norm, computed on the way", 4 * n, func() interface{ Free() error } { return nd.Norm(a).Eval() }},
		{"cumsum", 8 * n, func() interface{ Free() error } { return nd.Cumsum(a) }},
		{"cumsum of rows", 8 * n, func() interface{ Free() error } { return nd.Cumsum(m, 1) }},
		{"cumsum int32", 8 * n, func() interface{ Free() error } { return nd.Cumsum(ints) }},
		{"astype float64", 12 * n, func() interface{ Free() error } { return nd.AsType[float64](a).Eval() }},
	}
	sorting(n / 4)
	g := random.New(1)
	list = append(list, []work{
		{"random float32", 4 * n, func() interface{ Free() error } { return random.Random[float32](g, n) }},
		{"random float64", 8 * n, func() interface{ Free() error } { return random.Random[float64](g, n) }},
		{"normal float32", 4 * n, func() interface{ Free() error } { return random.StandardNormal[float32](g, n) }},
		{"normal float64", 8 * n, func() interface{ Free() error } { return random.StandardNormal[float64](g, n) }},
		{"exponential float32", 4 * n, func() interface{ Free() error } { return random.Exponential[float32](g, 1, n) }},
		{"integers int32", 4 * n, func() interface{ Free() error } { return random.Integers[int32](g, 0, 1000, n) }},
	}...)
	for _, w := range list {
		fmt.Printf("%-28s %8.3f TB/s\n", w.name, float64(w.bytes)/seconds(w.run)/1e12)
	}
}

// sorting prints the number of elements sorted per second.
func sorting(n int) {
	g := random.New(1)
	ints := random.Integers[int32](g, math.MinInt32, math.MaxInt32, n)
	same := nd.Zeros[float32](n)
	floats := random.Random[float32](g, n)
	for _, w := range []work{
		{"sort int32", n, func() interface{ Free() error } { return nd.Sort(ints) }},
		{"sort float32", n, func() interface{ Free() error } { return nd.Sort(floats) }},
		{"sort float32, one number", n, func() interface{ Free() error } { return nd.Sort(same) }},
		{"argsort float32", n, func() interface{ Free() error } { return nd.Argsort(floats).Eval() }},
	} {
		fmt.Printf("%-28s %8.3f G/s\n", w.name, float64(w.bytes)/seconds(w.run)/1e9)
	}
}

// small prints the CPU time of one operation on 1000 elements, without waiting for its result.
func small() {
	x, y := nd.Ones[float32](1000).Eval(), nd.Ones[float32](1000).Eval()
	var list []float64
	for range 30 {
		const each = 200
		if err := gpu.Sync(); err != nil {
			panic(err)
		}
		start := time.Now()
		for range each {
			x.Add(y).Eval()
		}
		list = append(list, float64(time.Since(start).Nanoseconds())/each/1e3)
	}
	slices.Sort(list)
	fmt.Printf("%-28s %8.3f µs\n", "small add, CPU", list[len(list)/2])
}

func growth() {
	for p := 10; p <= 30; p++ {
		n := 1 << p
		a, b := nd.Ones[float32](n).Eval(), nd.Ones[float32](n).Eval()
		s := seconds(func() interface{ Free() error } { return a.Add(b).Eval() })
		fmt.Printf("a+b 2^%-2d %12.3f µs %8.3f TB/s\n", p, s*1e6, float64(12*n)/s/1e12)
		_, _ = a.Free(), b.Free()
	}
}
