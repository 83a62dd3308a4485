package nd

import (
	"maps"
	"slices"
)

// prepareBatch is how many kernels are compiled in one program.
const prepareBatch = 64

// Prepare compiles the kernels that the expressions need and that there are not yet, many at a
// time, without computing anything. That takes less time than compiling one after the other.
func Prepare(list ...Operand) {
	byEngine := map[*engine][]*node{}
	for _, o := range list {
		if n := o.core().check("Prepare"); n.eng != nil {
			byEngine[n.eng] = append(byEngine[n.eng], n)
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
		if !n.lazy() || n.lay.size == 0 {
			continue
		}
		e.settle(n)
		e.request(n, func(r *request) {
			if _, ok := e.programs[string(r.key)]; !ok {
				batch[string(r.key)] = r.write()
			}
		})
	}
	e.compileAll(batch)
}

// compileAll compiles sources, many at a time. The lock is held.
func (e *engine) compileAll(list map[string]source) {
	batch := map[string]source{}
	for _, key := range slices.Sorted(maps.Keys(list)) {
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

// request hands over the launch that would compute n. The lock is held.
func (e *engine) request(n *node, use func(*request)) {
	p := &e.plan
	defer p.drop()
	p.trace(n)
	p.unmark(n)
	// Memory of any size is aligned alike.
	r := e.mapRequest(p, &leaf{buf: e.alloc(1), dt: n.dt, lay: n.lay})
	use(&r)
}
