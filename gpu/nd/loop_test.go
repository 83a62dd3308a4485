package nd_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	rng "github.com/gopherwarp/gopherwarp/gpu/nd/random"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
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

// TestLoopCallsAllSteps tests that steps that are not all the same are called, with the same results.
func TestLoopCallsAllSteps(t *testing.T) {
	one := func(f func(i int, x *nd.Array[float32]) *nd.Array[float32]) loopProgram {
		return func() (func(), []any, func() []nd.Operand) {
			x, i := waves(64).Reshape(8, 8), 0
			return func() { x = f(i, x); i++ }, []any{&x}, func() []nd.Operand { return []nd.Operand{x} }
		}
	}
	for name, p := range map[string]loopProgram{
		"the number of the step": one(func(i int, x *nd.Array[float32]) *nd.Array[float32] { return x.MulScalar(0.5).AddScalar(float32(i)) }),
		"a part that moves": one(func(i int, x *nd.Array[float32]) *nd.Array[float32] {
			return x.Add(x.Slice(nd.At(i % 8)))
		}),
		"a value on the host": one(func(_ int, x *nd.Array[float32]) *nd.Array[float32] {
			if x.Sum().Item() > 1 {
				return x.MulScalar(0.5)
			}
			return x.AddScalar(0.25)
		}),
		"an array from the host": one(func(i int, x *nd.Array[float32]) *nd.Array[float32] {
			return x.Add(nd.FromSlice([]float32{1, 2, 3, 4, 5, 6, 7, float32(i)}))
		}),
		"another library": one(func(_ int, x *nd.Array[float32]) *nd.Array[float32] {
			return nd.Solve(x.Add(nd.Eye[float32](8, 8, 0).MulScalar(9)), x)
		}),
		"a variable that is not given": func() (func(), []any, func() []nd.Operand) {
			x, y := waves(64), waves(64)
			return func() { x, y = x.Add(y), y.MulScalar(0.5).Add(x).Eval() }, []any{&x}, func() []nd.Operand { return []nd.Operand{x, y} }
		},
		"a slice that is replaced": func() (func(), []any, func() []nd.Operand) {
			p := []*nd.Array[float32]{waves(64)}
			return func() { p = []*nd.Array[float32]{p[0].MulScalar(0.5)} }, []any{p}, func() []nd.Operand { return []nd.Operand{p[0]} }
		},
		"every other step": one(func(i int, x *nd.Array[float32]) *nd.Array[float32] {
			if i%2 == 0 {
				return nd.Sin(x)
			}
			return nd.Exp(x)
		}),
		"array after array in place": func() (func(), []any, func() []nd.Operand) {
			list, i := []*nd.Array[float32]{}, 0
			for range loopSteps {
				list = append(list, waves(64).Copy())
			}
			return func() { list[i].Assign(list[i].AddScalar(1)); i++ }, nil, func() []nd.Operand { return []nd.Operand{list[0], list[loopSteps-1]} }
		},
	} {
		want := plainly(loopSteps, p)
		got, calls := looped(t, loopSteps, p)
		for i := range want {
			if !slices.Equal(rawOf(got[i]), rawOf(want[i])) {
				t.Errorf("%s: result %d is %v, want %v", name, i, got[i], want[i])
			}
		}
		if calls != loopSteps {
			t.Errorf("%s: %d of %d steps were called", name, calls, loopSteps)
		}
	}
}

// TestLoopOfRandomNumbers tests that each step has its own.
func TestLoopOfRandomNumbers(t *testing.T) {
	p := func() (func(), []any, func() []nd.Operand) {
		r := rng.New(5)
		x := nd.Zeros[float32](100)
		return func() { x = x.Add(rng.Random[float32](r, 100)) }, []any{&x}, func() []nd.Operand { return []nd.Operand{x} }
	}
	got, _ := looped(t, loopSteps, p)
	if want := plainly(loopSteps, p); !slices.Equal(rawOf(got[0]), rawOf(want[0])) {
		t.Errorf("got %v, want %v", got[0], want[0])
	}
}

// TestLoopOfKMeans tests a step that counts integers, which may look at them on the host.
func TestLoopOfKMeans(t *testing.T) {
	p := func() (func(), []any, func() []nd.Operand) {
		const axes, most = 3, 5
		points := waves(200*axes).Reshape(200, axes)
		centres := points.Slice(nd.To(most)).Copy()
		return func() {
			nearest := nd.Argmin(points.ExpandDims(1).Sub(centres).Square().Sum(2), 1)
			counts := nd.AsType[float32](nd.Bincount(nearest, most)).MaximumScalar(1)
			for axis := range axes {
				sums := nd.BincountWeights(nearest, points.Slice(nd.All, nd.At(axis)), most)
				centres.Slice(nd.All, nd.At(axis)).Assign(nd.AsType[float32](sums).Div(counts))
			}
		}, nil, func() []nd.Operand { return []nd.Operand{centres} }
	}
	got, _ := looped(t, loopSteps, p)
	closeTo(t, "the centres", got[0].(*nd.Array[float32]), plainly(loopSteps, p)[0].(*nd.Array[float32]), 1e-5) // sums by atomic operations
}

// TestLoopLeavesArraysAlone tests that the steps which are repeated write to no array that others have: the start, what earlier steps have made,
// and expressions of what is written in place.
func TestLoopLeavesArraysAlone(t *testing.T) {
	start := waves(100)
	x, u := start, waves(100).Copy()
	var made []*nd.Array[float32]
	nd.Loop(30, func() {
		made = append(made, x, u.AddScalar(1)) // those of u are not computed
		x = x.AddScalar(1).Eval()
		u.Assign(u.MulScalar(2))
		made = append(made, u.SubScalar(1))
	}, &x)
	wantX, wantU := waves(100), waves(100)
	for i := 0; i < len(made); i += 3 {
		next := wantU.MulScalar(2).Eval()
		for k, want := range []*nd.Array[float32]{wantX, wantU.AddScalar(1), next.SubScalar(1)} {
			if !slices.Equal(made[i+k].ToHost(), want.ToHost()) {
				t.Errorf("array %d of step %d has changed", k, i/3)
			}
		}
		wantX, wantU = wantX.AddScalar(1).Eval(), next
	}
	if !slices.Equal(start.ToHost(), waves(100).ToHost()) {
		t.Error("the start has changed")
	}
	y := u.AddScalar(0)
	u.Fill(7)
	if got, want := y.Slice(nd.At(1)).Item(), waves(100).Slice(nd.At(1)).Item()*(1<<30); got != want {
		t.Errorf("an expression of the result is %v, want %v", got, want)
	}
}

// TestLoopInLoop tests a loop whose step has one.
func TestLoopInLoop(t *testing.T) {
	p := func() (func(), []any, func() []nd.Operand) {
		x, u := waves(100), waves(100).Copy()
		return func() {
			nd.Loop(9, func() { x = nd.Sin(x.Add(u)) }, &x)
			u.Assign(u.Mul(x))
		}, []any{&x}, func() []nd.Operand { return []nd.Operand{x, u} }
	}
	got, calls := looped(t, loopSteps, p)
	for i, want := range plainly(loopSteps, p) {
		if !slices.Equal(rawOf(got[i]), rawOf(want)) {
			t.Errorf("result %d is %v, want %v", i, got[i], want)
		}
	}
	if most := nd.MostCalled(loopSteps); calls > most {
		t.Errorf("%d steps were called, want at most %d", calls, most)
	}
}

// TestLoopFrees tests a step that frees what it no longer needs, and that a loop keeps no memory.
func TestLoopFrees(t *testing.T) {
	p := func() (func(), []any, func() []nd.Operand) {
		x := waves(1000)
		return func() {
			y := nd.Exp(x).Eval()
			z := y.AddScalar(1).Eval()
			if err := y.Free(); err != nil {
				t.Error(err)
			}
			w := z.MulScalar(2).Eval()
			x = nd.Log(w).Eval()
			if err := errors.Join(z.Free(), w.Free()); err != nil {
				t.Error(err)
			}
		}, []any{&x}, func() []nd.Operand { return []nd.Operand{x} }
	}
	got, calls := looped(t, loopSteps, p)
	if want := plainly(loopSteps, p); !slices.Equal(rawOf(got[0]), rawOf(want[0])) {
		t.Errorf("got %v, want %v", got[0], want[0])
	}
	if most := nd.MostCalled(loopSteps); calls > most {
		t.Errorf("%d steps were called, want at most %d", calls, most)
	}
}

// TestLoopOfUserKernels tests that a kernel of the user's is repeated, and with memory of the user's.
func TestLoopOfUserKernels(t *testing.T) {
	half := nd.Elementwise2[float32, float32, float32](nd.ElementwiseKernel{Name: "halves", In: "x, y", Out: "z", Code: "z = x / 2 + y"})
	sum := nd.Reduction1[float32, float32](nd.ReductionKernel{Name: "squares", In: "x", Out: "y", Map: "x * x", Reduce: "a + b", Identity: "0"})
	p := func() (func(), []any, func() []nd.Operand) {
		x, u := waves(1000), waves(1000).Copy()
		b := nd.BufferOf(u)
		half := half
		return func() {
			x = half(x, u.Add(sum(x)))
			if err := gpu.Copy(b, nd.BufferOf(x)); err != nil {
				t.Error(err)
			}
		}, []any{&x}, func() []nd.Operand { return []nd.Operand{x, u} }
	}
	got, calls := looped(t, loopSteps, p)
	for i, want := range plainly(loopSteps, p) {
		if !slices.Equal(rawOf(got[i]), rawOf(want)) {
			t.Errorf("result %d is %v, want %v", i, got[i], want)
		}
	}
	if most := nd.MostCalled(loopSteps); calls > most {
		t.Errorf("%d steps were called, want at most %d", calls, most)
	}
}

// TestLoopWhoseKernelFaults tests that the error of a repeated step names the kernel, if there is only one.
func TestLoopWhoseKernelFaults(t *testing.T) {
	tame := nd.Elementwise1[float32, float32](nd.ElementwiseKernel{Name: "tame", In: "x", Out: "y", Code: "y = x"})
	wild := nd.Elementwise1[float32, float32](nd.ElementwiseKernel{Name: "wild", In: "x", Out: "y", Code: "y = x + 1; if (y > 19.5f) y = *(const float *)(size_t)(y * 1e12f)"})
	for name, c := range map[string]struct {
		step func(x *nd.Array[float32]) *nd.Array[float32]
		want string
	}{
		"one kernel":  {func(x *nd.Array[float32]) *nd.Array[float32] { return wild(x) }, "kernel wild, launched at"},
		"two kernels": {func(x *nd.Array[float32]) *nd.Array[float32] { return wild(tame(x)) }, "wild ("},
	} {
		x := nd.Zeros[float32](100).Eval()
		err := nd.Try(func() {
			nd.Loop(100, func() { x = c.step(x) }, &x)
			x.ToHost()
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if err := gpu.Sync(); err != nil {
		t.Error(err)
	}
}

// TestLoopWhoseStepFails tests that a step's error is that of the loop, and that other loops are as before.
func TestLoopWhoseStepFails(t *testing.T) {
	for _, at := range []int{0, 1} {
		x, i := waves(64), 0
		err := nd.Try(func() {
			nd.Loop(loopSteps, func() {
				if i == at {
					x = x.Add(waves(5))
				}
				x = x.AddScalar(1)
				i++
			}, &x)
		})
		if err == nil || !strings.Contains(err.Error(), "broadcast") || i != at {
			t.Errorf("the error in step %d is %v, after %d steps", at, err, i)
		}
		if got, want := x.Slice(nd.At(3)).Item(), waves(64).Slice(nd.At(3)).Item(); got < want || got > want+float32(at)+0.01 {
			t.Errorf("an element is %v afterwards", got)
		}
	}
	TestLoopFrees(t)
}

// TestLoopIsInterrupted tests that a loop ends when the work of devices is stopped, as by the interrupt of a cell.
func TestLoopIsInterrupted(t *testing.T) {
	if err := gpuhooks.CellEnd(t.Context()); err != nil { // the work of other tests
		t.Fatal(err)
	}
	u := waves(1000).Copy()
	begun := make(chan bool, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var interrupts sync.WaitGroup
	interrupts.Go(func() {
		<-begun
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(50 * time.Millisecond):
				gpuhooks.Interrupt()
			}
		}
	})
	err := nd.Try(func() {
		nd.Loop(1<<40, func() {
			u.Assign(nd.Sin(u))
			select {
			case begun <- true:
			default:
			}
		})
	})
	cancel()
	interrupts.Wait()
	if err == nil || !strings.Contains(err.Error(), "stopped") {
		t.Errorf("the error is %v", err)
	}
	_ = gpuhooks.CellEnd(t.Context()) // may say that work was lost
	u.Assign(waves(1000))
	if !slices.Equal(u.ToHost(), waves(1000).ToHost()) {
		t.Error("the array cannot be written afterwards")
	}
	TestLoopFrees(t)
}

// TestLoopWithLittleMemory tests that a loop needs no more memory than its steps have without it.
func TestLoopWithLittleMemory(t *testing.T) {
	d := on(t, "sim:t4x2:1")
	const size = 8 << 20
	// What fails for lack of memory gives back what other tests have left: memory that is reserved stays so at a lower limit.
	d.Limit(1)
	defer d.Limit(0)
	if err := nd.Try(func() { nd.Empty[float32](1 << 31) }); err == nil {
		t.Fatal("there is memory beyond the limit")
	}
	d.Limit(7 * size)
	u := nd.Ones[float32](size / 4).Eval()
	steps := 0
	nd.Loop(loopSteps, func() {
		steps++
		x := u
		for range 6 {
			x = x.Add(u).Eval()
		}
		u.Assign(x.MulScalar(1 / 7.0))
	})
	if got := u.Slice(nd.At(size/4 - 1)).Item(); got < 0.99 || got > 1.01 {
		t.Errorf("an element is %v", got)
	}
	if steps != loopSteps {
		t.Errorf("%d steps were called: give the loop less memory for this test", steps)
	}
}

// TestLoopInGrad tests that a loop can be differentiated.
func TestLoopInGrad(t *testing.T) {
	gradient := nd.Grad(func(x *nd.Array[float64]) *nd.Array[float64] {
		y := x
		nd.Loop(10, func() { y = y.Mul(x) }, &y)
		return y.Sum()
	})
	closeTo(t, "a gradient", gradient(nd.FromSlice([]float64{1, 0.5, 2})), nd.FromSlice([]float64{11, 11 / 1024.0, 11 * 1024}), 1e-12)
}

// TestLoopIsMeasured tests that counts are those of all steps, and that a profile and the check mode have each launch.
func TestLoopIsMeasured(t *testing.T) {
	x := waves(64)
	loop := func() error {
		nd.Loop(loopSteps, func() { x = x.MulScalar(0.5).Eval() }, &x)
		return nil
	}
	nd.ResetStats()
	_ = loop()
	if s := nd.Stats(); s.Launches != loopSteps || s.Bytes != loopSteps*2*64*4 {
		t.Errorf("the counts are %+v", s)
	}
	report, err := prof.Run(loop, prof.WithTimesOnly())
	if err != nil || len(report.Kernels) != 1 || report.Kernels[0].Calls != loopSteps {
		t.Errorf("the profile has %+v, %v", report.Kernels, err)
	}
	checked, err := check.Run(loop)
	if err != nil || checked.Launches != loopSteps {
		t.Errorf("%d launches were checked, %v", checked.Launches, err)
	}
}

// TestLoopRefuses tests the messages for what is no variable.
func TestLoopRefuses(t *testing.T) {
	x := waves(3)
	var operand nd.Operand = x
	wrapped := &struct{ *nd.Array[float32] }{x}
	step := func() {}
	for say, f := range map[string]func(){
		"variable 1 is a *nd.Array[float32]: give a pointer": func() { nd.Loop(3, step, x) },
		"variable 2 is a int":                                func() { nd.Loop(3, step, &x, 3) },
		"variable 1 is a *nd.Operand":                        func() { nd.Loop(3, step, &operand) },
		"variable 1 is a **struct":                           func() { nd.Loop(3, step, &wrapped) },
		"variable 1 is a <nil>":                              func() { nd.Loop(3, step, nil) },
		"the number of steps is -1":                          func() { nd.Loop(-1, step) },
		"the step is nil":                                    func() { nd.Loop(3, nil) },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("the error is %v, want %q", err, say)
		}
	}
}

// TestRandomLoops compares random steps, in place and by variables, with a loop in Go.
func TestRandomLoops(t *testing.T) {
	seeds := 60
	if testing.Short() {
		seeds = 10
	}
	replayed := 0
	for seed := range uint64(seeds) {
		var text []string
		p := func() (func(), []any, func() []nd.Operand) { return randomStep(seed, &text) }
		n := 8 + int(seed%7)
		got, calls := looped(t, n, p)
		for i, want := range plainly(n, p) {
			if !slices.Equal(rawOf(got[i]), rawOf(want)) {
				t.Fatalf("seed %d, result %d is %v, want %v; the step: %s", seed, i, got[i], want, strings.Join(text, "; "))
			}
		}
		if calls < n {
			replayed++
		}
	}
	if most := nd.MostCalled(loopSteps); most < loopSteps && replayed < seeds/3 {
		t.Errorf("%d of %d programs were repeated as a graph", replayed, seeds)
	}
}

// randomStep makes a program of square matrices: variables v, and arrays u that are written in place.
func randomStep(seed uint64, text *[]string) (func(), []any, func() []nd.Operand) {
	const side = 6
	r := rand.New(rand.NewPCG(seed, 11))
	var v, u []*nd.Array[float32]
	for i := range 3 {
		v = append(v, waves(side*side).MulScalar(float32(i+1)).Reshape(side, side))
		u = append(u, waves(side*side).MulScalar(float32(-i-1)).Reshape(side, side).Copy())
	}
	var parts []func()
	*text = nil
	add := func(name string, f func()) { parts, *text = append(parts, f), append(*text, name) }
	for range 1 + r.IntN(5) {
		i, j, k := r.IntN(3), r.IntN(3), r.IntN(3)
		from, length := r.IntN(side/2), 1+r.IntN(side/2)
		part := nd.R(from, from+length)
		switch r.IntN(14) {
		case 0:
			add(fmt.Sprintf("v%d = sin(v%d + v%d)", i, j, k), func() { v[i] = nd.Sin(v[j].Add(v[k])) })
		case 1:
			add(fmt.Sprintf("v%d = v%d - mean of v%d", i, j, k), func() { v[i] = v[j].Sub(nd.Mean(v[k], 1).ExpandDims(1)) })
		case 2:
			add(fmt.Sprintf("v%d, v%d = v%[2]d, v%[1]d", i, j), func() { v[i], v[j] = v[j], v[i] })
		case 3:
			add(fmt.Sprintf("v%d = tanh(v%d @ u%d)", i, j, k), func() { v[i] = nd.Tanh(nd.MatMul(v[j], u[k])) })
		case 4:
			add(fmt.Sprintf("v%d = v%d", i, j), func() { v[i] = v[j] })
		case 5:
			add(fmt.Sprintf("v%d = cos(v%d).T", i, j), func() { v[i] = nd.Cos(v[j]).T() })
		case 6:
			add(fmt.Sprintf("u%d = sin(v%d + u%d)", i, j, k), func() { u[i].Assign(nd.Sin(v[j].Add(u[k]))) })
		case 7:
			add(fmt.Sprintf("part of u%d = that of u%d.T", i, j), func() { u[i].Slice(part).Assign(u[j].T().Slice(part)) })
		case 8:
			add(fmt.Sprintf("part of v%d = that of u%d", i, j), func() { v[i].Slice(nd.All, part).Assign(u[j].Slice(nd.All, part)) })
		case 9:
			add(fmt.Sprintf("v%d = copy of u%d", i, j), func() { v[i] = u[j].Copy() })
		case 10:
			add(fmt.Sprintf("v%d = u%d", i, j), func() { v[i] = u[j] })
		case 11:
			add(fmt.Sprintf("u%d = sorted v%d", i, j), func() { u[i].Assign(nd.Sort(v[j])) })
		case 12:
			add(fmt.Sprintf("v%d = running sums of v%d", i, j), func() { v[i] = nd.Sin(nd.Cumsum(v[j]).Reshape(side, side)) })
		case 13:
			add(fmt.Sprintf("u%d = where v%d > u%d", i, j, k), func() { u[i].Assign(nd.Where(v[j].Greater(u[k]), v[j], u[i])) })
		}
	}
	step := func() {
		for _, f := range parts {
			f()
		}
	}
	return step, []any{v}, func() []nd.Operand { return []nd.Operand{v[0], v[1], v[2], u[0], u[1], u[2]} }
}
