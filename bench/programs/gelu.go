package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const geluColumns = 4096

var gelu = program{
	name: "gelu", what: "product of 8192 × 4096 and 4096², bias, GELU", size: 8192,
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n*geluColumns, 0).SubScalar(0.5).Reshape(n, geluColumns).Eval()
		w := uniform(geluColumns*geluColumns, 1).SubScalar(0.5).Reshape(geluColumns, geluColumns).Eval()
		bias := uniform(geluColumns, 2)
		return func() []nd.Operand {
			y := nd.MatMul(x, w).Add(bias)
			inner := y.Mul(y).Mul(y).MulScalar(0.044715).Add(y).MulScalar(0.7978846)
			return []nd.Operand{y.Mul(nd.Tanh(inner).AddScalar(1)).MulScalar(0.5).Eval()}
		}
	},
}
