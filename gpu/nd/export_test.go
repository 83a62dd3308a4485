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

// InSteps lets reductions wait also where the current device computes descriptions, which has no kernels for rows: each is computed from
// its plan by one kernel for each of its reductions, and one for what is made of them. It returns a function that ends this, and returns how
// many kernels for rows there were.
func InSteps() (end func() int) {
	e := current("InSteps")
	kernels := 0
	set := func(f func(k *rowPlan, results []*buffer)) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.flush()
		e.inSteps = f
	}
	set(func(k *rowPlan, results []*buffer) {
		kernels++
		e.rowsInSteps(k, slices.Clone(results))
	})
	return func() int {
		set(nil)
		return kernels
	}
}

// rowsInSteps computes what the kernel for rows would compute. The lock is held.
func (e *engine) rowsInSteps(k *rowPlan, results []*buffer) {
	p, shape := &e.plan, e.plan.rows.shape
	last := len(shape) - 1
	each := contiguous("rowsInSteps", shape[:last])
	along := strided(shape, append(slices.Clone(each.strides), 0))
	at := 0
	for i, ph := range k.phases {
		// The results of earlier phases are operands.
		part := func(steps []step) *plan {
			q := &plan{leaves: slices.Clone(p.leaves), steps: slices.Clone(steps)}
			for j, r := range k.results[:at] {
				q.leaves = append(q.leaves, leaf{buf: results[j], dt: r.dt, lay: along})
			}
			for j := range q.steps {
				switch s := &q.steps[j]; s.op {
				case opFold:
					s.op, s.args[0] = opLeaf, s.args[0]+uint8(len(p.leaves))
				case opConst:
					q.consts = append(q.consts, p.consts[s.args[0]])
					s.args[0] = uint8(len(q.consts) - 1)
				}
			}
			return q
		}
		if len(ph.folds) == 0 {
			dst := leaf{buf: results[len(k.results)], dt: k.last.dt, lay: k.last.lay}
			q := part(ph.steps)
			q.outs = []output{{uint8(len(q.steps) - 1), dst.dt}}
			r := e.mapRequest(q, &dst)
			e.launch(q, &r, 0, dst.buf)
			continue
		}
		next := at
		for ; next < len(k.results) && k.results[next].phase == i; next++ {
			r := k.results[next]
			f := ph.folds[r.at]
			q := part(ph.steps[:f.value+1])
			s := q.folding(shape, []int{last})
			e.fold(q, q.reduction(r.fold, f.dt, r.dt, &s), &s, leaf{buf: results[next], dt: r.dt, lay: each})
		}
		at = next
	}
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
