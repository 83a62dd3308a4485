package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var mask = program{
	name: "mask", what: "v[v > 0], 2^26", size: 1 << 26, bytes: linear(6),
	prepare: func(n int) func() []nd.Operand {
		v := uniform(n, 0).SubScalar(0.5).Eval()
		return func() []nd.Operand { return []nd.Operand{nd.Mask(v, v.GreaterScalar(0))} }
	},
}
