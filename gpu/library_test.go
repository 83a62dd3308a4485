package gpu

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// numbers is how the tests of routines see one element type: they compute in complex128.
type numbers struct {
	kind   routine.Type
	eps    float64 // what a rounding may be off by
	buffer func(list []complex128) anyBuffer
	host   func(b anyBuffer) []complex128
}

func numbersOf[T Element](kind routine.Type, eps float64, narrow func(complex128) T, widen func(T) complex128) numbers {
	return numbers{
		kind, eps,
		func(list []complex128) anyBuffer { return ToDevice(each(list, narrow)) },
		func(b anyBuffer) []complex128 { return each(b.(*Buffer[T]).ToHost(), widen) },
	}
}

// allNumbers are the types that matrices are multiplied in; the first four are LAPACK's.
var allNumbers = []numbers{
	numbersOf(routine.Float32, 1e-6, func(v complex128) float32 { return float32(real(v)) }, func(v float32) complex128 { return complex(float64(v), 0) }),
	numbersOf(routine.Float64, 1e-14, func(v complex128) float64 { return real(v) }, func(v float64) complex128 { return complex(v, 0) }),
	numbersOf(routine.Complex64, 1e-6, func(v complex128) complex64 { return complex64(v) }, func(v complex64) complex128 { return complex128(v) }),
	numbersOf(routine.Complex128, 1e-14, func(v complex128) complex128 { return v }, func(v complex128) complex128 { return v }),
	numbersOf(routine.Float16, 2e-3, func(v complex128) Float16 { return ToFloat16(float32(real(v))) }, func(v Float16) complex128 { return complex(float64(v.Float32()), 0) }),
	numbersOf(routine.BFloat16, 2e-2, func(v complex128) BFloat16 { return ToBFloat16(float32(real(v))) }, func(v BFloat16) complex128 { return complex(float64(v.Float32()), 0) }),
}

// solvable are the types of LAPACK's routines.
var solvable = allNumbers[:4]

// grid is matrices on the host, as routines have them: count matrices by columns, with gaps.
type grid struct {
	data             []complex128
	rows, cols       int
	lead, step, from int
}

// gap is the contents of the gaps between columns, which must not change.
const gap = complex(77, 0)

// newGrid makes count random matrices whose parts are from -1 to 1.
func (n *numbers) newGrid(r *rand.Rand, rows, cols, count int) *grid {
	g := &grid{rows: rows, cols: cols, lead: rows + 3, from: 2}
	g.step = g.lead*cols + 5
	g.data = slices.Repeat([]complex128{gap}, g.from+g.step*count)
	for i := range count {
		for c := range cols {
			for j := range rows {
				v := complex(2*r.Float64()-1, 0)
				if n.kind.Complex() {
					v += complex(0, 2*r.Float64()-1)
				}
				g.set(i, j, c, v)
			}
		}
	}
	// Round as the type does, so that the device sees the same numbers.
	copy(g.data, n.host(n.buffer(g.data)))
	return g
}

func (g *grid) at(i, row, col int) complex128 { return g.data[g.from+i*g.step+col*g.lead+row] }
func (g *grid) set(i, row, col int, v complex128) {
	g.data[g.from+i*g.step+col*g.lead+row] = v
}

// matrices is the grid in a buffer.
func (g *grid) matrices(n *numbers, b anyBuffer) routine.Matrices {
	return routine.Matrices{Addr: b.Address() + uint64(g.from*n.kind.Size()), Lead: g.lead, Step: g.step}
}

// op is an element of op of the i-th matrix.
func (g *grid) op(op routine.Op, i, row, col int) complex128 {
	switch op {
	case routine.Transposed:
		return g.at(i, col, row)
	case routine.Adjoint:
		return cmplx.Conj(g.at(i, col, row))
	}
	return g.at(i, row, col)
}

// product is op(a)·op(b) of the i-th matrices, an element of it.
func product(i, row, col, k int, a, b *grid, ta, tb routine.Op) complex128 {
	var sum complex128
	for j := range k {
		sum += a.op(ta, i, row, j) * b.op(tb, i, j, col)
	}
	return sum
}

// same compares all of the data, gaps included.
func (n *numbers) same(t *testing.T, what string, got, want []complex128, scale float64) {
	t.Helper()
	for i := range want {
		if !(cmplx.Abs(got[i]-want[i]) <= n.eps*scale) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func do(t *testing.T, c routine.Call, on ...anyBuffer) {
	t.Helper()
	if err := callLibrary(nil, c, on...); err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
}

func TestRealGemm(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		r := rand.New(rand.NewPCG(1, 2))
		ops := []routine.Op{routine.AsIs, routine.Transposed, routine.Adjoint}
		for _, n := range allNumbers {
			for round := range 12 {
				m, cols, k, count := 1+r.IntN(20), 1+r.IntN(20), r.IntN(40), 1+round%3
				ta, tb := ops[round%3], ops[round/3%3]
				shape := func(op routine.Op, rows, cols int) (int, int) {
					if op != routine.AsIs {
						return cols, rows
					}
					return rows, cols
				}
				ar, ac := shape(ta, m, k)
				br, bc := shape(tb, k, cols)
				a, b, c := n.newGrid(r, ar, ac, count), n.newGrid(r, br, bc, count), n.newGrid(r, m, cols, count)
				alpha, beta := complex(1.5, 0), complex(float64(round%2), 0)
				if n.kind.Complex() {
					alpha += 0.5i
				}
				da, db, dc := n.buffer(a.data), n.buffer(b.data), n.buffer(c.data)
				do(t, &routine.Gemm{
					Type: n.kind, TransA: ta, TransB: tb, M: m, N: cols, K: k, Alpha: alpha, Beta: beta,
					A: a.matrices(&n, da), B: b.matrices(&n, db), C: c.matrices(&n, dc), Count: count,
				}, da, db, dc)
				for i := range count {
					for row := range m {
						for col := range cols {
							c.set(i, row, col, alpha*product(i, row, col, k, a, b, ta, tb)+beta*c.at(i, row, col))
						}
					}
				}
				n.same(t, fmt.Sprintf("%v: %d×%d×%d, %v and %v", n.kind, m, cols, k, ta, tb), n.host(dc), c.data, 4+float64(k))
			}
		}
	})
}

func TestRealTrsm(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range solvable {
			for round := range 12 {
				c := routine.Trsm{
					Type: n.kind, Side: routine.Side(round % 2), Half: routine.Triangle(round / 2 % 2), Trans: routine.Op(round % 3),
					Unit: round > 6, M: 1 + r.IntN(9), N: 1 + r.IntN(9), Alpha: 2, Count: 2,
				}
				a, b := n.newGrid(r, c.Order(), c.Order(), 2), n.newGrid(r, c.M, c.N, 2)
				tri := &grid{slices.Clone(a.data), a.rows, a.cols, a.lead, a.step, a.from} // what counts of it
				for i := range 2 {
					for row := range a.rows {
						for col := range a.cols {
							switch {
							case row == col && c.Unit:
								tri.set(i, row, col, 1)
							case row == col:
								a.set(i, row, col, 3)
								tri.set(i, row, col, 3)
							case (row < col) != (c.Half == routine.Upper):
								tri.set(i, row, col, 0)
							}
						}
					}
				}
				da, db := n.buffer(a.data), n.buffer(b.data)
				c.A, c.B = a.matrices(&n, da), b.matrices(&n, db)
				do(t, &c, da, db)
				x := &grid{n.host(db), b.rows, b.cols, b.lead, b.step, b.from}
				back := slices.Clone(b.data)
				check := &grid{back, b.rows, b.cols, b.lead, b.step, b.from}
				for i := range 2 {
					for row := range c.M {
						for col := range c.N {
							if c.Side == routine.Left {
								check.set(i, row, col, product(i, row, col, c.M, tri, x, c.Trans, routine.AsIs)/2)
							} else {
								check.set(i, row, col, product(i, row, col, c.N, x, tri, routine.AsIs, c.Trans)/2)
							}
						}
					}
				}
				n.same(t, fmt.Sprintf("%v, %+v", n.kind, c), back, b.data, 1e3)
			}
		}
	})
}

// What is wrong with a call is said before anything is sent.
func TestRealCallLibraryRefuses(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		a, b := Zeros[float32](100), Zeros[float32](100)
		freed := Zeros[float32](100)
		if err := freed.Free(); err != nil {
			t.Fatal(err)
		}
		square := func(x, y, z anyBuffer, n int) *routine.Gemm {
			m := func(b anyBuffer) routine.Matrices { return routine.Matrices{Addr: b.Address(), Lead: n} }
			return &routine.Gemm{Type: routine.Float32, M: n, N: n, K: n, Alpha: 1, A: m(x), B: m(y), C: m(z), Count: 1}
		}
		odd := square(a, b, a, 3)
		triangle := routine.Matrices{Addr: a.Address(), Lead: 3}
		odd.A.Addr += 2
		for say, f := range map[string]func() error{
			"A does not lie within one of the buffers: it needs 484 bytes": func() error { return callLibrary(nil, square(a, b, a, 11), a, b) },
			"B does not lie":                 func() error { return callLibrary(nil, square(a, b, a, 3), a) },
			"there are no buffers":           func() error { return callLibrary(nil, square(a, b, a, 3)) },
			"no multiple of the element's 4": func() error { return callLibrary(nil, odd, a, b) },
			"the buffer was freed":           func() error { return callLibrary(nil, square(a, freed, a, 3), a, freed) },
			"M is -3":                        func() error { return callLibrary(nil, square(a, b, a, -3), a, b) },
			"the buffer is nil":              func() error { return callLibrary(nil, square(a, b, a, 3), a, (*Buffer[float32])(nil)) },
			"calling gemm":                   func() error { return callLibrary(nil, &routine.Gemm{}, a) },
			"only products of matrices can be part of a graph": func() error {
				_, err := d.capture(&routine.Trsm{Type: routine.Float32, M: 3, N: 3, Alpha: 1, A: triangle, B: triangle, Count: 1}, a)
				return err
			},
		} {
			if err := f(); err == nil || !strings.Contains(err.Error(), say) {
				t.Errorf("got %v, want %q", err, say)
			}
		}
		// The device still works.
		do(t, square(a, b, b, 10), a, b)
		if got := b.ToHost(); slices.ContainsFunc(got, func(v float32) bool { return v != 0 || math.IsNaN(float64(v)) }) {
			t.Error("the product of zeros is", got)
		}
	})
}

// capture returns a graph of a routine.
func (d *Device) capture(c routine.Call, on ...anyBuffer) (*Graph, error) {
	return d.Capture(func(s *Stream) error { return callLibrary(s, c, on...) })
}

// A graph can have products, of dense and of sparse matrices, also as the first ones that the process computes.
func TestRealProductsInGraphs(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		a, v, w := ToDevice([]float32{1, 2, 3, 4}), ToDevice([]float32{1, 1}), Zeros[float32](2)
		starts, columns := ToDevice([]int32{0, 1, 2}), ToDevice([]int32{1, 0})
		vector := func(b *Buffer[float32]) routine.Matrices { return routine.Matrices{Addr: b.Address(), Lead: 2} }
		dense := &routine.Gemm{Type: routine.Float32, M: 2, N: 1, K: 2, Alpha: 1, A: vector(a), B: vector(v), C: vector(w), Count: 1}
		sparse := &routine.CSRMul{
			Type: routine.Float32, Rows: 2, Cols: 2, NonZeros: 2, RowStart: starts.Address(), Column: columns.Address(), Values: a.Address(),
			N: 1, Alpha: 1, B: vector(w), C: vector(v),
		}
		g, err := d.Capture(func(s *Stream) error {
			if err := callLibrary(s, dense, a, v, w); err != nil {
				return err
			}
			return callLibrary(s, sparse, starts, columns, a, v, w)
		})
		if err != nil {
			t.Fatal(err)
		}
		product := func(v []float32) []float32 { return []float32{v[0] + 3*v[1], 2*v[0] + 4*v[1]} }
		wantV := []float32{1, 1}
		for range 3 {
			if err := g.Launch(nil); err != nil {
				t.Fatal(err)
			}
			w := product(wantV)
			wantV = []float32{w[1], 2 * w[0]}
		}
		// Products outside of graphs are as before.
		do(t, dense, a, v, w)
		wantW := product(wantV)
		if got := v.ToHost(); !slices.Equal(got, wantV) {
			t.Errorf("got %v, want %v", got, wantV)
		}
		if got := w.ToHost(); !slices.Equal(got, wantW) {
			t.Errorf("got %v, want %v", got, wantW)
		}
		if err := g.Destroy(); err != nil {
			t.Error(err)
		}
	})
}
