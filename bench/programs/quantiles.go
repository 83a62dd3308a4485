package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var quantiles = program{
	name: "quantiles", what: "the quantiles 0.1, 0.5 and 0.9 of 2^26", size: 1 << 26, bytes: linear(4),
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n, 0)
		return func() []nd.Operand { return []nd.Operand{nd.Quantile(x, []float64{0.1, 0.5, 0.9})} }
	},
}
