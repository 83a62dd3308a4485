package nd_test

import (
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
