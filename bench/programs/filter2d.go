package main

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

const filterSide = 5

var filter2D = program{
	name: "filter2d", what: "2-D convolution, 8192² by 5 × 5, by views", size: 1 << 26, bytes: linear(8),
	prepare: func(n int) func() []nd.Operand {
		side := int(math.Sqrt(float64(n)))
		x := uniform(side*side, 0).Reshape(side, side)
		weights := uniform(filterSide*filterSide, 1).ToHost()
		out := side - filterSide + 1
		return func() []nd.Operand {
			sum := nd.Scalar[float32](0)
			for i := range filterSide {
				for j := range filterSide {
					sum = sum.Add(x.Slice(nd.R(i, i+out), nd.R(j, j+out)).MulScalar(weights[i*filterSide+j]))
				}
			}
			return []nd.Operand{sum.Eval()}
		}
	},
}
