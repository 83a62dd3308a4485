package nd_test

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// BenchmarkSmallAdd measures the time that one a + b of 1000 elements takes in the program.
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

// BenchmarkRequest measures the time to prepare the launch of a cached kernel, without the launch.
func BenchmarkRequest(b *testing.B) {
	x, y := nd.Ones[float32](64, 1000).Eval(), nd.Ones[float32](64, 1000).Eval()
	row, t := nd.Ones[float32](1000).Eval(), nd.Ones[float32](1000, 64).Eval().T()
	image, weight := nd.Ones[float32](64, 64).Eval(), func(i int) float32 { return float32(i) }
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"add", func() { x.Add(y).Eval() }},
		{"broadcast", func() { x.Add(row).Eval() }},
		{"transposed", func() { x.Add(t).Eval() }},
		{"filter", func() { filtered(image, 5, weight).Eval() }},
		{"neighbours", func() { around(image).Eval() }},
		{"sum", func() { x.Sum() }},
		{"sum of rows", func() { x.Sum(1) }},
		{"sum of columns", func() { x.Add(row).Sum(0) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.run()
			b.ReportAllocs()
			nd.Rehearse(func() {
				for b.Loop() {
					c.run()
				}
			})
		})
	}
}

// BenchmarkBuild measures the time to make an expression of 25 views, products and sums.
func BenchmarkBuild(b *testing.B) {
	x := nd.Ones[float32](512, 512).Eval()
	b.ReportAllocs()
	for b.Loop() {
		filtered(x, 5, func(i int) float32 { return float32(i) })
	}
}
