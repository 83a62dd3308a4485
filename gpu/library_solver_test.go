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

// solverCase calls f for each type that LAPACK's routines are there for.
func solverCases(t *testing.T, f func(t *testing.T, n *numbers, r *rand.Rand)) {
	everywhere(t, func(t *testing.T, d *Device) {
		for _, n := range solvable {
			t.Run(n.kind.String(), func(t *testing.T) { f(t, &n, rand.New(rand.NewPCG(5, 6))) })
		}
	})
}

// like is a grid of the same shape with what the device has.
func (g *grid) like(n *numbers, b anyBuffer) *grid {
	return &grid{n.host(b), g.rows, g.cols, g.lead, g.step, g.from}
}

func (g *grid) clone() *grid {
	return &grid{slices.Clone(g.data), g.rows, g.cols, g.lead, g.step, g.from}
}

// keptGaps fails if something was written outside of the matrices.
func (g *grid) keptGaps(t *testing.T, count int) {
	t.Helper()
	inside := make([]bool, len(g.data))
	for i := range count {
		for c := range g.cols {
			for r := range g.rows {
				inside[g.from+i*g.step+c*g.lead+r] = true
			}
		}
	}
	for i, v := range g.data {
		if !inside[i] && v != gap {
			t.Fatalf("element %d between the columns became %v", i, v)
		}
	}
}

// near compares elements that f computes with those of a matrix.
func (n *numbers) near(t *testing.T, what string, rows, cols int, got, want func(row, col int) complex128) {
	t.Helper()
	for row := range rows {
		for col := range cols {
			if g, w := got(row, col), want(row, col); !(cmplx.Abs(g-w) <= 100*n.eps) {
				t.Fatalf("%s: element (%d, %d) is %v, want %v", what, row, col, g, w)
			}
		}
	}
}

func (g *grid) element(i int) func(row, col int) complex128 {
	return func(row, col int) complex128 { return g.at(i, row, col) }
}

func unit(row, col int) complex128 {
	if row == col {
		return 1
	}
	return 0
}

// orthonormal checks Qᴴ·Q, or Q·Qᴴ if the rows are meant.
func (n *numbers) orthonormal(t *testing.T, what string, i int, q *grid, byRows bool) {
	t.Helper()
	if byRows {
		n.near(t, what, q.rows, q.rows, func(r, c int) complex128 { return product(i, r, c, q.cols, q, q, routine.AsIs, routine.Adjoint) }, unit)
		return
	}
	n.near(t, what, q.cols, q.cols, func(r, c int) complex128 { return product(i, r, c, q.rows, q, q, routine.Adjoint, routine.AsIs) }, unit)
}

func wantInfo(t *testing.T, b *Buffer[int32], want ...int32) {
	t.Helper()
	if got := b.ToHost(); !slices.Equal(got, want) {
		t.Errorf("info is %v, want %v", got, want)
	}
}

func TestRealLU(t *testing.T) {
	solverCases(t, func(t *testing.T, n *numbers, r *rand.Rand) {
		for _, shape := range [][2]int{{6, 6}, {9, 4}, {4, 9}, {1, 1}} {
			rows, cols := shape[0], shape[1]
			k := min(rows, cols)
			a := n.newGrid(r, rows, cols, 2)
			da, pivots, info := n.buffer(a.data), Zeros[int32](2*k), Zeros[int32](2)
			info.Fill(-1)
			do(t, &routine.Getrf{Type: n.kind, M: rows, N: cols, A: a.matrices(n, da), Pivots: routine.Vectors{Addr: pivots.Address(), Step: k}, Info: info.Address(), Count: 2}, da, pivots, info)
			wantInfo(t, info, 0, 0)
			f := a.like(n, da)
			f.keptGaps(t, 2)
			for i := range 2 {
				// Exchange the rows of A as the pivots say; the product of the factors must be that.
				p := a.clone()
				for j, other := range pivots.ToHost()[i*k:][:k] {
					for c := range cols {
						x, y := p.at(i, j, c), p.at(i, int(other)-1, c)
						p.set(i, j, c, y)
						p.set(i, int(other)-1, c, x)
					}
				}
				n.near(t, fmt.Sprint("L·U of ", shape), rows, cols, func(row, col int) complex128 {
					var sum complex128
					for j := range min(row, col, k-1) + 1 {
						l := f.at(i, row, j)
						if j == row {
							l = 1
						}
						sum += l * f.at(i, j, col)
					}
					return sum
				}, p.element(i))
			}
			if rows != cols {
				continue
			}
			for _, op := range []routine.Op{routine.AsIs, routine.Transposed, routine.Adjoint} {
				b := n.newGrid(r, rows, 3, 2)
				db := n.buffer(b.data)
				do(t, &routine.Getrs{
					Type: n.kind, Trans: op, N: rows, NRHS: 3, A: a.matrices(n, da), Pivots: routine.Vectors{Addr: pivots.Address(), Step: k},
					B: b.matrices(n, db), Info: info.Address(), Count: 2,
				}, da, pivots, db, info)
				x := b.like(n, db)
				x.keptGaps(t, 2)
				for i := range 2 {
					n.near(t, "solve", rows, 3, func(row, col int) complex128 { return product(i, row, col, rows, a, x, op, routine.AsIs) }, b.element(i))
				}
				wantInfo(t, info, 0, 0)
			}
		}
		// The second matrix has a column of zeros.
		a := n.newGrid(r, 4, 4, 2)
		for row := range 4 {
			a.set(1, row, 2, 0)
		}
		da, pivots, info := n.buffer(a.data), Zeros[int32](8), Zeros[int32](2)
		do(t, &routine.Getrf{Type: n.kind, M: 4, N: 4, A: a.matrices(n, da), Pivots: routine.Vectors{Addr: pivots.Address(), Step: 4}, Info: info.Address(), Count: 2}, da, pivots, info)
		wantInfo(t, info, 0, 3)
	})
}

func TestRealQR(t *testing.T) {
	solverCases(t, func(t *testing.T, n *numbers, r *rand.Rand) {
		for _, shape := range [][2]int{{7, 7}, {9, 4}, {4, 9}, {5, 1}, {1, 3}} {
			rows, cols := shape[0], shape[1]
			k := min(rows, cols)
			a := n.newGrid(r, rows, cols, 2)
			da, tau, info := n.buffer(a.data), n.buffer(make([]complex128, 2*k)), Zeros[int32](2)
			tauAt := routine.Vectors{Addr: tau.Address(), Step: k}
			do(t, &routine.Geqrf{Type: n.kind, M: rows, N: cols, A: a.matrices(n, da), Tau: tauAt, Info: info.Address(), Count: 2}, da, tau, info)
			f := a.like(n, da)
			// Q is made in the first k columns, or, of a tall matrix, with all rows too.
			wide := k
			if rows > cols {
				wide = rows
			}
			q := n.newGrid(r, rows, wide, 2)
			for i := range 2 {
				for col := range k {
					for row := range rows {
						q.set(i, row, col, f.at(i, row, col))
					}
				}
			}
			dq := n.buffer(q.data)
			do(t, &routine.Orgqr{Type: n.kind, M: rows, N: wide, K: k, A: q.matrices(n, dq), Tau: tauAt, Info: info.Address(), Count: 2}, dq, tau, info)
			wantInfo(t, info, 0, 0)
			q = q.like(n, dq)
			f.keptGaps(t, 2)
			q.keptGaps(t, 2)
			for i := range 2 {
				n.orthonormal(t, fmt.Sprint("Q of ", shape), i, q, false)
				n.near(t, fmt.Sprint("Q·R of ", shape), rows, cols, func(row, col int) complex128 {
					var sum complex128
					for j := range min(col, k-1) + 1 {
						sum += q.at(i, row, j) * f.at(i, j, col)
					}
					return sum
				}, a.element(i))
			}
		}
	})
}

func TestRealCholesky(t *testing.T) {
	solverCases(t, func(t *testing.T, n *numbers, r *rand.Rand) {
		for _, half := range []routine.Triangle{routine.Lower, routine.Upper} {
			const order = 6
			g := n.newGrid(r, order, order, 3)
			a := g.clone()
			for i := range 3 {
				for row := range order {
					for col := range order {
						a.set(i, row, col, product(i, row, col, order, g, g, routine.AsIs, routine.Adjoint)+unit(row, col))
					}
				}
			}
			a.set(1, 3, 3, -5) // the second is not positive definite from its fourth row on
			da, info := n.buffer(a.data), Zeros[int32](3)
			do(t, &routine.Potrf{Type: n.kind, Half: half, N: order, A: a.matrices(n, da), Info: info.Address(), Count: 3}, da, info)
			wantInfo(t, info, 0, 4, 0)
			f := a.like(n, da)
			f.keptGaps(t, 3)
			for _, i := range []int{0, 2} {
				n.near(t, "the product of the factors", order, order, func(row, col int) complex128 {
					var sum complex128
					for j := range min(row, col) + 1 {
						if half == routine.Lower {
							sum += f.at(i, row, j) * cmplx.Conj(f.at(i, col, j))
						} else {
							sum += cmplx.Conj(f.at(i, j, row)) * f.at(i, j, col)
						}
					}
					return sum
				}, a.element(i))
				n.near(t, "the other half", order, order, f.element(i), func(row, col int) complex128 {
					if (row < col) == (half == routine.Lower) && row != col {
						return a.at(i, row, col)
					}
					return f.at(i, row, col)
				})
			}
		}
	})
}

// realsOf is the device's real numbers that go with a type.
func realsOf(n *numbers, count int) (anyBuffer, func() []float64) {
	if n.kind.Real() == routine.Float32 {
		b := Zeros[float32](count)
		return b, func() []float64 { return each(b.ToHost(), func(v float32) float64 { return float64(v) }) }
	}
	b := Zeros[float64](count)
	return b, b.ToHost
}

func TestRealSVD(t *testing.T) {
	solverCases(t, func(t *testing.T, n *numbers, r *rand.Rand) {
		for _, shape := range [][2]int{{6, 6}, {9, 4}, {3, 1}} {
			rows, cols := shape[0], shape[1]
			a := n.newGrid(r, rows, cols, 2)
			for row := range rows { // the second has a column twice
				a.set(1, row, cols-1, a.at(1, row, 0))
			}
			var first []float64
			for _, job := range []routine.Job{routine.ValuesOnly, routine.Thin, routine.Full} {
				c := routine.Gesvd{Type: n.kind, Job: job, M: rows, N: cols, Count: 2}
				da := n.buffer(a.data)
				u, vt := n.newGrid(r, rows, max(c.ColumnsU(), 1), 2), n.newGrid(r, cols, cols, 2)
				du, dvt, info := n.buffer(u.data), n.buffer(vt.data), Zeros[int32](2)
				s, values := realsOf(n, 2*cols)
				c.A, c.U, c.VT = a.matrices(n, da), u.matrices(n, du), vt.matrices(n, dvt)
				c.S, c.Info = routine.Vectors{Addr: s.Address(), Step: cols}, info.Address()
				do(t, &c, da, s, du, dvt, info)
				wantInfo(t, info, 0, 0)
				got := values()
				if job == routine.ValuesOnly {
					first = got
					continue
				}
				u, vt = u.like(n, du), vt.like(n, dvt)
				u.keptGaps(t, 2)
				vt.keptGaps(t, 2)
				for i := range 2 {
					what := fmt.Sprint(shape, ", matrix ", i, ", job ", job)
					n.orthonormal(t, "U of "+what, i, u, false)
					n.orthonormal(t, "V of "+what, i, vt, true)
					sv := got[i*cols:][:cols]
					n.near(t, "values of "+what, cols, 1, func(row, _ int) complex128 { return complex(sv[row], 0) }, func(row, _ int) complex128 { return complex(first[i*cols+row], 0) })
					if !slices.IsSortedFunc(sv, func(x, y float64) int { return int(math.Copysign(1, y-x)) }) || sv[cols-1] < 0 {
						t.Errorf("%s: the values %v do not descend", what, sv)
					}
					n.near(t, "the product of "+what, rows, cols, func(row, col int) complex128 {
						var sum complex128
						for j := range cols {
							sum += u.at(i, row, j) * complex(sv[j], 0) * vt.at(i, j, col)
						}
						return sum
					}, a.element(i))
				}
			}
		}
	})
}

func TestRealEigen(t *testing.T) {
	solverCases(t, func(t *testing.T, n *numbers, r *rand.Rand) {
		for _, half := range []routine.Triangle{routine.Lower, routine.Upper} {
			const order = 7
			a := n.newGrid(r, order, order, 2)
			whole := a.clone()
			for i := range 2 {
				for row := range order {
					for col := range row + 1 {
						v := a.at(i, row, col)
						if half == routine.Upper {
							v = cmplx.Conj(a.at(i, col, row))
						}
						if row == col {
							v = complex(math.Copysign(2, real(v)), 0) // equal eigenvalues are nothing special
							a.set(i, row, col, v)
						}
						whole.set(i, row, col, v)
						whole.set(i, col, row, cmplx.Conj(v))
					}
				}
			}
			da, info := n.buffer(a.data), Zeros[int32](2)
			w, values := realsOf(n, 2*order)
			c := &routine.Syevd{Type: n.kind, Half: half, N: order, A: a.matrices(n, da), W: routine.Vectors{Addr: w.Address(), Step: order}, Info: info.Address(), Count: 2}
			do(t, c, da, w, info)
			alone := values()
			da = n.buffer(a.data)
			c.A, c.Vectors = a.matrices(n, da), true
			do(t, c, da, w, info)
			wantInfo(t, info, 0, 0)
			v, got := a.like(n, da), values()
			v.keptGaps(t, 2)
			for i := range 2 {
				ew := got[i*order:][:order]
				if !slices.IsSorted(ew) {
					t.Errorf("the eigenvalues %v do not ascend", ew)
				}
				n.near(t, "eigenvalues alone", order, 1, func(row, _ int) complex128 { return complex(alone[i*order+row], 0) }, func(row, _ int) complex128 { return complex(ew[row], 0) })
				n.orthonormal(t, "the eigenvectors", i, v, false)
				n.near(t, "A·V", order, order, func(row, col int) complex128 {
					return product(i, row, col, order, whole, v, routine.AsIs, routine.AsIs)
				}, func(row, col int) complex128 { return v.at(i, row, col) * complex(ew[col], 0) })
			}
		}
	})
}
