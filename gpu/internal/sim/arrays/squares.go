package arrays

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// joinSquares makes one operation of three, where a float32 is converted to float64, a number is subtracted, and the difference is squared, as
// in a variance: between them they would store and read eight bytes of each element.
func (p *Program) joinSquares() {
	uses := make([]int, len(p.values))
	for i := range p.values {
		for _, a := range p.values[i].args[:p.values[i].n] {
			uses[a]++
		}
	}
	for _, o := range p.outputs {
		uses[o.value] += 2 // which keeps it
	}
	is := func(i uint8, op string, of expression.Type) bool {
		return p.k.Steps[i].Op == op && p.k.Steps[i].Type == of
	}
	for i := range p.values {
		if i >= len(p.k.Steps) || !is(uint8(i), "Square", expression.Float64) {
			continue
		}
		square := &p.values[i]
		difference := square.args[0]
		if !is(difference, "Sub", expression.Float64) || uses[difference] > 1 {
			continue
		}
		converted := p.values[difference].args[0]
		if !is(converted, "AsType", expression.Float64) || uses[converted] > 1 || p.values[p.values[converted].args[0]].t != expression.Float32 {
			continue
		}
		square.f, square.n = squaredDifferences, 2
		square.args = [3]uint8{p.values[converted].args[0], p.values[difference].args[1]}
		p.values[difference].unused, p.values[converted].unused = true, true
	}
}

// squaredDifferences computes the squares, in double precision, of n float32s less as many float64s.
func squaredDifferences(to, a, b, _ pointer, n int) {
	out, x, y := elements[float64](to, n), elements[float32](a, n), elements[float64](b, n)
	whole := 0
	if simd.Has && n >= 8 {
		whole = n &^ 7
		simd.SquaredDifferences32(&out[0], &x[0], &y[0], whole)
	}
	for i := whole; i < n; i++ {
		d := float64(x[i]) - y[i]
		out[i] = d * d
	}
}
