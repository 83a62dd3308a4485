package main

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

const stencilSteps = 20

var stencil3D = program{
	name: "stencil3d", what: "3-D stencil, 20 steps of 512³, by views", size: 1 << 27, bytes: linear(2 * 4 * stencilSteps),
	prepare: func(n int) func() []nd.Operand {
		side := int(math.Round(math.Cbrt(float64(n))))
		start := uniform(side*side*side, 0).Reshape(side, side, side)
		inner, next, last := nd.R(1, -1), nd.From(2), nd.To(-2)
		return func() []nd.Operand {
			u := start.Copy()
			middle := u.Slice(inner, inner, inner)
			nd.Loop(stencilSteps, func() {
				around := u.Slice(next, inner, inner).Add(u.Slice(last, inner, inner)).Add(u.Slice(inner, next, inner)).
					Add(u.Slice(inner, last, inner)).Add(u.Slice(inner, inner, next)).Add(u.Slice(inner, inner, last))
				middle.Assign(middle.MulScalar(0.4).Add(around.MulScalar(0.1)))
			})
			return []nd.Operand{u}
		}
	},
}
