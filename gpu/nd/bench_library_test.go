package nd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// BenchmarkMatMul and BenchmarkFFT are to be compared with the times of direct calls of the libraries. The simulator gets smaller
// problems.
func BenchmarkMatMul(b *testing.B) {
	n := onSize(b, 8192, 256)
	x, y := nd.Ones[float32](n, n).Eval(), nd.Ones[float32](n, n).Eval()
	waited(b, func() { _ = nd.MatMul(x, y).Free() })
	b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)*batch/b.Elapsed().Seconds()/1e12, "TFLOP/s")
}

func BenchmarkFFT(b *testing.B) {
	n := onSize(b, 1<<26, 1<<16)
	x := nd.Ones[complex64](n).Eval()
	waited(b, func() { _ = nd.FFT(x).Free() })
	b.ReportMetric(16*float64(n)*float64(b.N)*batch/b.Elapsed().Seconds()/1e9, "GB/s")
}

// BenchmarkCSR compares the kernel for products of sparse matrices and vectors with the library.
func BenchmarkCSR(b *testing.B) {
	rows := onSize(b, 1<<20, 1<<10)
	r := rand.New(rand.NewPCG(1, 2))
	anywhere := func(int, int) int { return r.IntN(rows) }
	around := func(row, k int) int {
		return (row + []int{-int(math.Sqrt(float64(rows))), -1, 0, 1, int(math.Sqrt(float64(rows)))}[k] + rows) % rows
	}
	always := func(n int) func() int { return func() int { return n } }
	upTo := func(n int) func() int { return func() int { return r.IntN(n + 1) } }
	for _, c := range []struct {
		name   string
		rows   int
		length func() int
		column func(row, k int) int
	}{
		{"2, anywhere", rows, always(2), anywhere},
		{"5, around", rows, always(5), around},
		{"8, anywhere", rows, always(8), anywhere},
		{"up to 16, anywhere", rows, upTo(16), anywhere},
		{"up to 32, anywhere", rows / 2, upTo(32), anywhere},
		{"up to 64, in a band", rows / 4, upTo(64), func(row, k int) int { return row + k }},
		{"up to 200, in a band", rows / 8, upTo(200), func(row, k int) int { return row + k }},
		{"500, in a band", rows / 32, always(500), func(row, k int) int { return row + k }},
		{"5, around, few", 1 << 14, always(5), around},
	} {
		start, column := []int32{0}, []int32{}
		for row := range c.rows {
			for k := range c.length() {
				column = append(column, int32(c.column(row, k)))
			}
			start = append(start, int32(len(column)))
		}
		benchmarkCSR[float32](b, c.name+", float32", rows, start, column)
		benchmarkCSR[float64](b, c.name+", float64", rows, start, column)
	}
}

func benchmarkCSR[T float32 | float64](b *testing.B, name string, cols int, start, column []int32) {
	m := nd.NewCSR(len(start)-1, cols, nd.FromSlice(start), nd.FromSlice(column), nd.Ones[T](len(column)).Eval())
	x := nd.Ones[T](cols).Eval()
	for _, by := range []struct {
		name string
		m    *nd.CSR[T]
	}{{"kernel", m}, {"library", nd.ByLibrary(m)}} {
		b.Run(name+"/"+by.name, func(b *testing.B) {
			const products = 20 // so many that waits do not count
			waited(b, func() {
				for range products {
					_ = by.m.Dot(x).Free()
				}
			})
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*batch*products), "µs/product")
		})
	}
}

// BenchmarkInner compares the kernel for inner products with the library.
func BenchmarkInner(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 26} {
		n = onSize(b, n, min(n, 1<<16))
		benchmarkInner[float32](b, n)
		benchmarkInner[float64](b, n)
	}
}

func benchmarkInner[T float32 | float64](b *testing.B, n int) {
	x, y := nd.Ones[T](n).Eval(), nd.Ones[T](n).Eval()
	for _, by := range []struct {
		name string
		dot  func(x, y *nd.Array[T]) *nd.Array[T]
	}{{"kernel", nd.Dot[T]}, {"library", nd.InnerByLibrary[T]}} {
		b.Run(fmt.Sprintf("%d %vs/%s", n, x.DType(), by.name), func(b *testing.B) {
			const products = 20
			waited(b, func() {
				for range products {
					_ = by.dot(x, y).Free()
				}
			})
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*batch*products), "µs/product")
		})
	}
}

func onSize(b *testing.B, gpuSize, simSize int) int {
	d, err := gpu.Current()
	if err != nil {
		b.Fatal(err)
	}
	if d.Name() == "sim" {
		return simSize
	}
	return gpuSize
}

// batch is how often f is run before a wait.
const batch = 5

func waited(b *testing.B, f func()) {
	f()
	sync := func() {
		if err := gpu.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	sync()
	for b.Loop() {
		for range batch {
			f()
		}
		sync()
	}
}
