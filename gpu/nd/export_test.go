package nd

import (
	"maps"
	"slices"
)

// Rehearse runs f without launching kernels and compiles those that it would launch, many at a time. The results of f are undefined.
func Rehearse(f func()) {
	e := current("Rehearse")
	list := e.rehearse(f)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.compileAll(list)
}

// Sources runs f as Rehearse does and returns the texts of all kernels that it would launch, in the order of their keys.
func Sources(f func()) []string {
	e := current("Sources")
	known := e.programs
	e.programs = map[string]*program{}
	defer func() { e.programs = known }()
	list := e.rehearse(f)
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(list)) {
		texts = append(texts, prelude(list[key].need)+"\n"+list[key].text)
	}
	return texts
}

// Programs returns the texts of programs that have the kernels of the expressions, many in each, and the flags to compile them with.
func Programs(list ...Operand) (texts, flags []string) {
	e := current("Programs")
	e.mu.Lock()
	defer e.mu.Unlock()
	sources := map[string]source{}
	for _, o := range list {
		if n := nodeIn(o); n.eng == e && n.lazy() && n.result() == nil && n.lay.size > 0 {
			e.request(n, func(r *request) { sources[string(r.key)] = r.write() })
		}
	}
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(sources)), prepareBatch) {
		batch := map[string]source{}
		for _, key := range keys {
			batch[key] = sources[key]
		}
		_, text := joined(batch, keys)
		texts = append(texts, text)
	}
	return texts, kernelFlags
}

// rehearse runs f without launching kernels and returns the sources of those that are not cached, by their keys.
func (e *engine) rehearse(f func()) map[string]source {
	e.mu.Lock()
	e.flush()
	e.rehearsal = map[string]source{}
	e.mu.Unlock()
	f()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	list := e.rehearsal
	e.rehearsal = nil
	return list
}

// RowKernels returns how many kernels for rows the current device has.
func RowKernels() (count int) {
	e := current("RowKernels")
	e.mu.Lock()
	defer e.mu.Unlock()
	for key := range e.programs {
		if key[0] == 'w' {
			count++
		}
	}
	return count
}

// SetMostHeld sets how many bytes the operands of a reduction that waits may have, and returns the number before.
func SetMostHeld(bytes int) int {
	e := current("SetMostHeld")
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.mostHeld
	e.mostHeld = bytes
	return before
}

// Noted returns how many scans and products are noted that kernels had.
func Noted() int {
	e := current("Noted")
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.used.list)
}

// SetSampled sets how many bytes a row has at least of which a selection takes a sample, and returns the number before.
func SetSampled(bytes int) int {
	e := current("SetSampled")
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.sampled
	e.sampled = bytes
	return before
}

// SetColumnsGain sets how many times fewer passes a kernel for stencils must need if its threads compute several columns, and returns the number
// before.
func SetColumnsGain(times float64) float64 {
	e := current("SetColumnsGain")
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.columnsGain
	e.columnsGain = times
	return before
}

// Waiting returns how many reductions wait on the current device.
func Waiting() int {
	e := current("Waiting")
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.pending)
}

// Unsettled makes the plan of a kernel for the array without computing before what it needs.
func Unsettled(o Operand) error {
	return Try(func() {
		n := nodeIn(o)
		n.eng.mu.Lock()
		defer n.eng.mu.Unlock()
		defer n.eng.plan.drop()
		n.eng.plan.trace(n)
	})
}

// Described reports whether the current device computes descriptions of kernels, without compiling them.
func Described() bool { return current("Described").describes() }

// MostCalled returns how many of n steps of a loop that can be repeated are called at most.
func MostCalled(n int) int {
	if n < fewestSteps {
		return n
	}
	return mostNoted + 1
}

// EigOnHost is Eig as it is without a library of the device.
func EigOnHost[C Complex](a *Array[C]) (w, v *Array[C]) {
	n := a.Shape()[a.NDim()-1]
	w, v = Empty[C](a.Shape()[:a.NDim()-1]...), Empty[C](a.Shape()...)
	eigOnHost("Eig", byColumns(a), w, v, n, true)
	return w, v.SwapAxes(-1, -2)
}

// Statistics returns the elements of each row that a sort would put at the places.
func Statistics[T Elem](a *Array[T], ranks []int) *Array[T] {
	return as[T](nodeOf(a).statistics("Statistics", ranks))
}

// ByLibrary returns the matrix as one whose products no kernel of this package computes.
func ByLibrary[T Inexact](m *CSR[T]) *CSR[T] {
	other := *m
	other.form = rowForm{}
	return &other
}

// FormOf returns how the kernel of products divides a matrix: how many threads add a row's elements, the rows of a block, and the elements
// of a thread. All are 0 if the matrix is not for that kernel.
func FormOf[T Inexact](m *CSR[T]) (lanes, rows, turns int) {
	return m.form.lanes, m.form.rows, m.form.turns
}

// InnerByLibrary returns the inner product of two contiguous arrays by a library.
func InnerByLibrary[T float32 | float64](a, b *Array[T]) *Array[T] {
	x, y := nodeOf(a).computed(), nodeOf(b).computed()
	out := newArray[T](x.eng, scalarLayout)
	x.eng.callInner(x, y, nodeOf(out))
	return out
}

// Kept returns how many elements of a row a selection goes on among, and whether a sample has led to these.
func Kept[T Elem](a *Array[T], ranks []int) (count int, sampled bool) {
	n := nodeOf(a).packed()
	e, s := n.eng, &selecting{dt: n.dt, ranks: ranks}
	p := s.sample(e, n.lay.size)
	if p == nil {
		return n.lay.size, false
	}
	state := newNode(e, Int64, contiguous("Kept", []int{selectState}))
	in := n.buffer()
	e.locked(func() {
		temp := scratch{e: e}
		defer temp.free()
		counts := temp.alloc(8 << selectDigit)
		state.span().Fill(0)
		counts.Fill(0)
		p.run(e, &temp, in, state.span(), counts, temp.alloc(n.dt.Size()*(p.room+2*len(p.brackets))))
	})
	plan := as[int64](state).ToHost()[selectPlan:]
	return int(plan[1]), plan[0] != 0
}

// SetWorthCollecting sets how many bytes an array has at least of which the garbage collector is asked, and returns a function that undoes that.
func SetWorthCollecting(bytes int) (undo func()) {
	e := current("SetWorthCollecting")
	before := e.worthCollecting
	e.locked(func() { e.worthCollecting = bytes })
	return func() { e.locked(func() { e.worthCollecting = before }) }
}
