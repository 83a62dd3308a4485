package random

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// BenchmarkFill measures how quickly arrays are filled. The simulator gets fewer elements.
func BenchmarkFill(b *testing.B) {
	d, err := gpu.Current()
	if err != nil {
		b.Fatal(err)
	}
	n := 1 << 28
	if d.Name() == "sim" {
		n = 1 << 20
	}
	g := New(1)
	filling(b, "Random[float32]", n, func() *nd.Array[float32] { return Random[float32](g, n) })
	filling(b, "Random[float64]", n, func() *nd.Array[float64] { return Random[float64](g, n) })
	filling(b, "StandardNormal[float32]", n, func() *nd.Array[float32] { return StandardNormal[float32](g, n) })
	filling(b, "StandardNormal[float64]", n, func() *nd.Array[float64] { return StandardNormal[float64](g, n) })
	filling(b, "Exponential[float32]", n, func() *nd.Array[float32] { return Exponential[float32](g, 1, n) })
	filling(b, "Integers[int32]", n, func() *nd.Array[int32] { return Integers[int32](g, 0, 1000, n) })
	filling(b, "Poisson[int32]", n/16, func() *nd.Array[int32] { return Poisson[int32](g, 100, n/16) })
	filling(b, "Permutation", n/16, func() *nd.Array[int64] { return Permutation(g, n/16) })
}

func filling[T nd.Elem](b *testing.B, name string, n int, fill func() *nd.Array[T]) {
	b.Run(name, func(b *testing.B) {
		once := fill()
		b.SetBytes(10 * int64(once.Bytes()))
		sync := func() {
			if err := gpu.Sync(); err != nil {
				b.Fatal(err)
			}
		}
		_ = once.Free()
		sync()
		for b.Loop() {
			const batch = 10 // so that a wait costs little
			for range batch {
				_ = fill().Free()
			}
			sync()
		}
		b.ReportMetric(10*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gnumbers/s")
	})
}
