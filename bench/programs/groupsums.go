package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var groupSums = program{
	name: "groupsums", what: "sum by group (bincount with weights)", size: 1 << 26, bytes: linear(8),
	prepare: func(n int) func() []nd.Operand {
		groups, x := integers(n, 0, 1000), uniform(n, 1)
		return func() []nd.Operand { return []nd.Operand{nd.BincountWeights(groups, x, 1000).Square()} }
	},
}
