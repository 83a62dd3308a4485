package nd

import (
	"math"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// rows are reductions and scans of the last axis of arrays of one shape, which one kernel computes together with what is made of their
// results. A block, or a part of one, has a row: it computes the reductions in the order of their levels, and then reads the row again, which
// is in a cache by then, or in registers.
type rows struct {
	shape  []int
	folds  []*node // each after those whose results it needs
	levels []int   // of the folds: one more than that of those whose results it needs
	scans  []*node // as the folds
	above  []int   // the levels of the scans
	within []*node // the folds, the scans, and what is computed from the folds' results alone and has an element for a row
	votes  int     // of the operands: positive if most have their adjacent elements in other rows
}

// rowsOf returns the reductions that one kernel can compute together with n, n included if it is one, and together with other reductions of
// the same shape. The lock is held.
func (e *engine) rowsOf(n *node, others ...*node) rows {
	if e.late == 0 && !n.scans || n.lay.rank() == 0 && n.op != opFold {
		return rows{}
	}
	r := rows{shape: n.lay.shape}
	switch n.op {
	case opFold:
		r.shape = n.args[0].lay.shape
		r.add(n)
	case opScan:
		r.addScan(n)
	default:
		r.visit(n)
	}
	for _, b := range others {
		r.add(b)
	}
	if r.votes > 0 {
		return rows{}
	}
	return r
}

// all returns the reductions and scans, of which there are none if r is nil.
func (r *rows) all() []*node {
	if r == nil {
		return nil
	}
	return slices.Concat(r.folds, r.scans)
}

// joined reports whether the kernel computes more than n would be computed by alone.
func (r rows) joined(n *node) bool {
	others := len(r.folds) + len(r.scans)
	switch n.op {
	case opFold:
		return others > 1
	case opScan: // the kernel that only scans reads memory
		return others > 1 || others == 1 && n.args[0].lazy() && n.args[0].op != opGather && n.args[0].op != opProduct
	}
	return others > 0
}

// visit adds the reductions among the arguments of n and returns the highest of their levels.
func (r *rows) visit(n *node) (level int) {
	for _, a := range n.args {
		switch {
		case a == nil || a.op == opConst || a.op == opIndex:
		case a.op == opLeaf || a.op == opGather || a.op == opProduct: // which is computed before
			r.vote(a.lay)
		case a.op == opScan:
			if slices.Equal(a.lay.shape, r.shape) {
				level = max(level, r.addScan(a))
			}
		case a.result() == nil:
			level = max(level, r.visit(a))
		case r.fits(a):
			level = max(level, r.addResult(a.result()))
		}
	}
	return level
}

// addResult adds the reductions of what is computed from their results, and returns the highest of their levels.
func (r *rows) addResult(b *node) (level int) {
	if b.op == opFold {
		return r.add(b)
	}
	r.within = append(r.within, b)
	for _, a := range b.args {
		if a != nil && a.lazy() {
			level = max(level, r.addResult(a))
		}
	}
	return level
}

// add adds a reduction and those that it needs, and returns its level.
func (r *rows) add(b *node) int {
	if i := slices.Index(r.folds, b); i >= 0 {
		return r.levels[i]
	}
	level := r.visit(b) + 1
	if r.folds == nil {
		room := make([]*node, 2*mostWaiting)
		r.folds, r.within = room[:0:mostWaiting], append(room[mostWaiting:mostWaiting], r.within...)
		r.levels = make([]int, 0, mostWaiting)
	}
	r.folds, r.levels, r.within = append(r.folds, b), append(r.levels, level), append(r.within, b)
	return level
}

// fits reports whether a, a view of results of reductions, has the result of a row for each element of the row.
func (r *rows) fits(a *node) bool {
	b := a.result()
	if r == nil || a.off != 0 || len(a.lay.shape) > len(r.shape) || !r.has(b) {
		return false
	}
	last := len(r.shape) - 1
	for i, length := range r.shape[:last] {
		if length != 1 && a.lay.strideIn(i, len(r.shape)) != b.lay.strides[i] {
			return false
		}
	}
	return a.lay.strideIn(last, len(r.shape)) == 0
}

// has reports whether b is computed from the results of reductions of the rows.
func (r *rows) has(b *node) bool {
	if b.op == opFold {
		return slices.Equal(b.args[0].lay.shape, r.shape)
	}
	return !slices.ContainsFunc(b.args[:], func(a *node) bool { return a != nil && a.lazy() && !r.has(a) || a != nil && a.op == opLeaf })
}

// vote counts an operand.
func (r *rows) vote(lay *layout) {
	if len(lay.shape) > len(r.shape) {
		return
	}
	last := len(r.shape) - 1
	inner, outer := abs(lay.strideIn(last, len(r.shape))), 0
	for i := last - 1; i >= 0 && outer == 0; i-- {
		if r.shape[i] != 1 {
			outer = abs(lay.strideIn(i, len(r.shape)))
		}
	}
	if outer != 0 && (inner == 0 || outer < inner) {
		r.votes++
	} else if inner != 0 {
		r.votes--
	}
}

// arrange computes what n needs before its kernel, and returns the reductions that this can compute with it. To compute an operand may
// compute some of these, too, or change where the operands have their adjacent elements: then others are needed before the kernel. So are
// scans of rows that are too long. The lock is held.
func (e *engine) arrange(n *node) rows {
	for {
		r, before := e.rowsOf(n), e.finished
		e.settle(n, &r)
		again := r
		if e.finished != before { // else they are the same
			again = e.rowsOf(n)
		}
		switch {
		case !slices.Equal(r.within, again.within):
		case !again.joined(n) || e.scansFit(n, again):
			return again
		case again.scans[0] == n: // it has no others
			return rows{}
		default:
			e.evaluate(again.scans[0])
		}
	}
}

// rowPlan is a kernel for rows, whose operands and constants are in the engine's plan.
type rowPlan struct {
	phases  []phase
	results []rowResult // in the order of the plan's results
	last    *node       // what is made of them, or nil
	rows    int
	length  int
	space   folding
	threads int // of a row
	width   int // elements that are loaded at once
	wide    bool
	// kept are the operands that a thread reads once and keeps in registers for all phases, and vectors is how many vectors it has of each,
	// or 0 if it keeps none and there is no scan.
	kept    []int
	vectors int
}

// phase is one pass over a row. It has the steps of its expressions, and how their values are folded; none means that they are stored.
type phase struct {
	steps []step
	folds []rowFold
}

// rowFold is how the value of a step is folded in a phase.
type rowFold struct {
	fold    fold
	acc, dt DType
	value   uint8
	scan    bool // the value is folded up to each element, for later phases
}

// rowResult is the result of a reduction: of which phase and of which of its folds it is, and its type.
type rowResult struct {
	phase, at int
	fold      fold
	dt        DType
}

// Threads of a row: few enough that each has several vectors of it.
const (
	rowBlock    = 256 // threads of a block with rows of a warp each
	elementsAt  = 1 << 10
	elementsAll = 1 << 13
	// mostKept is the number of registers, of 32 bits, for operands that are kept. With twice as many, a multiprocessor has 1024 threads.
	mostKept    = 32
	keptThreads = 1024
)

// rowPlan makes the plan for n and the reductions. The lock is held.
func (e *engine) rowPlan(n *node, r rows) *rowPlan {
	p := &e.plan
	p.begin()
	p.rows = &r
	last := len(r.shape) - 1
	k := &rowPlan{length: r.shape[last], rows: product(r.shape[:last]), results: make([]rowResult, 0, len(r.folds))}
	for level := 1; len(p.results) < len(r.folds) || len(p.scans) < len(r.scans); level++ {
		p.phase()
		ph := phase{folds: make([]rowFold, 0, len(r.folds)+len(r.scans))}
		for i, b := range r.folds { // none needs another of its level
			if r.levels[i] == level {
				k.results = append(k.results, ph.add(b, p.visitArgument(b, 0), len(k.phases)))
				p.results = append(p.results, b)
			}
		}
		for i, b := range r.scans {
			if r.above[i] == level {
				ph.folds = append(ph.folds, newRowScan(b, p.visitArgument(b, 0)))
				p.scans = append(p.scans, b)
			}
		}
		ph.steps = slices.Clone(p.steps)
		k.phases = append(k.phases, ph)
	}
	if n.op != opFold {
		k.last = n
		p.phase()
		p.visit(n, nil)
		k.phases = append(k.phases, phase{steps: slices.Clone(p.steps)})
	}
	k.space = p.folding(r.shape, []int{last})
	k.divide(p)
	return k
}

// phase begins another sequence of steps with the same operands.
func (p *plan) phase() {
	p.epoch++
	p.steps = p.steps[:0]
}

// add adds the reduction b of a value, unless another of the phase accumulates the same.
func (ph *phase) add(b *node, value uint8, number int) rowResult {
	f := b.late.fold
	dt := b.args[0].dt
	r := rowResult{phase: number, fold: f, dt: b.dt}
	if f == foldMean {
		f = foldSum
	}
	fold := rowFold{fold: f, acc: f.accumulator(dt), dt: dt, value: value}
	if r.at = slices.Index(ph.folds, fold); r.at < 0 {
		r.at = len(ph.folds)
		ph.folds = append(ph.folds, fold)
	}
	return r
}

// divide chooses the threads of a row and the way in which it goes through the operands.
func (k *rowPlan) divide(p *plan) {
	s := &k.space
	k.threads = 32
	if k.length > elementsAll && len(k.phases) > 1 {
		k.threads = 1024 // few rows at once, which stay in the cache until they are read again
	} else if k.length > elementsAt {
		k.threads = 256
	}
	k.width = p.vectorWidth(&s.reduced, &s.kept, vector)
	if k.last != nil {
		k.width = min(k.width, vector/k.last.dt.Size())
		if k.length%k.width != 0 {
			k.width = 1
		}
	}
	for i := range p.leaves {
		l := &p.leaves[i]
		switch step := s.reduced.last(i); {
		case l.buf == nil:
			l.class = classIndex
		case step == 0:
			l.class = classSame
		case step == 1 && k.width > 1:
			l.class = classVector
		case step == 1:
			l.class = classNext
		default:
			l.class = classStrided
		}
	}
	k.wide = furthest(p.leaves)+s.reach(len(p.leaves)) > math.MaxInt32-1<<16
	k.keep(p)
}

// keep chooses the operands that stay in registers: those that several phases read as vectors, as long as there is room.
func (k *rowPlan) keep(p *plan) {
	if k.width == 1 {
		return
	}
	threads := k.threads
	if threads == keptThreads && k.length <= mostKept*threads/2 {
		threads /= 2 // two blocks at once: one reads while the other computes
	}
	k.vectors = (k.length + threads*k.width - 1) / (threads * k.width)
	used := make([]uint8, len(p.leaves)) // by how many phases
	for _, ph := range k.phases {
		seen := make([]bool, len(p.leaves))
		for _, s := range ph.steps {
			if l := s.args[0]; s.op == opLeaf && !seen[l] {
				seen[l] = true
				used[l]++
			}
		}
	}
	room := mostKept
	for i, l := range p.leaves {
		registers := k.vectors * max(k.width*l.dt.Size()/4, 1)
		if l.class == classVector && used[i] > 1 && registers <= room {
			k.kept = append(k.kept, i)
			room -= registers
		}
	}
	if len(k.kept) == 0 && len(p.scans) == 0 {
		k.vectors = 0
		return
	}
	k.threads = threads
}

// rowsInBlock returns how many rows a block has.
func (k *rowPlan) rowsInBlock() int { return max(rowBlock/k.threads, 1) }

// rowRequest returns the launch of the kernel. The lock is held.
func (e *engine) rowRequest(k *rowPlan) request {
	p := &e.plan
	key := append(e.key[:0], 'w', byte(k.threads/32-1), byte(k.width), boolByte(k.wide), byte(k.vectors), byte(len(k.space.kept.lens)), boolByte(k.last != nil))
	if k.last != nil {
		key = append(key, byte(k.last.dt))
	}
	for _, ph := range k.phases {
		key = keyOf(append(key, byte(len(ph.steps)), byte(len(ph.folds))), ph.steps)
		for _, f := range ph.folds {
			key = append(f.fold.key(key, f.value), byte(f.dt)|boolByte(f.scan)<<7)
		}
	}
	for _, r := range k.results {
		key = append(r.fold.key(key, byte(r.phase)), byte(r.at), byte(r.dt))
	}
	for _, l := range p.leaves {
		key = append(key, byte(l.class))
	}
	e.key = key
	s := &k.space
	w := e.words[:0].put(k.rows).put(k.length)
	for _, l := range p.leaves {
		w = w.put(l.off)
	}
	w = w.list(s.kept.lens)
	for i := range p.leaves {
		w = w.list(s.kept.strides[i]).put(s.reduced.last(i))
	}
	e.words = w.constants(p)
	y := k.rowsInBlock()
	return request{key: e.key, write: func() source { return p.rowSource(k) }, words: e.words, cfg: gpu.Launch{
		Grid: gpu.Dim3{X: (k.rows + y - 1) / y, Y: 1, Z: 1}, Block: gpu.Dim3{X: k.threads, Y: y, Z: 1},
	}}
}

// runRows computes n and the reductions. The lock is held.
func (e *engine) runRows(n *node, r rows) {
	e.noteUsed(r.scans)
	p := &e.plan
	defer p.drop()
	k := e.rowPlan(n, r)
	req := e.rowRequest(k)
	list := slices.Clone(p.results)
	if k.last != nil {
		list = append(list, n)
	}
	made := make([]*memory, len(list))
	e.buffers = e.buffers[:0]
	bytes := 0
	for i, b := range list {
		made[i] = e.room(b)
		e.buffers = append(e.buffers, made[i].first.buf)
		bytes += b.lay.size * b.dt.Size()
	}
	for _, l := range p.leaves {
		if l.buf != nil {
			e.buffers = append(e.buffers, l.buf)
			bytes += l.lay.distinct() * l.dt.Size()
		}
	}
	e.submit(&req, bytes, e.buffers...)
	clear(e.buffers)
	for i, b := range list {
		e.finish(b, made[i])
	}
}
