package nd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// rowProgram is a random program of reductions of the last axis, their views, and expressions of both. What it does depends on the seed
// and on the shapes of its arrays alone.
type rowProgram struct {
	r    *rand.Rand
	pool []*nd.Array[float64] // the results so far, of which others are made
	now  bool                 // each result is computed at once
	pure bool                 // only functions that have derivatives, and nothing that changes arrays
	most int                  // elements of an array
	text []string             // what was done
}

// rowShapes are the shapes of the arrays that programs begin with. Rows and columns of most are equally many, so that a reduction fits
// along both.
var rowShapes = [][]int{{64, 64}, {64, 64}, {64, 64}, {1, 64, 64}, {64, 1, 64}, {8, 8, 64}, {65, 70}}

// run executes that many steps of the program of a seed, and returns all results.
func (p *rowProgram) run(seed uint64, steps int) []*nd.Array[float64] {
	p.begin(seed)
	for range 1 + p.r.IntN(3) {
		shape := rowShapes[p.r.IntN(len(rowShapes))]
		n := 1
		for _, length := range shape {
			n *= length
		}
		x := nd.Sin(nd.Arange(float64(n)).Square().AddScalar(p.r.Float64() * 9)).Reshape(shape...)
		if p.r.IntN(4) == 0 {
			x = x.T()
		}
		p.add("array", x.Eval())
	}
	p.steps(steps)
	return p.pool
}

// begin sets what follows from the seed alone.
func (p *rowProgram) begin(seed uint64) {
	p.r, p.most = rand.New(rand.NewPCG(seed, 3)), 1<<13
	if seed%16 == 0 {
		p.most = 1 << 18
	}
}

// steps adds that many results, or fewer.
func (p *rowProgram) steps(count int) {
	for range count {
		switch kind := p.r.IntN(20); {
		case kind < 6:
			p.reduce()
		case kind < 11:
			p.view()
		case kind < 16:
			p.combine()
		case kind < 18:
			p.unary()
		case !p.pure:
			p.other()
		}
	}
}

// add adds a result.
func (p *rowProgram) add(what string, x *nd.Array[float64]) {
	if p.now {
		x.Eval()
	}
	p.text = append(p.text, fmt.Sprintf("%d: %s %v", len(p.pool), what, x.Shape()))
	p.pool = append(p.pool, x)
}

// pick returns one of the results for which ok is true, the latest more often, and its name.
func (p *rowProgram) pick(ok func(x *nd.Array[float64]) bool) (*nd.Array[float64], string) {
	var list []int
	for i, x := range p.pool {
		if ok(x) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil, ""
	}
	k := len(list) - 1 - int(float64(len(list))*math.Pow(p.r.Float64(), 1.5))
	i := list[max(k, 0)]
	return p.pool[i], fmt.Sprint("#", i)
}

func any64(x *nd.Array[float64]) bool { return x.Size() > 0 }

// hasRows reports whether an array has rows.
func hasRows(x *nd.Array[float64]) bool { return x.Size() > 0 && x.NDim() >= 2 }

func (p *rowProgram) reduce() {
	x, name := p.pick(hasRows)
	if x == nil {
		return
	}
	axis := x.NDim() - 1
	if p.r.IntN(8) == 0 {
		axis = p.r.IntN(x.NDim())
	}
	// Results are near 1, as elements are, so that differences are seen.
	scale := 1 / math.Sqrt(float64(x.Shape()[axis]))
	var y *nd.Array[float64]
	kind := p.r.IntN(8)
	if p.pure {
		kind %= 7
	}
	switch kind {
	case 0, 1:
		y = x.Sum(axis)
		if p.r.IntN(2) == 0 {
			y = y.MulScalar(scale)
		}
	case 2:
		y = x.Max(axis)
	case 3:
		y = x.Min(axis)
	case 4:
		y = nd.Mean(x, axis)
	case 5:
		y = nd.Norm(x, axis)
	case 6:
		y = nd.Std(x, axis)
	default:
		y = nd.AsType[float64](nd.Argmax(x, axis)).MulScalar(0.03)
	}
	p.add(fmt.Sprintf("reduction %d of axis %d of %s", kind, axis, name), y)
}

func (p *rowProgram) view() {
	x, name := p.pick(any64)
	rank := x.NDim()
	switch kind := p.r.IntN(10); {
	case kind < 4 && rank < 4:
		axis := rank
		if p.r.IntN(4) == 0 {
			axis = p.r.IntN(rank + 1)
		}
		p.add(fmt.Sprintf("ExpandDims(%d) of %s", axis, name), x.ExpandDims(axis))
	case kind < 5 && rank > 0:
		axis := p.r.IntN(rank)
		p.add(fmt.Sprintf("Flip(%d) of %s", axis, name), x.Flip(axis))
	case kind < 6 && rank > 0:
		p.slice(x, name)
	case kind < 7:
		shape := x.Shape()
		if i := slices.Index(shape, 64); i >= 0 && rank < 4 {
			shape = slices.Replace(shape, i, i+1, 8, 8)
		} else if i := slices.Index(shape, 8); i >= 0 && i+1 < rank && shape[i+1] == 8 {
			shape = slices.Replace(shape, i, i+2, 64)
		} else {
			shape = append(shape, 1)
		}
		p.add(fmt.Sprintf("Reshape%v of %s", shape, name), x.Reshape(shape...))
	case kind < 8:
		p.add("T of "+name, x.T())
	case kind < 9 && x.Size()*64 <= p.most:
		shape := append([]int{1 + 63*p.r.IntN(2)}, x.Shape()...)
		for i, length := range shape {
			if length == 1 && p.r.IntN(2) == 0 && len(shape) <= 3 {
				shape[i] = 64
				break
			}
		}
		if len(shape) <= 4 {
			p.add(fmt.Sprintf("BroadcastTo%v of %s", shape, name), x.BroadcastTo(shape...))
		}
	case rank > 0:
		axis := p.r.IntN(rank)
		var index []int32
		for range x.Shape()[axis] {
			index = append(index, int32(p.r.IntN(x.Shape()[axis])))
		}
		p.add(fmt.Sprintf("Take(%d) of %s", axis, name), nd.Take(x, nd.FromSlice(index), axis))
	}
}

func (p *rowProgram) slice(x *nd.Array[float64], name string) {
	axis := p.r.IntN(x.NDim())
	index := make([]nd.Index, x.NDim())
	var what string
	switch p.r.IntN(5) {
	case 0:
		index[axis], what = nd.To(1), "To(1)"
	case 1:
		index[axis], what = nd.From(p.r.IntN(2)), "From(0 or 1)"
	case 2:
		index[axis], what = nd.All.By(-1), "backward"
	case 3:
		index[axis], what = nd.All.By(2), "every second"
	default:
		index[axis], what = nd.At(p.r.IntN(x.Shape()[axis])), "At"
	}
	p.add(fmt.Sprintf("%s along axis %d of %s", what, axis, name), x.Slice(index...))
}

func (p *rowProgram) unary() {
	x, name := p.pick(any64)
	switch p.r.IntN(6) {
	case 3, 4:
		if rank := x.NDim(); rank > 0 {
			axis := rank - 1
			if p.r.IntN(8) == 0 {
				axis = p.r.IntN(rank)
			}
			scale := 1 / math.Sqrt(float64(x.Shape()[axis]))
			p.add(fmt.Sprintf("Cumsum of axis %d of %s", axis, name), nd.Cumsum(x.MulScalar(scale), axis))
		}
	case 0:
		p.add("Sin of "+name, nd.Sin(x))
	case 1:
		p.add("Tanh of "+name, nd.Tanh(x))
	case 2:
		p.add("0.5 * "+name, x.MulScalar(0.5))
	default:
		y := x
		for range 20 + p.r.IntN(30) {
			y = nd.Sin(y.AddScalar(0.5))
		}
		p.add("a long expression of "+name, y)
	}
}

// combine adds an expression of two or three results whose shapes fit.
func (p *rowProgram) combine() {
	x, name := p.pick(hasRows)
	if x == nil {
		return
	}
	if p.r.IntN(2) == 0 {
		x, name = p.pick(func(y *nd.Array[float64]) bool { return y.Size() >= 4096 })
	}
	if x == nil {
		return
	}
	for range 1 + p.r.IntN(3) {
		y, other := p.pick(func(y *nd.Array[float64]) bool { return p.fitting(x, y) })
		if y == nil {
			return
		}
		if p.r.IntN(2) == 0 {
			x, y = y, x
		}
		switch p.r.IntN(5) {
		case 0:
			x, name = x.Add(y), name+" + "+other
		case 1, 2:
			x, name = x.Sub(y), name+" - "+other
		case 3:
			x, name = nd.Tanh(x.Mul(y)), "Tanh of "+name+" * "+other
		default:
			x, name = x.Maximum(y), "Maximum of "+name+", "+other
		}
	}
	p.add(name, x)
}

// fitting reports whether two arrays can be broadcast together to one that is not too large.
func (p *rowProgram) fitting(x, y *nd.Array[float64]) bool {
	a, b, size := x.Shape(), y.Shape(), 1
	for i := range max(len(a), len(b)) {
		m, n := 1, 1
		if i < len(a) {
			m = a[len(a)-1-i]
		}
		if i < len(b) {
			n = b[len(b)-1-i]
		}
		if m != n && m != 1 && n != 1 {
			return false
		}
		size *= max(m, n)
	}
	return size <= p.most
}

// other does what shows, changes or computes results.
func (p *rowProgram) other() {
	x, name := p.pick(any64)
	kind := p.r.IntN(14)
	switch kind {
	case 0:
		x.Fill(0.25)
	case 1:
		// Only arrays that do not overlap themselves can be written.
		if slices.Contains(x.Strides(), 0) {
			return
		}
		if y, _ := p.pick(func(y *nd.Array[float64]) bool { return p.fitting(x, y) && within(y.Shape(), x.Shape()) }); y != nil {
			x.Assign(y)
		}
	case 2:
		if slices.Contains(x.Strides(), 0) {
			return
		}
		x.Assign(nd.Tanh(x.Sub(x.Flip())))
	case 3:
		x.Eval()
	case 4:
		nd.Stats()
	case 5:
		nd.Explain(x)
	case 6:
		nd.Prepare(x)
	case 7:
		if err := gpu.Sync(); err != nil {
			panic(err)
		}
	case 8:
		p.add("Cumsum of "+name, nd.Cumsum(x.MulScalar(0.1)))
	case 9:
		if x.NDim() > 0 {
			p.add("Sort of "+name, nd.Sort(x))
		}
	case 10:
		if x.Contiguous() {
			nd.BufferOf(x).Fill(0.125)
		}
	case 11, 12:
		list := []nd.Operand{x}
		for range p.r.IntN(4) {
			y, other := p.pick(any64)
			list, name = append(list, y), name+", "+other
		}
		nd.Eval(list...)
	default:
		p.pool = slices.Delete(p.pool, 0, min(1, len(p.pool)-1))
		runtime.GC()
	}
	p.text = append(p.text, fmt.Sprintf("%d of %s", kind, name))
}

// within reports whether an array of the first shape can be broadcast to the second.
func within(a, b []int) bool {
	if len(a) > len(b) {
		return false
	}
	for i, n := range a {
		if n != 1 && n != b[len(b)-len(a)+i] {
			return false
		}
	}
	return true
}

// TestRandomRowPrograms compares random programs with the same ones whose results are computed one by one.
func TestRandomRowPrograms(t *testing.T) {
	programs, steps := 200, 25
	if !nd.Described() {
		programs, steps = 12, 15 // kernels are compiled
	}
	before := nd.RowKernels()
	defer func() {
		if kernels := nd.RowKernels() - before; kernels < programs/8 {
			t.Errorf("%d new kernels for rows in %d programs", kernels, programs)
		}
	}()
	for seed := range uint64(programs) {
		checkProgram(t, seed, steps)
		if t.Failed() {
			return
		}
	}
}

func checkProgram(t *testing.T, seed uint64, steps int) {
	t.Helper()
	got := rowProgram{}
	list := got.run(seed, steps)
	// In which order results are needed decides what is computed with what.
	rand.New(rand.NewPCG(seed, 4)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if seed%2 == 0 {
		var operands []nd.Operand
		for _, x := range list {
			operands = append(operands, x)
		}
		nd.Eval(operands...)
	}
	for _, x := range list {
		x.Eval()
	}
	want := rowProgram{now: true}
	other := want.run(seed, steps)
	rand.New(rand.NewPCG(seed, 4)).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	for i, x := range list {
		// The deviation of equal numbers is not exactly zero in all orders of summation.
		closeTo(t, fmt.Sprintf("program %d, %s, %d of the results", seed, strings.Join(got.text, "\n"), i), x, other[i], 1e-6)
		if t.Failed() {
			return
		}
	}
}

// TestRandomRowGradients compares gradients of random programs.
func TestRandomRowGradients(t *testing.T) {
	count := 20
	if !nd.Described() {
		count = 2
	}
	for seed := range uint64(count) {
		var text string
		gradient := func(now bool) *nd.Array[float64] {
			x := nd.Sin(nd.Arange[float64](64*64).Square()).Reshape(64, 64).Eval()
			return nd.Grad(func(x *nd.Array[float64]) *nd.Array[float64] {
				p := rowProgram{now: now, pure: true}
				p.begin(seed + 1)
				p.add("parameter", x)
				p.steps(12)
				text = strings.Join(p.text, "\n")
				sum := nd.Scalar(0.0)
				for _, y := range p.pool {
					sum = sum.Add(nd.Tanh(y).Sum())
				}
				return sum
			})(x)
		}
		got := gradient(false).Eval()
		closeTo(t, fmt.Sprintf("gradient of program %d, %s", seed, text), got, gradient(true), 1e-7)
		if t.Failed() {
			return
		}
	}
}

// TestRandomRowProgramsAtOnce has goroutines that compute the reductions of each other, because a kernel of one shows those of all.
func TestRandomRowProgramsAtOnce(t *testing.T) {
	count, steps := uint64(6), 20
	if !nd.Described() {
		count, steps = 2, 6
	}
	var group sync.WaitGroup
	results := make([][]*nd.Array[float64], count)
	for i := range count {
		group.Go(func() {
			p := rowProgram{}
			results[i] = p.run(100+i, steps)
			for _, x := range results[i] {
				x.Eval()
			}
		})
	}
	group.Wait()
	for i := range count {
		p := rowProgram{now: true}
		for j, want := range p.run(100+i, steps) {
			closeTo(t, fmt.Sprintf("program %d, result %d", i, j), results[i][j], want, 1e-9)
		}
	}
}
