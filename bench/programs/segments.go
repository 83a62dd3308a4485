package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const segmentLength = 1000

var segments = program{
	name: "segments", what: "prefix sums by segment, 2^26 int32", size: 1 << 26, bytes: linear(4 + 4 + 4),
	prepare: func(n int) func() []nd.Operand {
		x := integers(n, 0, 100)
		ids := nd.Arange[int32](int32(n)).DivScalar(segmentLength).Eval()
		before := nd.Arange[int32](segmentLength-1, int32(n)-1, segmentLength).Eval() // the last element of each segment but the last one
		return func() []nd.Operand {
			sums := nd.Cumsum(x) // may wrap around: differences are right
			base := nd.Concatenate(0, nd.Zeros[int32](1), nd.Take(sums, before))
			return []nd.Operand{sums.Sub(nd.Take(base, ids)).Eval()}
		}
	},
}
