package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var bincount = program{
	name: "bincount", what: "bincount, 2^26 int32 into 1000", size: 1 << 26, bytes: linear(4),
	prepare: func(n int) func() []nd.Operand {
		x := integers(n, 0, 1000)
		return func() []nd.Operand {
			counts := nd.Bincount(x, 1000)
			return []nd.Operand{counts.Mul(counts)}
		}
	},
}
