package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const heatColumns = 4096

var heat = program{
	name: "heat", what: "heat, 100 steps of 4096², by views", size: 4096, bytes: linear(100 * 8 * heatColumns),
	prepare: func(n int) func() []nd.Operand {
		n = max(n, 3)
		start := uniform(n*heatColumns, 0).Reshape(n, heatColumns)
		return func() []nd.Operand {
			u := start.Copy()
			all, up, down := nd.R(1, -1), nd.From(2), nd.To(-2)
			inner := u.Slice(all, all)
			nd.Loop(100, func() {
				sum := u.Slice(up, all).Add(u.Slice(down, all)).Add(u.Slice(all, up)).Add(u.Slice(all, down))
				inner.Assign(inner.Add(sum.Sub(inner.MulScalar(4)).MulScalar(0.1)))
			})
			return []nd.Operand{u}
		}
	},
}
