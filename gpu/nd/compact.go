package nd

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// compactKernel is the code of compact after the parameters.
//
//go:embed kernels/compact.cu
var compactKernel string

const (
	compactBlock = 512 // or half of it
	compactTurns = 4   // vectors of a thread
	compactShare = 4   // results with fewer of the elements are copied to memory of their size
)

// compact returns the elements of the array where the mask, of the same shape, is true, in row-major order, or, if there is no array, their
// indices. It waits for the mask. One kernel computes mask and elements, if these are expressions, and writes those that are chosen, as their
// number is known before: into memory that has room for all, unless that would be a large part of the device's. Then the kernel runs twice.
func compact(op string, mask, array *node) *node {
	c, e := newCompacting(op, mask, array), common(op, mask, array, nil)
	if c.size == 0 {
		return newNode(e, c.dt, contiguous(op, []int{0}))
	}
	room := c.size
	if room*c.dt.Size() > e.mostHeld {
		room = 0
	}
	out, count := c.run(e, room)
	if count > room {
		out, count = c.run(e, count)
	}
	return c.part(out, count)
}

// part returns the first elements of an array, or a copy of them if they are few.
func (c *compacting) part(out *node, count int) *node {
	if out.lay.size == count {
		return out
	}
	some := new(node)
	some.view(out, contiguous(c.op, []int{count}), 0)
	if count < out.lay.size/compactShare {
		return some.copied()
	}
	return some
}

// compacting has the operands of compact, and what its kernel depends on besides their plan.
type compacting struct {
	op   string
	size int
	dt   DType
	list []*node // the mask and, if there is one, the array
}

func newCompacting(op string, mask, array *node) *compacting {
	c := &compacting{op: op, size: mask.lay.size, dt: Int64, list: []*node{mask}}
	if array != nil {
		c.dt, c.list = array.dt, append(c.list, array)
	}
	for i, n := range c.list {
		n.withoutGradient()
		if n.eng == nil {
			n.computed()
		}
		c.list[i] = n.collected()
	}
	return c
}

// run computes the chosen elements, of which as many are stored as there is room for, and returns the number of all.
func (c *compacting) run(e *engine, room int) (out *node, count int) {
	out = newNode(e, c.dt, contiguous(c.op, []int{room}))
	const least = compactBlock / 2 * compactTurns // elements of a tile
	tiles := (c.size + least - 1) / least
	state := newNode(e, Int64, contiguous(c.op, []int{2 + tiles}))
	if !c.tryFused(e, out, state) {
		for i, n := range c.list {
			c.list[i] = n.packed()
		}
		c.tryFused(e, out, state)
	}
	runtime.KeepAlive(c)
	count = int(as[int64](state.slice([]Index{At(1)})).Item())
	count = min(max(count, 0), c.size) // which is not known if nothing is computed
	e.locked(func() { e.stats.Bytes += int64(min(count, room) * c.dt.Size()) })
	return out, count
}

// tryFused launches the kernel, unless the operands have different arrangements in memory.
func (c *compacting) tryFused(e *engine, out, state *node) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	describes := e.describes()
	for _, n := range c.list {
		switch {
		case !n.lazy():
		case describes || n.result() != nil || n.apart() || n.op == opGather && n.dt.half() || operations(c.list) > maxCost: // to take halves keeps the bits of NaNs
			e.evaluate(n)
		default:
			e.settle(n, nil)
		}
	}
	p := &e.plan
	defer p.drop()
	// Results are not written by vectors, so that their type does not matter.
	dst := leaf{buf: out.mem.now.buf, dt: Bool, lay: contiguous(c.op, []int{c.size})}
	p.trial = true
	p.trace(c.raw()...)
	if !p.linear(&dst) || describes && !c.contiguous() {
		return false
	}
	p.trial = false
	p.trace(c.raw()...)
	s := p.space(&dst)
	m := s.classify(&dst, p.outs)
	m.wide = true
	threads := c.threads(p, m)
	tile := threads * compactTurns * m.width
	e.key = p.key(append(e.key[:0], "compact "...))
	e.key = append(e.key, byte(m.width), byte(c.dt), byte(len(p.outs)))
	for _, o := range p.outs {
		e.key = append(e.key, o.value, byte(o.dt))
	}
	g := s.grid(m.width)
	e.words = s.arguments(e.words[:0], &dst, &g).constants(p).put(out.lay.size)
	state.mem.now.buf.Fill(0)
	e.launch(p, &request{key: e.key, words: e.words, write: func() source { return c.source(p, m) }, dealt: c.ahead(p, m), cfg: gpu.Launch{
		Grid: gpu.Dim3{X: (c.size + tile - 1) / tile, Y: 1, Z: 1}, Block: gpu.Dim3{X: threads, Y: 1, Z: 1},
	}}, 0, out.mem.now.buf, state.mem.now.buf)
	return true
}

// contiguous reports whether all operands are.
func (c *compacting) contiguous() bool {
	for _, n := range c.list {
		if !n.lay.contig || n.lay.size != c.size {
			return false
		}
	}
	return true
}

// raw returns the operands; floats of 16 bits that are in memory are moved as integers, which keeps the bits of NaNs.
func (c *compacting) raw() []*node {
	if len(c.list) == 1 || c.list[1].lazy() || !c.dt.half() {
		return c.list
	}
	bits := new(node)
	bits.view(c.list[1], c.list[1].lay, c.list[1].off)
	bits.dt = Uint16
	return []*node{c.list[0], bits}
}

// threads returns the number of threads of a block, whose tile has to be in the shared memory that any device has.
func (c *compacting) threads(p *plan, m mapping) int {
	size := 2 // of a place
	if len(p.outs) == 2 {
		size = p.outs[1].dt.Size()
	}
	if compactBlock*compactTurns*m.width*size > 32<<10 {
		return compactBlock / 2
	}
	return compactBlock
}

// source writes the kernel. Blocks learn from the tiles before theirs where its elements belong, as by scans. The chosen elements of a tile
// are put beside each other in shared memory first, so that adjacent ones are written together. Without an array these are the places in the
// tile.
func (c *compacting) source(p *plan, m mapping) source {
	code := &mapCode{writer: newWriter(true), p: p, m: m, name: p.name("compact"), ahead: c.ahead(p, m)}
	code.n = code.word()
	code.offsets = code.list(len(p.leaves) + 1)
	code.strides = code.table(len(code.offsets), 1)
	f, need := code.element(p)
	room := code.word()
	need |= needVector | needWords
	threads := c.threads(p, m)
	stage, stored, result, flags := "unsigned short", Int64.info().stored, "base + stage[k]", "unsigned"
	if len(p.outs) == 2 {
		stored = p.outs[1].dt.info().stored
		stage, result = stored, "stage[k]"
		need |= p.outs[1].dt.needs()
	}
	if m.width*compactTurns > 32 {
		flags = "unsigned long long"
	}
	part := func(write func()) string {
		code.Reset()
		write()
		return code.String()
	}
	values := holes{
		"threads": threads, "width": m.width, "turns": compactTurns, "Stage": stage, "Flags": flags, "n": code.n, "room": room, "result": result,
		"begin": part(func() {
			for i, o := range code.offsets[1:] {
				fmt.Fprintf(code, "    const long long o%d = %s;\n", i, o)
			}
			code.same()
		}),
		"kept":    part(code.keep),
		"next":    part(code.loadNext),
		"now":     part(code.loadNow),
		"choose":  part(code.choose),
		"element": part(code.chosen),
	}
	head := fmt.Sprintf("struct nd_args { long long v[%d]; };\n\n%s\nextern \"C\" __global__ void __launch_bounds__(%d, %d) %s(%s *out, unsigned long long *state%s, const nd_args a) {\n",
		code.words, f, threads, max(1, c.blocksAtOnce(p, m)*256/threads), code.name, stored, p.pointers())
	made := source{name: "compact", need: need, text: head + fill(compactKernel, values)}
	if len(p.leaves) == len(p.steps) { // nothing is computed
		types := []DType{Bool}
		if len(p.outs) == 2 {
			types[0] = p.outs[1].dt
		}
		made = made.describedAs(types, len(p.leaves), len(p.outs)-1)
	}
	made.name = code.name
	return made
}

// ahead reports whether threads read the vectors of the next tile before they wait for the tiles before theirs. These vectors take the
// registers in which they would keep elements, so the ones that are chosen are computed a second time: only expressions of few operations are.
func (c *compacting) ahead(p *plan, m mapping) bool {
	operations := 0
	for i := range p.steps {
		if s := &p.steps[i]; s.op != opLeaf && s.op != opConst && s.op != opIndex {
			operations++
		}
	}
	return operations < 4 && vectorWords(p, m)*compactTurns <= 32 && c.threads(p, m) == compactBlock
}

// vectorWords returns how many registers the vectors of the operands take.
func vectorWords(p *plan, m mapping) (words int) {
	for i := range p.leaves {
		if l := &p.leaves[i]; l.class == classVector {
			words += (m.width*l.dt.Size() + 3) / 4
		}
	}
	return words
}

// keptOf returns the type in which a thread keeps vectors of operand i. Small elements would take a register each, so they are kept as words
// of 32 bits.
func (c *mapCode) keptOf(i int) string {
	dt := c.p.leaves[i].dt
	if c.ahead && inWords(dt, c.m.width) {
		return fmt.Sprintf("nd_vector<unsigned, %d>", c.m.width*dt.Size()/4)
	}
	return vectorOf(dt, c.m.width)
}

// inWords reports whether vectors of a type are kept as words.
func inWords(dt DType, width int) bool { return dt.Size() < 4 && width*dt.Size() >= 4 }

// keep declares what a thread keeps of a tile: the vectors of the operands, or the elements.
func (c *mapCode) keep() {
	switch {
	case c.ahead:
		c.declareVectors("    ", "[turns]")
	case len(c.p.outs) == 2:
		fmt.Fprintf(c, "    %s x[turns * width];\n", c.p.outs[1].dt.info().stored)
	}
}

// declareVectors declares a vector of each operand that is read so, or an array of them.
func (c *mapCode) declareVectors(indent, array string) {
	for i, l := range c.p.leaves {
		if l.class == classVector {
			fmt.Fprintf(c, "%s%s q%d%s;\n", indent, c.keptOf(i), i, array)
		}
	}
}

// loadNext writes the code that reads the thread's vectors of the next tile.
func (c *mapCode) loadNext() {
	if !c.ahead || vectorWords(c.p, c.m) == 0 {
		return
	}
	c.WriteString("    if (coming < n) {\n        const bool whole = coming + tile <= n;\n#pragma unroll\n        for (int turn = 0; turn < turns; turn++) {\n")
	c.WriteString("            const long long j = coming + own + turn * 32 * width;\n")
	c.loadTurn("            ", "q%d[turn]")
	c.WriteString("        }\n    }\n")
}

// loadNow writes the code that reads the thread's vectors of a turn.
func (c *mapCode) loadNow() {
	if c.ahead {
		return
	}
	c.declareVectors("            ", "")
	c.loadTurn("            ", "q%d")
}

// loadTurn writes the code that reads the vectors of a turn, of which some elements may not be there.
func (c *mapCode) loadTurn(indent, to string) {
	for i, l := range c.p.leaves {
		if l.class != classVector {
			continue
		}
		vector := vectorOf(l.dt, c.m.width)
		from := fmt.Sprintf("(p%d + o%d + j)", i, i)
		code := fill(turnCode, holes{"to": fmt.Sprintf(to, i), "from": from, "Vector": vector, "Kept": c.keptOf(i)})
		c.WriteString(indent + strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n", "\n"+indent) + "\n")
	}
}

// turnCode reads one vector.
const turnCode = `if (whole) {
    {{to}} = *(const {{Kept}} *){{from}};
} else {
    {{Vector}} some = {};
#pragma unroll
    for (int k = 0; k < width; k++)
        if (j + k < n)
            some.at[k] = {{from}}[k];
    memcpy(&{{to}}, &some, sizeof(some));
}
`

// blocksAtOnce returns how many blocks of 256 threads a multiprocessor shall have, which limits their registers: as many as there is room
// for what a thread keeps and for the values of the expression.
func (c *compacting) blocksAtOnce(p *plan, m mapping) int {
	kept := m.width * compactTurns * (len(p.outs) - 1)
	if c.ahead(p, m) {
		kept = vectorWords(p, m) * compactTurns
	}
	switch {
	case kept > 32:
		return 2
	case kept > 16 || len(p.steps) > cheapCost:
		return 4
	}
	return 6
}

// choose writes the code that decides whether element k of the thread's is chosen.
func (c *mapCode) choose() {
	const indent = "                "
	list := c.values(indent, "k", true)
	fmt.Fprintf(c, "%sif (%s)\n%s    flag |= 1u << k;\n", indent, list[0], indent)
	if !c.ahead && len(list) == 2 {
		fmt.Fprintf(c, "%sx[turn * width + k] = %s;\n", indent, c.p.outs[1].dt.store(list[1]))
	}
}

// chosen writes the code that stores element k of the thread's, or its place in the tile.
func (c *mapCode) chosen() {
	const indent = "                    "
	element := "x[turn * width + k]"
	switch {
	case len(c.p.outs) == 1:
		element = "(unsigned short)(own + turn * 32 * width + k)"
	case c.ahead:
		fmt.Fprintf(c, "%sconst long long j = base + own + turn * 32 * width;\n", indent)
		element = c.p.outs[1].dt.store(c.values(indent, "k", true)[1])
	}
	fmt.Fprintf(c, "%sstage[to++] = %s;\n", indent, element)
}
