package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var sortByKey = program{
	name: "sortbykey", what: "float32s sorted by int32 keys, 2^26", size: 1 << 26,
	prepare: func(n int) func() []nd.Operand {
		keys, values := integers(n, 0, 1<<30), uniform(n, 1)
		first := n / 2
		return func() []nd.Operand {
			sorted := nd.SortBy(values, keys)
			return []nd.Operand{sorted.Slice(nd.R(0, first))}
		}
	},
}
