package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var unique = program{
	name: "unique", what: "unique of these", size: 1 << 26, bytes: linear(4),
	prepare: func(n int) func() []nd.Operand {
		x := integers(n, 0, 1000)
		return func() []nd.Operand { return []nd.Operand{nd.Unique(x)} }
	},
}
