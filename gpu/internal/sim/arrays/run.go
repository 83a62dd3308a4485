package arrays

import (
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// Run executes a launch of that many blocks, with those arguments as they are in memory, and waits for it.
func (p *Program) Run(args []byte, blocks int) error {
	if p.routine != nil {
		return p.runRoutine(args, blocks)
	}
	pointers, words, err := p.arguments(args)
	if err != nil {
		return err
	}
	l := p.recent.Swap(nil)
	if l == nil || !slices.Equal(l.words, words) {
		l = p.plan(slices.Clone(words))
	}
	l.run(pointers)
	p.recent.Store(l)
	return nil
}

// launch is the division of a launch, which depends on its words alone. A program keeps that of the last one, since the next has the same
// words in most loops.
type launch struct {
	words []int64
	run   func(pointers []pointer)
}

// plan divides a launch.
func (p *Program) plan(words []int64) *launch {
	a, l := &arguments{words: words}, &launch{words: words}
	switch p.k.Form {
	case expression.Map:
		l.run = p.mapSpace(a).run
	case expression.Tile:
		l.run = p.tileSpace(a).run
	case expression.Fold:
		l.run = p.newFold(a).run
	case expression.Join:
		l.run = p.newJoin(a)
	case expression.Rows:
		l.run = p.rows.plan(a).run
	}
	return l
}

// mapped is an element-wise launch.
type mapped struct {
	p         *Program
	lens      []int
	dst       operand
	bases     []pointer // the destinations' memory, if there are several
	leaves    []operand
	constants []int64
	// uniform tells which values are the same for all elements, other than constants, or is nil.
	uniform []bool
	// The blocks: see blocks.
	total, row, size, perRow, count int
	gaps                            *gaps // is another way, or nil
}

func (p *Program) mapSpace(a *arguments) *mapped {
	rank := p.k.Loops
	inner := a.next()
	offs := a.list(len(p.k.Leaves) + 1)
	var lens []int
	if rank > 1 {
		a.list(2)
		lens = a.list(rank - 1)
	}
	return p.space(a, append(lens, inner), offs)
}

func (p *Program) tileSpace(a *arguments) *mapped {
	inner, outer := a.next(), a.next()
	a.list(2)
	offs := a.list(len(p.k.Leaves) + 1)
	return p.space(a, append(a.list(p.k.Loops-2), outer, inner), offs)
}

// space reads the strides of the destination and the operands.
func (p *Program) space(a *arguments, lens, offs []int) *mapped {
	m := &mapped{p: p, lens: lens}
	m.dst = operand{path: newPath(lens, a.list(len(lens))), off: offs[0], size: p.k.Result.Size()}
	for i, l := range p.k.Leaves {
		m.leaves = append(m.leaves, operand{path: newPath(lens, a.list(len(lens))), off: offs[i+1], size: l.Type.Size()})
	}
	m.constants = a.words
	m.divide()
	m.findUniform()
	m.gaps = m.findGaps()
	return m
}

// findUniform finds the values that are the same for all elements, such as the quotient of two arrays of one element, unless the result is.
func (m *mapped) findUniform() {
	values := m.p.values
	uniform, some := make([]bool, len(values)), false
	for k := range values {
		v := &values[k]
		switch {
		case v.number >= 0:
		case v.leaf >= 0:
			uniform[k] = !m.p.k.Leaves[v.leaf].Index && m.leaves[v.leaf].path.still()
		default:
			fixed := 0
			for _, a := range v.args[:v.n] {
				if uniform[a] {
					fixed++
				} else if values[a].number < 0 {
					fixed = -len(v.args)
				}
			}
			uniform[k] = fixed > 0
		}
		some = some || uniform[k]
	}
	if some && m.count > 1 && m.p.outputs == nil && !uniform[len(uniform)-1] {
		m.uniform = uniform
	}
}

// fix computes the values that are the same for all elements, for a whole block.
func (w *worker) fix(m *mapped) {
	p, n := w.p, min(m.size, m.total)
	if w.kept == nil {
		w.kept = make([]wide, len(p.values)*p.slotSize/16)
	}
	for k := range p.values {
		v := &p.values[k]
		if !m.uniform[k] {
			continue
		}
		to := unsafe.Add(pointer(unsafe.SliceData(w.kept)), k*p.slotSize)
		if v.leaf >= 0 {
			w.copy(to, v, &m.leaves[v.leaf], 0, n)
		} else {
			v.f(to, w.at[v.args[0]], w.at[v.args[1]], w.at[v.args[2]], n)
		}
		w.at[k] = to
	}
	w.fixed = m.uniform
}

// blocks divides n elements, in rows of that length, into blocks. Those of long rows end with a row, so that operands can be read in place.
func blocks(n, row int) (size, perRow, count int) {
	if row < blockSize/4 || row > n {
		return blockSize, 0, (n + blockSize - 1) / blockSize
	}
	perRow = (row + blockSize - 1) / blockSize
	return (row + perRow - 1) / perRow, perRow, n / row * perRow
}

func (m *mapped) divide() {
	m.total = 1
	for _, n := range m.lens {
		m.total *= n
	}
	m.row = m.total
	for _, o := range append(m.leaves, m.dst) {
		if n, _ := o.path.inner(); n > 1 && n < m.row {
			m.row = n
		}
	}
	m.size, m.perRow, m.count = blocks(m.total, m.row)
}

func (m *mapped) run(pointers []pointer) {
	first := destinations(m.p.k) // of the operands
	m.dst.base, m.bases = pointers[0], pointers[:first]
	m.p.bind(m.leaves, pointers[first:])
	count, elements, f := m.count, m.size, m.block
	if g := m.gaps; g != nil {
		count, elements, f = g.count, g.together*g.stride, m.gapBlock
	}
	m.p.each(count, elements, m.constants, m.size, func(w *worker, b int) {
		if w.fixed == nil && m.uniform != nil {
			w.fix(m)
		}
		f(w, b)
	})
}

// block computes a block.
func (m *mapped) block(w *worker, b int) {
	i := b * m.size
	n := min(m.size, m.total-i)
	if m.perRow > 0 {
		i = b/m.perRow*m.row + b%m.perRow*m.size
		n = min(m.size, m.row-b%m.perRow*m.size)
	}
	m.p.mapBlock(w, m, i, n)
}

// bind sets the memory of operands.
func (p *Program) bind(leaves []operand, pointers []pointer) {
	for i := range leaves {
		if !p.k.Leaves[i].Index {
			leaves[i].base, pointers = pointers[0], pointers[1:]
		}
	}
}

// mapBlock computes the n elements from index i on and stores them.
func (p *Program) mapBlock(w *worker, m *mapped, i, n int) {
	if p.outputs != nil {
		p.mapOutputs(w, m, i, n)
		return
	}
	var to pointer
	if p.store == nil {
		to = m.dst.direct(i, n)
	}
	w.put(&m.dst, p.store, w.compute(m.leaves, i, n, to), i, n)
}

// each calls f for each of count blocks, in which so many elements are computed, on threads with a worker each.
func (p *Program) each(count, elements int, constants []int64, n int, f func(w *worker, block int)) {
	cores.Blocks(count, p.cost*float64(elements)+50, func(blocks func() (from, to int)) {
		w := p.worker(constants, n)
		for from, to := blocks(); from < to; from, to = blocks() {
			for b := from; b < to; b++ {
				f(w, b)
			}
		}
		p.workers.Put(w)
	})
}
