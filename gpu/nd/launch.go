package nd

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// program is a kernel that was made for an expression, for the classes of its operands and for a number of axes. Shapes, strides and
// constants are its arguments.
type program struct {
	kernel *gpu.Kernel
}

// dealt changes a launch with more blocks than run at once into one of so many, which take the work in turn: see gpu.Launch.Cooperative.
func (p *program) dealt(e *engine, cfg gpu.Launch) gpu.Launch {
	if e.dev.Properties().CooperativeLaunch == 0 {
		return cfg
	}
	blocks, err := hook.ResidentBlocks(p.kernel, cfg.Block.X, cfg.SharedBytes)
	if err != nil {
		panic(err)
	}
	if cfg.Grid.X > blocks {
		cfg.Grid.X, cfg.Cooperative = blocks, true
	}
	return cfg
}

// evaluate computes the expression, unless n has memory. The lock is held.
func (e *engine) evaluate(n *node) {
	if b := n.result(); b != nil {
		n = b
	}
	if !n.lazy() {
		return
	}
	if len(e.pending) > 0 {
		e.take([]*node{n}) // before others are computed, which may need it
		r := e.rowsOf(n)
		if e.reduceProduct(n) || slices.ContainsFunc(r.folds, e.reduceProduct) {
			e.evaluate(n)
			return
		}
		e.take(r.all())
		e.flush()
		if !n.lazy() {
			return // it was part of the last kernel
		}
	}
	if r := e.arrange(n); r.joined(n) {
		e.runRows(n, r)
		e.storeMore()
		return
	}
	if n.op == opScan {
		e.evaluate(n.args[0])
	}
	m := e.room(n)
	switch {
	case n.op == opScan:
		e.runScan(n, m)
	case n.op == opProduct:
		e.runProduct(n, m)
	case n.op == opFold:
		e.runFold(n, m)
	case n.lay.size > 0:
		e.run(n, leaf{buf: m.first.buf, dt: n.dt, lay: n.lay})
	}
	e.finish(n, m)
}

// room returns memory for the expression.
func (e *engine) room(n *node) *memory {
	m := &memory{}
	m.first.buf = e.alloc(n.lay.size * n.dt.Size())
	m.now = &m.first
	return m
}

// finish makes the expression an array that has been computed into the memory. The lock is held.
func (e *engine) finish(n *node, m *memory) {
	e.finished++
	m.first.readers = n.refs
	folded := n.op == opFold
	if folded {
		e.noteIndices(n.late.fold, n.args[0], n.lay.size, &m.first)
	}
	n.forget()
	n.mem, n.op, n.refs, n.cost = m, opLeaf, 0, 0
	if n.late == nil {
		return
	}
	for _, v := range n.late.views {
		m.first.readers += v.refs
		v.args = [3]*node{}
		v.mem, v.op, v.refs, v.cost = m, opLeaf, 0, 0
	}
	n.late = nil
	if folded {
		e.late--
	}
}

// run launches the kernel for the expression, with dst as its destination. The lock is held.
func (e *engine) run(n *node, dst leaf) {
	if n.op == opGather {
		if r, from, index, ok := e.takes(n); ok {
			e.submit(&r, n.lay.size*(n.dt.Size()+index.dt.Size())+from.lay.size*n.dt.Size(), dst.buf, from.whole(), index.whole())
			return
		}
	}
	p := &e.plan
	defer p.drop()
	p.trace(n)
	r := e.mapRequest(p, &dst)
	results := []*buffer{dst.buf}
	if a := dst.around; a != nil && a.ends {
		results = append(results, a.from)
	}
	e.launch(p, &r, dst.lay.size*dst.dt.Size(), results...)
}

// launch launches a kernel that reads the plan's operands and writes that many bytes to its results. The lock is held.
func (e *engine) launch(p *plan, r *request, bytes int, results ...*buffer) {
	e.buffers = append(e.buffers[:0], results...)
	for i := range p.leaves {
		if l := &p.leaves[i]; l.buf != nil {
			e.buffers = append(e.buffers, l.buf)
			bytes += l.lay.size * l.dt.Size()
		}
	}
	for i := range p.sources {
		from := p.sources[i].whole()
		e.buffers = append(e.buffers, from)
		bytes += from.Len()
	}
	e.submit(r, bytes, e.buffers...)
	clear(e.buffers)
}

// submit launches a kernel with those buffers and the request's words. The lock is held.
func (e *engine) submit(r *request, bytes int, buffers ...*buffer) {
	if e.rehearsal != nil {
		if _, ok := e.programs[string(r.key)]; !ok {
			e.rehearsal[string(r.key)] = r.write()
		}
		return
	}
	p, cfg := e.program(r), r.cfg
	if r.dealt && !e.describes() {
		cfg = p.dealt(e, cfg)
	}
	c := p.kernel.Begin(cfg)
	for _, b := range buffers {
		gpu.PassPointer(c, bufferOf(b))
	}
	c.Bytes(r.words)
	if err := c.Do(); err != nil {
		panic(err)
	}
	e.stats.Launches++
	e.stats.Bytes += int64(bytes)
}

// source is the text of a kernel, without the prelude that it needs.
type source struct {
	name string
	need sections
	text string
	// description is what the kernel computes, in the form of package expression, or nil.
	description []byte
}

// request is a launch that has not been made: the key of its kernel, the function that writes its source, and its arguments. The key
// belongs to the engine and is valid until the next request.
type request struct {
	key   []byte
	write func() source
	cfg   gpu.Launch
	words words
	// dealt means that fewer blocks that run at once can do the work, and do it sooner.
	dealt bool
}

// program returns the kernel of a request, and compiles it if needed. The lock is held.
func (e *engine) program(r *request) *program {
	if p, ok := e.programs[string(r.key)]; ok {
		return p
	}
	e.compile(map[string]source{string(r.key): r.write()})
	return e.programs[string(r.key)]
}

// compile makes the kernels of sources, which are given by their keys, in one program.
func (e *engine) compile(list map[string]source) {
	keys := slices.Sorted(maps.Keys(list))
	name, text := joined(list, keys)
	mod, err := e.dev.Compile(text, append(e.options(list), gpu.WithName(name+".cu"))...)
	if err != nil {
		panic(fmt.Errorf("compiling the kernel of an expression: %w", err))
	}
	for i, key := range keys {
		name := list[key].name
		if len(list) > 1 {
			name = fmt.Sprintf("%s_%d", name, i)
		}
		k, err := mod.Kernel(name)
		if err != nil {
			panic(err)
		}
		e.programs[key] = &program{kernel: k}
		e.stats.Compilations++
	}
}

// kernelFlags keep a product and a sum two operations, as in NumPy.
var kernelFlags = []string{"-fmad=false"}

// joined returns the text of a program with those kernels, and a name for it.
func joined(list map[string]source, keys []string) (name, text string) {
	need := sections(0)
	var texts []string
	for _, key := range keys {
		need |= list[key].need
		texts = append(texts, list[key].text)
	}
	name = "expressions"
	var b strings.Builder
	b.WriteString(prelude(need))
	b.WriteString(goSources(texts...))
	for i, key := range keys {
		if s := list[key]; len(list) == 1 {
			name = s.name
			b.WriteString("\n" + s.text)
		} else {
			b.WriteString("\n" + numbered(s, i))
		}
	}
	return name, b.String()
}

// declared matches the names that every kernel's text declares apart from its own.
var declared = regexp.MustCompile(`\bnd_((f|acc|join|scan)[0-9]*|args|key|encode|decode|order|digit|same|words|pack|unpack|up|of|ticket|total)\b`)

// numbered returns the text with a number appended to the names that it declares.
func numbered(s source, i int) string {
	text := declared.ReplaceAllString(s.text, fmt.Sprintf("${0}_%d", i))
	return strings.ReplaceAll(text, " "+s.name+"(", fmt.Sprintf(" %s_%d(", s.name, i))
}
