package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const nearestCentres, nearestColumns = 4096, 32

var nearest = program{
	name: "nearest", what: "the nearest of 4096 points for each of 2^16, 32 columns", size: 1 << 16,
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n*nearestColumns, 0).Reshape(n, nearestColumns).Eval()
		centres := uniform(nearestCentres*nearestColumns, 1).Reshape(nearestCentres, nearestColumns).Eval()
		return func() []nd.Operand {
			squares := centres.Mul(centres).Sum(1)
			return []nd.Operand{nd.Argmin(squares.Sub(nd.MatMul(x, centres.T()).MulScalar(2)), 1)}
		}
	},
}
