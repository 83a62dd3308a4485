package arrays

import (
	"slices"
	"unsafe"
)

// folded is a folding launch. The paths of an operand go through the results, through the values of one, and through all of them in the
// order in which blocks take them.
type folded struct {
	p                           *Program
	keeps, folds, per, segments int
	leaves                      []operand // without a path
	kept, reduced, all          []path
	constants                   []int64
	dst                         pointer
	down                        bool // adjacent operands are those of adjacent results
}

func (p *Program) newFold(a *arguments) *folded {
	f := &folded{p: p, keeps: a.next(), folds: a.next(), per: a.next(), segments: a.next()}
	for i, off := range a.list(len(p.k.Leaves)) {
		f.leaves = append(f.leaves, operand{off: off, size: p.k.Leaves[i].Type.Size()})
	}
	keptLens, reducedLens := a.list(p.k.Loops), a.list(p.k.Reduced)
	var keptStrides, reducedStrides [][]int
	for range p.k.Leaves {
		keptStrides, reducedStrides = append(keptStrides, a.list(p.k.Loops)), append(reducedStrides, a.list(p.k.Reduced))
	}
	f.constants = a.words
	f.down = f.keeps > 1 && f.keepsNeighbours(keptStrides, reducedStrides)
	for i := range f.leaves {
		f.kept, f.reduced = append(f.kept, newPath(keptLens, keptStrides[i])), append(f.reduced, newPath(reducedLens, reducedStrides[i]))
		if f.down {
			f.all = append(f.all, newPath(slices.Concat(reducedLens, keptLens), slices.Concat(reducedStrides[i], keptStrides[i])))
		} else {
			f.all = append(f.all, newPath(slices.Concat(keptLens, reducedLens), slices.Concat(keptStrides[i], reducedStrides[i])))
		}
	}
	return f
}

func (f *folded) run(pointers []pointer) {
	f.dst = pointers[0]
	f.p.bind(f.leaves, pointers[1:])
	switch {
	case f.down && f.keeps <= blockSize/2:
		f.runNarrow()
	case f.down:
		f.runDown()
	case f.segments == 1 && f.folds > 0 && f.folds < blockSize/4:
		f.runShort()
	default:
		f.runLong()
	}
}

// keepsNeighbours reports whether most operands have their adjacent elements along loops over results.
func (f *folded) keepsNeighbours(kept, reduced [][]int) bool {
	votes := 0
	for i := range f.leaves {
		if f.p.k.Leaves[i].Index {
			continue
		}
		inner, outer := abs(last(reduced[i])), abs(last(kept[i]))
		switch {
		case outer != 0 && (inner == 0 || outer < inner):
			votes++
		case inner != 0:
			votes--
		}
	}
	return votes > 0
}

func last(list []int) int {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1]
}

func abs(n int) int { return max(n, -n) }

// segment returns the first value of a segment and that after the last one.
func (f *folded) segment(s int) (begin, end int) { return s * f.per, min(f.folds, (s+1)*f.per) }

// along sets the worker's operands to paths that begin at index i of other ones.
func (f *folded) along(w *worker, paths, from []path, i int) {
	w.leaves = append(w.leaves[:0], f.leaves...)
	for k := range w.leaves {
		w.leaves[k].path = paths[k]
		if from != nil {
			off, _ := from[k].at(i)
			w.leaves[k].off += off
		}
	}
}

// runLong folds the values of a segment, block by block, into one accumulator.
func (f *folded) runLong() {
	p := f.p
	p.each(f.keeps*f.segments, f.per, f.constants, f.per, func(w *worker, task int) {
		row, s := task/f.segments, task%f.segments
		f.along(w, f.reduced, f.kept, row)
		p.folder.reset(w.acc, 1)
		begin, end := f.segment(s)
		for i := begin; i < end; i += blockSize {
			n := min(blockSize, end-i)
			p.folder.rows(w.acc, w.compute(w.leaves, i, n, nil), 1, n, i)
		}
		f.finish(w, row, 1, s)
	})
}

// runShort folds the values of several results in each block.
func (f *folded) runShort() {
	p := f.p
	rows := blockSize / f.folds
	p.each((f.keeps+rows-1)/rows, rows*f.folds, f.constants, blockSize, func(w *worker, task int) {
		row := task * rows
		n := min(rows, f.keeps-row)
		f.along(w, f.all, nil, 0)
		p.folder.reset(w.acc, n)
		p.folder.rows(w.acc, w.compute(w.leaves, row*f.folds, n*f.folds, nil), n, f.folds, 0)
		f.finish(w, row, n, 0)
	})
}

// runDown folds a block of results, one value of each at a time.
func (f *folded) runDown() {
	p := f.p
	across := (f.keeps + blockSize - 1) / blockSize
	p.each(across*f.segments, f.per*blockSize, f.constants, blockSize, func(w *worker, task int) {
		row, s := task%across*blockSize, task/across
		n := min(blockSize, f.keeps-row)
		p.folder.reset(w.acc, n)
		begin, end := f.segment(s)
		for j := begin; j < end; j++ {
			f.along(w, f.kept, f.reduced, j)
			p.folder.across(w.acc, w.compute(w.leaves, row, n, nil), n, 1, j)
		}
		f.finish(w, row, n, s)
	})
}

// runNarrow folds all results, several values of each at a time.
func (f *folded) runNarrow() {
	p := f.p
	several := blockSize / f.keeps
	p.each(f.segments, f.per*f.keeps, f.constants, blockSize, func(w *worker, s int) {
		f.along(w, f.all, nil, 0)
		p.folder.reset(w.acc, f.keeps)
		begin, end := f.segment(s)
		for j := begin; j < end; j += several {
			n := min(several, end-j)
			p.folder.across(w.acc, w.compute(w.leaves, j*f.keeps, n*f.keeps, nil), f.keeps, n, j)
		}
		f.finish(w, 0, f.keeps, s)
	})
}

// finish stores the worker's accumulators, which are those of n results from row on.
func (f *folded) finish(w *worker, row, n, segment int) {
	k := f.p.k
	if !k.Parts {
		f.p.finish(w, f.dst, row, n, f.folds)
		return
	}
	size := f.p.folder.size()
	if k.Columns {
		copy(elements[byte](unsafe.Add(f.dst, (segment*f.keeps+row)*size), n*size), elements[byte](w.acc, n*size))
		return
	}
	for i := range n {
		copy(elements[byte](unsafe.Add(f.dst, ((row+i)*f.segments+segment)*size), size), elements[byte](unsafe.Add(w.acc, i*size), size))
	}
}

// finish stores the results of the worker's accumulators.
func (p *Program) finish(w *worker, dst pointer, row, n, values int) {
	to := unsafe.Add(dst, row*p.k.Result.Size())
	if p.store == nil {
		p.folder.store(to, w.acc, n, values)
		return
	}
	p.folder.store(w.out, w.acc, n, values)
	p.store(to, w.out, nil, nil, n)
}

// newJoin returns the function that folds the accumulators of segments.
func (p *Program) newJoin(a *arguments) func(pointers []pointer) {
	keeps, segments := a.next(), a.next()
	a.list(2)
	values := a.next()
	return func(pointers []pointer) { p.runJoin(pointers[0], pointers[1], keeps, segments, values) }
}

func (p *Program) runJoin(dst, parts pointer, keeps, segments, values int) {
	size := p.folder.size()
	p.each((keeps+blockSize-1)/blockSize, blockSize*segments, nil, 1, func(w *worker, task int) {
		row := task * blockSize
		n := min(blockSize, keeps-row)
		p.folder.reset(w.acc, n)
		for i := range n {
			for s := range segments {
				at := (row+i)*segments + s
				if p.k.Columns {
					at = s*keeps + row + i
				}
				p.folder.join(unsafe.Add(w.acc, i*size), unsafe.Add(parts, at*size))
			}
		}
		p.finish(w, dst, row, n, values)
	})
}
