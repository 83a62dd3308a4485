package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const walkSteps = 1 << 14

var walks = program{
	name: "walks", what: "random walks, 4096 of 2^14 steps, their maxima", size: 4096, bytes: linear(4 * walkSteps),
	prepare: func(n int) func() []nd.Operand {
		u := uniform(n*walkSteps, 0).Reshape(n, walkSteps)
		return func() []nd.Operand {
			steps := nd.Where(u.LessScalar(0.5), nd.Scalar[float32](-1), nd.Scalar[float32](1))
			return []nd.Operand{nd.Cumsum(steps, 1).Max(1)}
		}
	},
}
