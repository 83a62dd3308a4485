package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// BenchmarkSmallAdd is what one a + b of 1000 elements costs the program that asks for it.
func BenchmarkSmallAdd(b *testing.B) {
	x, y := nd.Ones[float32](1000).Eval(), nd.Ones[float32](1000).Eval()
	x.Add(y).Eval()
	b.ReportAllocs()
	for b.Loop() {
		x.Add(y).Eval()
	}
	if err := gpu.Sync(); err != nil {
		b.Fatal(err)
	}
}
