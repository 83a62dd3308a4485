package gpu

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// dft is the definition of a Fourier transform of up to three dimensions.
func dft(x []complex128, dims []int, sign float64) []complex128 {
	d := [3]int{1, 1, 1}
	copy(d[3-len(dims):], dims)
	out := make([]complex128, len(x))
	for k := range out {
		for j, v := range x {
			phase := float64(k/d[2]/d[1]*(j/d[2]/d[1]))/float64(d[0]) +
				float64(k/d[2]%d[1]*(j/d[2]%d[1]))/float64(d[1]) + float64(k%d[2]*(j%d[2]))/float64(d[2])
			out[k] += v * cmplx.Rect(1, sign*2*math.Pi*phase)
		}
	}
	return out
}

func TestRealTransforms(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, double := range []bool{false, true} {
			reals, complexes := &allNumbers[0], &allNumbers[2]
			if double {
				reals, complexes = &allNumbers[1], &allNumbers[3]
			}
			for _, dims := range [][]int{{1}, {8}, {7}, {4, 6}, {5, 3}, {3, 4, 5}, {2, 1, 6}} {
				c := routine.Transform{Double: double, Rank: len(dims), Count: 2}
				copy(c.Dims[:], dims)
				whole, _ := c.Sizes()
				c.Kind = routine.RealToComplex
				_, half := c.Sizes()
				what := fmt.Sprintf("%v %v", complexes.kind, dims)
				last := dims[len(dims)-1]
				random := func(n *numbers, size int) []complex128 {
					return n.newGrid(r, size, 1, 1).data[2:][:size]
				}
				// There and back, for complex numbers, in place and not.
				x := random(complexes, 2*whole)
				for _, inverse := range []bool{false, true} {
					sign := -1.0
					if inverse {
						sign = 1
					}
					in := complexes.buffer(x)
					out := complexes.buffer(make([]complex128, 2*whole))
					c.Kind, c.Inverse, c.In, c.Out = routine.ComplexToComplex, inverse, in.Address(), out.Address()
					do(t, &c, in, out)
					c.Out = c.In
					do(t, &c, in)
					want := append(dft(x[:whole], dims, sign), dft(x[whole:], dims, sign)...)
					complexes.same(t, what, complexes.host(out), want, 10*float64(whole))
					complexes.same(t, what+" in place", complexes.host(in), want, 10*float64(whole))
				}
				// Real numbers to the half of the coefficients, and back to what they were, times whole.
				x = random(reals, 2*whole)
				in, out := reals.buffer(x), complexes.buffer(make([]complex128, 2*half))
				c.Kind, c.Inverse, c.In, c.Out = routine.RealToComplex, false, in.Address(), out.Address()
				do(t, &c, in, out)
				all := append(dft(x[:whole], dims, -1), dft(x[whole:], dims, -1)...)
				var want []complex128
				for i := 0; i < len(all); i += last {
					want = append(want, all[i:i+last/2+1]...)
				}
				complexes.same(t, what+" of real numbers", complexes.host(out), want, 10*float64(whole))
				back := reals.buffer(make([]complex128, 2*whole))
				c.Kind, c.In, c.Out = routine.ComplexToReal, out.Address(), back.Address()
				do(t, &c, out, back)
				for i := range x {
					x[i] *= complex(float64(whole), 0)
				}
				reals.same(t, what+" to real numbers", reals.host(back), x, 10*float64(whole))
			}
		}
	})
}

func TestRealSparse(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, n := range solvable {
			for round := range 12 {
				c := routine.CSRMul{
					Type: n.kind, Trans: routine.Op(round % 3), Rows: 1 + r.IntN(12), Cols: 1 + r.IntN(12),
					N: 1 + round%4, ByRows: round%2 == 1, Alpha: 2, Beta: complex(float64(round/2%2), 0),
				}
				dense := &grid{make([]complex128, c.Rows*c.Cols), c.Rows, c.Cols, c.Rows, 0, 0}
				starts, columns, values := []int32{0}, []int32{}, []complex128{}
				for row := range c.Rows {
					for col := range c.Cols {
						if r.IntN(3) > 0 {
							continue // rows without any are among them
						}
						v := n.newGrid(r, 1, 1, 1).at(0, 0, 0)
						dense.set(0, row, col, v)
						columns, values = append(columns, int32(col)), append(values, v)
					}
					starts = append(starts, int32(len(values)))
				}
				c.NonZeros = len(values)
				height, out := c.Heights()
				shape := func(h int) (int, int) {
					if c.ByRows {
						return c.N, h
					}
					return h, c.N
				}
				rows, cols := shape(height)
				b := n.newGrid(r, rows, cols, 1)
				rows, cols = shape(out)
				res := n.newGrid(r, rows, cols, 1)
				at := func(g *grid, row, col int) complex128 {
					if c.ByRows {
						row, col = col, row
					}
					return g.at(0, row, col)
				}
				ds, dcol, dv := ToDevice(starts), ToDevice(append(columns, 0)), n.buffer(append(values, 0))
				db, dr := n.buffer(b.data), n.buffer(res.data)
				c.RowStart, c.Column, c.Values = ds.Address(), dcol.Address(), dv.Address()
				c.B, c.C = b.matrices(&n, db), res.matrices(&n, dr)
				do(t, &c, ds, dcol, dv, db, dr)
				want := slices.Clone(res.data)
				w := &grid{want, res.rows, res.cols, res.lead, res.step, res.from}
				for row := range out {
					for col := range c.N {
						sum := c.Beta * at(res, row, col)
						for k := range height {
							sum += c.Alpha * dense.op(c.Trans, 0, row, k) * at(b, k, col)
						}
						if c.ByRows {
							w.set(0, col, row, sum)
						} else {
							w.set(0, row, col, sum)
						}
					}
				}
				n.same(t, fmt.Sprintf("%+v", c), n.host(dr), want, 50)
			}
		}
	})
}
