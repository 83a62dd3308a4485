package arrays

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// TestJoinedSquares compares the squares of differences with the same operations one by one, bit by bit.
func TestJoinedSquares(t *testing.T) {
	steps := []expression.Step{
		{Op: expression.Operand, Type: expression.Float32, Args: []uint8{0}},
		{Op: "AsType", Type: expression.Float64, Args: []uint8{0}},
		{Op: expression.Operand, Type: expression.Float64, Args: []uint8{1}},
		{Op: "Sub", Type: expression.Float64, Args: []uint8{1, 2}},
		{Op: "Square", Type: expression.Float64, Args: []uint8{3}},
	}
	twice := append(slices.Clone(steps), expression.Step{Op: "Sub", Type: expression.Float64, Args: []uint8{4, 3}})
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 7, 8, 29, 5000} {
		x, y := make([]float32, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float32(random.NormFloat64()), random.NormFloat64()
		}
		for _, c := range []struct {
			name   string
			steps  []expression.Step
			joined bool
			stride int // of the second operand
			want   func(d float64) float64
		}{
			{"of arrays", steps, true, 1, func(d float64) float64 { return d * d }},
			{"of an array and a number", steps, true, 0, func(d float64) float64 { return d * d }},
			{"of differences that are used twice", twice, false, 1, func(d float64) float64 { s := d * d; return s - d }},
		} {
			p := program(t, &expression.Kernel{
				Form: expression.Map, Loops: 1, Result: expression.Float64, Steps: c.steps,
				Leaves: []expression.Leaf{{Type: expression.Float32}, {Type: expression.Float64}},
			})
			if got := p.values[3].unused; got != c.joined {
				t.Errorf("%s: joined %v", c.name, got)
			}
			out := make([]float64, n)
			args := launchOf([]unsafe.Pointer{unsafe.Pointer(&out[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}, n, 0, 0, 0, 1, 1, c.stride)
			if err := p.Run(args, 1); err != nil {
				t.Fatal(err)
			}
			for i, got := range out {
				if want := c.want(float64(x[i]) - y[i*c.stride]); got != want {
					t.Fatalf("%d %s: element %d is %v, want %v", n, c.name, i, got, want)
				}
			}
		}
	}
}
