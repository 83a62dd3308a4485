package main

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

const gradientSteps = 200

// conjugateGradient solves the Poisson equation on a square: five elements a row of the matrix.
var conjugateGradient = program{
	name: "conjugategradient", what: "conjugate gradient, CSR 2^20 rows, 200 steps", size: 1 << 20, bytes: linear(gradientSteps * (5*8 + 4 + 4*4)),
	prepare: func(n int) func() []nd.Operand {
		side := int(math.Sqrt(float64(n)))
		matrix := poisson(side)
		b := uniform(side*side, 0)
		return func() []nd.Operand {
			x, r := nd.Zeros[float32](b.Size()), b.Copy()
			p, norm := r.Copy(), nd.Dot(r, r)
			nd.Loop(gradientSteps, func() {
				q := matrix.Dot(p)
				alpha := norm.Div(nd.Dot(p, q))
				x, r = x.Add(alpha.Mul(p)), r.Sub(alpha.Mul(q))
				nd.Eval(x, r)
				next := nd.Dot(r, r)
				p = r.Add(next.Div(norm).Mul(p)).Eval()
				norm = next
			}, &x, &r, &p, &norm)
			return []nd.Operand{x}
		}
	},
}

// poisson returns the matrix that has 4 on its diagonal and -1 for each neighbour in a square of points.
func poisson(side int) *nd.CSR[float32] {
	starts, columns, values := []int32{0}, []int32{}, []float32{}
	add := func(inside bool, at int, v float32) {
		if inside {
			columns, values = append(columns, int32(at)), append(values, v)
		}
	}
	for y := range side {
		for x := range side {
			at := y*side + x
			add(y > 0, at-side, -1)
			add(x > 0, at-1, -1)
			add(true, at, 4)
			add(x < side-1, at+1, -1)
			add(y < side-1, at+side, -1)
			starts = append(starts, int32(len(columns)))
		}
	}
	return nd.NewCSR(side*side, side*side, nd.FromSlice(starts), nd.FromSlice(columns), nd.FromSlice(values))
}
