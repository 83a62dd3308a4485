package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const softmaxColumns = 16384

var softmax = program{
	name: "softmax", what: "softmax of the rows of 8192 × 16384", size: 8192, bytes: linear(8 * softmaxColumns),
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n*softmaxColumns, 0).Reshape(n, softmaxColumns)
		return func() []nd.Operand {
			e := nd.Exp(x.Sub(x.Max(1).ExpandDims(1)))
			return []nd.Operand{e.Div(e.Sum(1).ExpandDims(1)).Eval()}
		}
	},
}
