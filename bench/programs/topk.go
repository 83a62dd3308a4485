package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const topCount = 1000

var topK = program{
	name: "topk", what: "the 1000 largest of 2^26", size: 1 << 26, bytes: linear(4),
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n, 0)
		return func() []nd.Operand {
			values, _ := nd.TopK(x, topCount, 0)
			return []nd.Operand{values}
		}
	},
}
