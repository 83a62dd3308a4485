package arrays

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// Run executes a launch of that many blocks, with those arguments as they are in memory, and waits for it.
func (p *Program) Run(args []byte, blocks int) error {
	if p.routine != nil {
		return p.runRoutine(args, blocks)
	}
	a, err := p.arguments(args)
	if err != nil {
		return err
	}
	switch p.k.Form {
	case expression.Map:
		p.runMap(p.mapSpace(a))
	case expression.Tile:
		p.runMap(p.tileSpace(a))
	case expression.Fold:
		p.runFold(a)
	case expression.Join:
		p.runJoin(a)
	}
	return nil
}

// mapped is an element-wise launch.
type mapped struct {
	lens      []int
	dst       operand
	leaves    []operand
	constants []int64
}

func (p *Program) mapSpace(a *arguments) *mapped {
	rank := p.k.Loops
	inner := a.next()
	offs := a.list(len(a.leaves) + 1)
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
	offs := a.list(len(a.leaves) + 1)
	return p.space(a, append(a.list(p.k.Loops-2), outer, inner), offs)
}

// space reads the strides of the destination and the operands.
func (p *Program) space(a *arguments, lens, offs []int) *mapped {
	m := &mapped{lens: lens}
	m.dst = operand{base: a.dst, path: newPath(lens, a.list(len(lens))), off: offs[0], size: p.k.Result.Size()}
	for i, l := range p.k.Leaves {
		m.leaves = append(m.leaves, operand{base: a.leaves[i], path: newPath(lens, a.list(len(lens))), off: offs[i+1], size: l.Type.Size()})
	}
	m.constants = a.words
	return m
}

// blocks divides n elements, in rows of that length, into blocks. Those of long rows end with a row, so that operands can be read in place.
func blocks(n, row int) (size, perRow, count int) {
	if row < blockSize/4 || row > n {
		return blockSize, 0, (n + blockSize - 1) / blockSize
	}
	perRow = (row + blockSize - 1) / blockSize
	return (row + perRow - 1) / perRow, perRow, n / row * perRow
}

func (p *Program) runMap(m *mapped) {
	total := 1
	for _, n := range m.lens {
		total *= n
	}
	row := total
	for _, o := range append(m.leaves, m.dst) {
		if n, _ := o.path.inner(); n > 1 && n < row {
			row = n
		}
	}
	size, perRow, count := blocks(total, row)
	p.each(count, size, m.constants, size, func(w *worker, b int) {
		i := b * size
		n := min(size, total-i)
		if perRow > 0 {
			i = b/perRow*row + b%perRow*size
			n = min(size, row-b%perRow*size)
		}
		p.mapBlock(w, m, i, n)
	})
}

// mapBlock computes the n elements from index i on and stores them.
func (p *Program) mapBlock(w *worker, m *mapped, i, n int) {
	at := m.dst.direct(i, n)
	if p.store == nil && at != nil {
		if from := w.compute(m.leaves, i, n, at); from != at {
			gatherBytes(m.dst.size, at, from, &path{[]int{n}, []int{1}}, 0, n)
		}
		return
	}
	values := w.compute(m.leaves, i, n, nil)
	if p.store != nil {
		to := at
		if to == nil {
			to = w.out
		}
		p.store(to, values, nil, nil, n)
		values = to
	}
	if at == nil {
		scatterBytes(m.dst.size, values, unsafe.Add(m.dst.base, m.dst.off*m.dst.size), &m.dst.path, i, n)
	}
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
