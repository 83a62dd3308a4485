package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var nbody = program{
	name: "nbody", what: "N-body accelerations by broadcasting, 16384", size: 16384,
	prepare: func(n int) func() []nd.Operand {
		position := [3]*nd.Array[float32]{uniform(n, 0), uniform(n, 1), uniform(n, 2)}
		return func() []nd.Operand {
			var to [3]*nd.Array[float32]
			for axis, x := range position {
				to[axis] = x.Sub(x.ExpandDims(1))
			}
			square := to[0].Square().Add(to[1].Square()).Add(to[2].Square()).AddScalar(1e-4)
			weight := nd.Rsqrt(square).Div(square)
			var pull []nd.Operand
			for _, x := range to {
				pull = append(pull, x.Mul(weight).Sum(1).Square())
			}
			nd.Eval(pull...)
			return pull
		}
	},
}
