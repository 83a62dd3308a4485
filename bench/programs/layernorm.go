package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const layerColumns = 16384

var layerNorm = program{
	name: "layernorm", what: "layer norm of the rows of 8192 × 16384", size: 8192, bytes: linear(2 * 4 * layerColumns),
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n*layerColumns, 0).Reshape(n, layerColumns)
		gain, bias := uniform(layerColumns, 1), uniform(layerColumns, 2)
		return func() []nd.Operand {
			mean, variance := nd.Mean(x, 1).ExpandDims(1), nd.Var(x, 1).ExpandDims(1)
			return []nd.Operand{x.Sub(mean).Mul(nd.Rsqrt(variance.AddScalar(1e-5))).Mul(gain).Add(bias).Eval()}
		}
	},
}
