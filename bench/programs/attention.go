package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const headSize = 64

var attention = program{
	name: "attention", what: "attention, one head, 8192 × 64", size: 8192,
	prepare: func(n int) func() []nd.Operand {
		head := func(k uint64) *nd.Array[float32] { return uniform(n*headSize, k).Reshape(n, headSize).Eval() }
		q, k, v := head(0), head(1), head(2)
		return func() []nd.Operand {
			scores := nd.MatMul(q, k.T()).MulScalar(1.0 / 8)
			e := nd.Exp(scores.Sub(scores.Max(1).ExpandDims(1)))
			return []nd.Operand{nd.MatMul(e.Div(e.Sum(1).ExpandDims(1)), v)}
		}
	},
}
