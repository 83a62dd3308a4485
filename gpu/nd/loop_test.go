package nd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// loopSteps is how many steps the tests have: enough for a graph of one or two steps, and an odd number.
const loopSteps = 13

// looped runs a program with nd.Loop and returns its results and how often the step was called.
func looped(t *testing.T, n int, start func() (step func(), vars []any, results func() []nd.Operand)) (results []nd.Operand, calls int) {
	t.Helper()
	step, vars, get := start()
	nd.Loop(n, func() { calls++; step() }, vars...)
	return get(), calls
}

// plainly runs it with a loop in Go.
func plainly(n int, start func() (step func(), vars []any, results func() []nd.Operand)) []nd.Operand {
	step, vars, get := start()
	for range n {
		step()
		evalVariables(vars)
	}
	return get()
}

func evalVariables(vars []any) {
	var list []nd.Operand
	for _, v := range vars {
		switch v := v.(type) {
		case **nd.Array[float32]:
			list = append(list, *v)
		case **nd.Array[float64]:
			list = append(list, *v)
		case **nd.Array[int32]:
			list = append(list, *v)
		case []*nd.Array[float32]:
			for _, a := range v {
				list = append(list, a)
			}
		default:
			panic(fmt.Sprintf("a %T", v))
		}
	}
	nd.Eval(list...)
}

// rawOf returns the bytes of an array.
func rawOf(o nd.Operand) []byte { return nd.Packed(o).ToHost() }

// A loopProgram makes the variables of a program, and its step.
type loopProgram = func() (step func(), vars []any, results func() []nd.Operand)

// waves has values that differ in all bits.
func waves(n int) *nd.Array[float32] { return nd.Sin(nd.Arange[float32](float32(n)).Square()).Eval() }

var loopPrograms = map[string]loopProgram{
	"conjugate gradient": func() (func(), []any, func() []nd.Operand) {
		const side = 12
		matrix := poissonMatrix(side)
		b := waves(side * side)
		x, r := nd.Zeros[float32](b.Size()), b.Copy()
		p, norm := r.Copy(), nd.Dot(r, r)
		return func() {
			q := matrix.Dot(p)
			alpha := norm.Div(nd.Dot(p, q))
			x, r = x.Add(alpha.Mul(p)), r.Sub(alpha.Mul(q))
			nd.Eval(x, r)
			next := nd.Dot(r, r)
			p, norm = r.Add(next.Div(norm).Mul(p)).Eval(), next
		}, []any{&x, &r, &p, &norm}, func() []nd.Operand { return []nd.Operand{x, r, p, norm} }
	},
	"heat": func() (func(), []any, func() []nd.Operand) {
		u := waves(70*90).Reshape(70, 90).Copy()
		all, up, down := nd.R(1, -1), nd.From(2), nd.To(-2)
		inner := u.Slice(all, all)
		return func() {
			sum := u.Slice(up, all).Add(u.Slice(down, all)).Add(u.Slice(all, up)).Add(u.Slice(all, down))
			inner.Assign(inner.Add(sum.Sub(inner.MulScalar(4)).MulScalar(0.1)))
		}, nil, func() []nd.Operand { return []nd.Operand{u, inner} }
	},
	"stencil": func() (func(), []any, func() []nd.Operand) {
		u := waves(10*11*12).Reshape(10, 11, 12).Copy()
		in, next, last := nd.R(1, -1), nd.From(2), nd.To(-2)
		middle := u.Slice(in, in, in)
		return func() {
			around := u.Slice(next, in, in).Add(u.Slice(last, in, in)).Add(u.Slice(in, next, in)).
				Add(u.Slice(in, last, in)).Add(u.Slice(in, in, next)).Add(u.Slice(in, in, last))
			middle.Assign(middle.MulScalar(0.4).Add(around.MulScalar(0.1)))
		}, nil, func() []nd.Operand { return []nd.Operand{u} }
	},
	"logistic": func() (func(), []any, func() []nd.Operand) {
		const rows, columns = 300, 8
		x := waves(rows*columns).Reshape(rows, columns)
		y := nd.AsType[float32](x.Slice(nd.All, nd.At(0)).GreaterScalar(0.1)).Eval()
		w := nd.Zeros[float32](columns)
		return func() {
			wrong := nd.Sigmoid(nd.MatMul(x, w)).Sub(y)
			w = w.Sub(nd.MatMul(x.T(), wrong).MulScalar(2.0 / rows)).Eval()
		}, []any{&w}, func() []nd.Operand { return []nd.Operand{w} }
	},
	"training": func() (func(), []any, func() []nd.Operand) {
		x := waves(64*20).Reshape(64, 20)
		y := waves(64*3).Reshape(64, 3)
		p := []*nd.Array[float32]{waves(20*16).Reshape(20, 16), nd.Zeros[float32](16), waves(16*3).Reshape(16, 3), nd.Zeros[float32](3)}
		var loss *nd.Array[float32]
		gradients := nd.ValueAndGrads(func(p []*nd.Array[float32]) *nd.Array[float32] {
			h := nd.Tanh(nd.MatMul(x, p[0]).Add(p[1]))
			scores := nd.MatMul(h, p[2]).Add(p[3])
			scores = scores.Sub(scores.Max(1).ExpandDims(1))
			return nd.Mean(nd.Log(nd.Exp(scores).Sum(1)).Sub(scores.Mul(y).Sum(1)))
		})
		return func() {
			value, g := gradients(p)
			loss = value
			for i := range p {
				p[i] = p[i].Sub(g[i].MulScalar(0.1)).Eval()
			}
		}, []any{p, &loss}, func() []nd.Operand { return []nd.Operand{p[0], p[1], p[2], p[3], loss} }
	},
	"page rank": func() (func(), []any, func() []nd.Operand) {
		const n = 200
		columns := nd.AsType[int32](nd.Abs(waves(n * 8)).MulScalar(n - 1)).Eval()
		links := nd.NewCSR(n, n, nd.Arange[int32](n+1).MulScalar(8).Eval(), columns, nd.Full[float32](1.0/8, n*8).Eval())
		rank := nd.Full[float32](1, n)
		return func() { rank = links.Dot(rank).MulScalar(0.85).AddScalar(0.15) }, []any{&rank}, func() []nd.Operand { return []nd.Operand{rank} }
	},
	"two before": func() (func(), []any, func() []nd.Operand) {
		before, now := waves(100), waves(100).MulScalar(0.5)
		return func() { before, now = now, now.MulScalar(1.5).Sub(before) }, []any{&before, &now}, func() []nd.Operand { return []nd.Operand{before, now} }
	},
	"in place and by variables": func() (func(), []any, func() []nd.Operand) {
		u, v, same := waves(100).Copy(), waves(100), waves(7)
		return func() {
			v = v.MulScalar(0.5).Add(u)
			u.Slice(nd.To(50)).Assign(v.Slice(nd.From(50)))
			u.Slice(nd.From(60)).Assign(u.Slice(nd.To(40)))
		}, []any{&v, &same}, func() []nd.Operand { return []nd.Operand{u, v, same} }
	},
	"a variable in place": func() (func(), []any, func() []nd.Operand) {
		u := waves(100)
		k := nd.Arange[int32](5)
		return func() {
			u.Assign(u.Flip().MulScalar(0.9))
			k = k.AddScalar(3)
		}, []any{&u, &k}, func() []nd.Operand { return []nd.Operand{u, k} }
	},
	"one of two constants": func() (func(), []any, func() []nd.Operand) {
		a, b := waves(100), waves(100)
		c := waves(100).MulScalar(3).Eval()
		return func() { a, b = c, b.Add(c) }, []any{&a, &b}, func() []nd.Operand { return []nd.Operand{a, b} }
	},
	"both the same": func() (func(), []any, func() []nd.Operand) {
		a, b := waves(100), waves(100)
		return func() { a = nd.Sin(a); b = a }, []any{&a, &b}, func() []nd.Operand { return []nd.Operand{a, b} }
	},
}

// poissonMatrix returns the matrix of a square of points.
func poissonMatrix(side int) *nd.CSR[float32] {
	starts, columns, values := []int32{0}, []int32{}, []float32{}
	for y := range side {
		for x := range side {
			for _, d := range [][3]int{{-1, 0, -1}, {0, -1, -1}, {0, 0, 4}, {0, 1, -1}, {1, 0, -1}} {
				if at := [2]int{y + d[0], x + d[1]}; min(at[0], at[1]) >= 0 && max(at[0], at[1]) < side {
					columns, values = append(columns, int32(at[0]*side+at[1])), append(values, float32(d[2]))
				}
			}
		}
		for range side {
			starts = append(starts, 0)
		}
	}
	n := 0
	for y := range side {
		for x := range side {
			n += 5
			for _, edge := range []bool{y == 0, y == side-1, x == 0, x == side-1} {
				if edge {
					n--
				}
			}
			starts[y*side+x+1] = int32(n)
		}
	}
	return nd.NewCSR(side*side, side*side, nd.FromSlice(starts), nd.FromSlice(columns), nd.FromSlice(values))
}

// TestLoop compares programs with a loop in Go, bit by bit, and checks that they are repeated as graphs where that is possible.
func TestLoop(t *testing.T) {
	for name, p := range loopPrograms {
		for _, n := range []int{1, 5, loopSteps, loopSteps + 1} {
			want := plainly(n, p)
			got, calls := looped(t, n, p)
			for i := range want {
				if !slices.Equal(rawOf(got[i]), rawOf(want[i])) {
					t.Errorf("%s, %d steps: result %d is %v, want %v", name, n, i, got[i], want[i])
				}
			}
			if most := nd.MostCalled(n); calls > most {
				t.Errorf("%s: %d of %d steps were called, want at most %d", name, calls, n, most)
			}
		}
	}
}
