package nd

import (
	"maps"
	"slices"
)

// prepareBatch is the number of kernels that are compiled in one program.
const prepareBatch = 64

// Prepare compiles the kernels that the expressions need and that have not been compiled yet, many at a time, without computing the
// expressions. That takes less time than compiling one after the other. Operands that those kernels would read from memory, such as
// reductions that they do not compute themselves, are computed.
func Prepare(list ...Operand) {
	byEngine := map[*engine][]*node{}
	for _, o := range list {
		for _, n := range nodeIn(o).check("Prepare").pieces() {
			if n.eng != nil {
				byEngine[n.eng] = append(byEngine[n.eng], n)
			}
		}
	}
	for e, nodes := range byEngine {
		e.prepare(nodes)
	}
}

func (e *engine) prepare(nodes []*node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	batch := map[string]source{}
	for _, n := range nodes {
		if !n.lazy() || n.result() != nil || n.lay.size == 0 {
			continue
		}
		e.request(n, func(r *request) {
			if _, ok := e.programs[string(r.key)]; !ok {
				batch[string(r.key)] = r.write()
			}
		})
	}
	e.compileAll(batch)
}

// compileAll compiles sources, many at a time, except those that need no compiler. The lock is held.
func (e *engine) compileAll(list map[string]source) {
	batch, describes := map[string]source{}, e.describes()
	for _, key := range slices.Sorted(maps.Keys(list)) {
		if describes && list[key].description != nil {
			e.compile(map[string]source{key: list[key]})
			continue
		}
		batch[key] = list[key]
		if len(batch) == prepareBatch {
			e.compile(batch)
			clear(batch)
		}
	}
	if len(batch) > 0 {
		e.compile(batch)
	}
}

// request passes the launch that would compute n to use, unless n is computed meanwhile, with what it needs. The lock is held.
func (e *engine) request(n *node, use func(*request)) {
	r := e.arrange(n)
	if n.op == opGather {
		if made, _, _, ok := e.takes(n); ok {
			use(&made)
			return
		}
	}
	if n.op == opScan && !r.joined(n) {
		e.evaluate(n.args[0])
	}
	if n.op == opProduct { // a library computes it, mostly
		e.evaluate(n)
	}
	if !n.lazy() { // it waited, and so was computed before another kernel
		return
	}
	if n.op == opScan && !r.joined(n) {
		made, _ := e.scanRequest(n.late.fold, n.dt, n.lay.size, n.lay.shape[n.lay.rank()-1])
		use(&made)
		return
	}
	p := &e.plan
	defer p.drop()
	p.trial = true
	if r.joined(n) {
		k := e.rowPlan(n, r)
		made := e.rowRequest(k)
		use(&made)
		return
	}
	p.trace(n)
	// Memory of any size has the same alignment.
	made := e.mapRequest(p, &leaf{buf: e.alloc(1), dt: n.dt, lay: n.lay})
	use(&made)
}

const computedAlready = "// computed already: the array is in memory\n"

// Explain returns the source of the kernel that will compute the array, or a remark if it has been computed, as reductions are. The array
// is not computed, but operands are that the kernel would read from memory, as by Prepare.
func Explain(o Operand) (text string) {
	n := nodeIn(o).check("Explain")
	if n.eng == nil {
		return "// a constant: it becomes an argument of the kernels that use it\n"
	}
	if s := n.shards; s != nil {
		what := ", for its part\n"
		if s.axis == everywhere {
			what = ", for all of it\n"
		}
		return "// on each of " + s.mesh.names() + what + Explain(as[byte](s.parts[0]))
	}
	e := n.eng
	e.mu.Lock()
	defer e.mu.Unlock()
	if n.result() != nil {
		e.evaluate(n)
	}
	if !n.lazy() {
		return computedAlready
	}
	text = computedAlready
	e.request(n, func(r *request) {
		s := r.write()
		text = prelude(s.need) + goSources(s.text) + "\n" + s.text
	})
	return text
}
