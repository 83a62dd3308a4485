package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const pageLinks, pageSteps = 8, 50

var pageRank = program{
	name: "pagerank", what: "PageRank, CSR 2^20 rows of 8 links, 50 steps", size: 1 << 20, bytes: linear(pageSteps * (pageLinks*(4+4+4) + 8)),
	prepare: func(n int) func() []nd.Operand {
		columns := integers(n*pageLinks, 0, uint64(n))
		starts := nd.Arange[int32](int32(n) + 1).MulScalar(pageLinks).Eval()
		links := nd.NewCSR(n, n, starts, columns, nd.Full[float32](1.0/pageLinks, n*pageLinks).Eval())
		return func() []nd.Operand {
			rank := nd.Full[float32](1, n).Eval()
			nd.Loop(pageSteps, func() {
				rank = links.Dot(rank).MulScalar(0.85).AddScalar(0.15)
			}, &rank)
			return []nd.Operand{rank.Eval()}
		}
	},
}
