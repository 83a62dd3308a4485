package arrays

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// rows executes a kernel that reduces each row in several ways and computes what is made of the results. A thread does all of that with
// one row before it takes the next, so that the row stays in its cache.
type rows struct {
	k     *expression.Kernel
	parts []rowPart
	cost  float64   // of an element of all parts, in nanoseconds
	teams sync.Pool // of *rowTeam
}

// rowPart is a pass over a row: that of a reduction, that of the stored values, or one over a single number, of which the row has one.
type rowPart struct {
	p         *Program // whose only operands are those of the pass
	single    bool
	stored    bool // its values are only kept
	to        int  // its destination among those of the kernel, unless it is of a single number
	operands  []rowOperand
	constants []int // the words of the launch's constants that the pass has
	size      int   // of a value that is kept for later passes, or 0
}

// rowOperand is what an operand of a pass is.
type rowOperand struct {
	kind rowKind
	at   int // its number among those of its kind
}

type rowKind uint8

const (
	rowLeaf   rowKind = iota // an operand of the kernel
	rowResult                // the result of a reduction
	rowKept                  // the values that the pass of that number kept
	rowSingle                // the single number that it has
)

// newRows returns what executes a kernel of form Rows.
func newRows(k *expression.Kernel) (*rows, error) {
	r := &rows{k: k}
	c := rowCompiler{r: r, ids: map[string]int{}, kept: map[int]int{}, singles: map[int]int{}}
	var passes [][]rowStep
	for _, f := range k.Folds {
		passes = append(passes, c.read(f.Steps))
	}
	if len(k.Steps) > 0 {
		passes = append(passes, c.read(k.Steps))
	}
	for i, f := range k.Folds {
		part := rowPart{to: i}
		k := expression.Kernel{Form: expression.Fold, Folding: f.Folding, Acc: f.Acc, Result: f.Result, Loops: 1, Reduced: 1}
		steps, later := passes[i], passes[i+1:]
		if err := c.share(steps, later); err != nil {
			return nil, err
		}
		last := len(steps) - 1
		// Values that the pass reads, rather than computes, are not stored again.
		_, known := c.kept[steps[last].id]
		if !known && !steps[last].single && worthKeeping(c.below(steps, last)) && c.neededBy(later, steps[last].id) &&
			f.Folding != expression.Any && f.Folding != expression.All {
			part.size = steps[last].Type.Size()
		}
		if err := c.compile(steps, last, part, k); err != nil {
			return nil, err
		}
		if part.size > 0 {
			c.kept[steps[last].id] = len(r.parts) - 1
		}
	}
	if n := len(k.Steps); n > 0 {
		return r, c.compile(passes[len(k.Folds)], n-1, rowPart{to: len(k.Folds)}, expression.Kernel{Form: expression.Map, Result: k.Result, Loops: 1})
	}
	return r, nil
}

// worthKeeping reports whether to store the values of the last step takes less time than to compute them again.
func worthKeeping(steps []expression.Step) bool {
	if len(steps) == 0 {
		return false
	}
	last := steps[len(steps)-1].Type
	if last != expression.Float32 && last != expression.Float64 {
		return false
	}
	cost := 0.0
	for i := range steps {
		cost += costOf(&steps[i])
	}
	return cost > 0.25
}

// rowCompiler makes the programs of passes.
type rowCompiler struct {
	r       *rows
	ids     map[string]int // of values, by what they are
	kept    map[int]int    // the passes by the values that they keep
	singles map[int]int    // and by their single numbers
}

// rowStep is a step of a kernel. Steps of any passes that have the same value have the same id. An operation is single if its value is the
// same for all elements of a row.
type rowStep struct {
	expression.Step
	id     int
	single bool
}

// named reports whether the argument of a step is no step but the number of something else.
func named(s expression.Step) bool {
	return s.Op == expression.Operand || s.Op == expression.Result || s.Op == expression.Constant
}

// read returns the steps of a pass.
func (c *rowCompiler) read(list []expression.Step) []rowStep {
	steps := make([]rowStep, len(list))
	for i, s := range list {
		what := fmt.Sprint(s.Op, " ", s.Type)
		single := !named(s)
		for _, a := range s.Args {
			if named(s) {
				what += fmt.Sprint(" ", a)
				continue
			}
			what += fmt.Sprint(" ", steps[a].id)
			single = single && (steps[a].single || steps[a].Op == expression.Result || steps[a].Op == expression.Constant)
		}
		id, ok := c.ids[what]
		if !ok {
			id = len(c.ids)
			c.ids[what] = id
		}
		steps[i] = rowStep{s, id, single}
	}
	return steps
}

// compile adds the pass of a step, after those of the single numbers that it needs.
func (c *rowCompiler) compile(steps []rowStep, last int, part rowPart, k expression.Kernel) error {
	e := rowExpression{c: c, steps: steps, part: part, k: k, numbers: map[int]uint8{}}
	e.add(last)
	if e.err != nil {
		return e.err
	}
	var err error
	same := func(leaf int) bool {
		kind := e.part.operands[leaf].kind
		return !part.single && (kind == rowResult || kind == rowSingle)
	}
	if e.part.p, err = newProgram(&e.k, same); err != nil {
		return err
	}
	c.r.parts = append(c.r.parts, e.part)
	if !part.single {
		c.r.cost += e.part.p.cost
	}
	return nil
}

// rowExpression makes the program of a pass from its steps, with operands for what earlier passes have.
type rowExpression struct {
	c       *rowCompiler
	steps   []rowStep
	part    rowPart
	k       expression.Kernel // of the pass
	numbers map[int]uint8     // of its steps, by their value
	err     error
}

// add adds a step to the part, after those that it needs, and returns its number.
func (e *rowExpression) add(i int) uint8 {
	s := e.steps[i]
	if n, ok := e.numbers[s.id]; ok {
		return n
	}
	step := expression.Step{Op: s.Op, Type: s.Type}
	at, kept := e.c.kept[s.id]
	switch {
	case kept:
		step.Op, step.Args = expression.Operand, e.operand(rowOperand{rowKept, at}, expression.Leaf{Type: s.Type})
	case !e.part.single && s.single:
		step.Op, step.Args = expression.Operand, e.operand(rowOperand{rowSingle, e.singleNumber(i)}, expression.Leaf{Type: s.Type})
	case s.Op == expression.Operand:
		step.Args = e.operand(rowOperand{rowLeaf, int(s.Args[0])}, e.c.r.k.Leaves[s.Args[0]])
	case s.Op == expression.Result:
		step.Op = expression.Operand
		step.Args = e.operand(rowOperand{rowResult, int(s.Args[0])}, expression.Leaf{Type: e.c.r.k.Folds[s.Args[0]].Result})
	case s.Op == expression.Constant:
		e.part.constants = append(e.part.constants, int(s.Args[0]))
		if s.Type.Complex() {
			e.part.constants = append(e.part.constants, int(s.Args[0])+1)
		}
	default:
		for _, a := range s.Args {
			step.Args = append(step.Args, e.add(int(a)))
		}
	}
	e.k.Steps = append(e.k.Steps, step)
	n := uint8(len(e.k.Steps) - 1)
	e.numbers[s.id] = n
	return n
}

// singleNumber returns the pass that computes a single number.
func (e *rowExpression) singleNumber(i int) int {
	id := e.steps[i].id
	at, ok := e.c.singles[id]
	if !ok {
		of := e.steps[i].Type
		if err := e.c.compile(e.steps, i, rowPart{single: true, size: of.Size()}, expression.Kernel{Form: expression.Map, Result: of, Loops: 1}); err != nil {
			e.err = err
			return 0
		}
		at = len(e.c.r.parts) - 1
		e.c.singles[id] = at
	}
	return at
}

// operand adds an operand of the part and returns its number as the argument of a step.
func (e *rowExpression) operand(o rowOperand, l expression.Leaf) []uint8 {
	e.part.operands = append(e.part.operands, o)
	e.k.Leaves = append(e.k.Leaves, l)
	return []uint8{uint8(len(e.k.Leaves) - 1)}
}

// pointers returns the number of addresses of a launch.
func (r *rows) pointers() int {
	n := r.destinations()
	for _, l := range r.k.Leaves {
		if !l.Index {
			n++
		}
	}
	return n
}

func (r *rows) destinations() int {
	if len(r.k.Steps) > 0 {
		return len(r.k.Folds) + 1
	}
	return len(r.k.Folds)
}

// words returns the number of words of a launch.
func (r *rows) words() int {
	n, leaves := 0, len(r.k.Leaves)
	for _, part := range r.parts {
		for _, at := range part.constants {
			n = max(n, at+1)
		}
	}
	return 2 + leaves + r.k.Loops + leaves*(r.k.Loops+1) + n
}

// rowLaunch is a launch. The index of an element is that in an array of all rows.
type rowLaunch struct {
	r            *rows
	rows, length int
	together     int // rows that a thread takes together, since they are short
	offs         []int
	paths        []path // of the operands, through all rows
	repeated     []bool // whether an operand has the same elements in all rows, of which several are taken together
	constants    [][]int64
	elements     path // of adjacent elements
	groups       path // of those that all rows taken together have, which are the same for the next ones
	numbers      path // of adjacent numbers, of which a row has one, as an operand of the elements
	singles      path // of those, as an operand of other ones
	pointers     []pointer
}

func (r *rows) plan(a *arguments) *rowLaunch {
	l := &rowLaunch{r: r, rows: a.next(), length: a.next(), together: 1}
	if l.length > 0 && l.length < blockSize/4 {
		l.together = blockSize / l.length
	}
	l.offs = a.list(len(r.k.Leaves))
	lens := append(a.list(r.k.Loops), l.length)
	for i := range r.k.Leaves {
		p := newPath(lens, a.list(len(lens)))
		l.paths = append(l.paths, p)
		l.repeated = append(l.repeated, !r.k.Leaves[i].Index && l.together > 1 && len(p.lens) == 2 && p.lens[1] == l.length && p.strides[0] == 0)
	}
	for _, part := range r.parts {
		var list []int64
		for _, at := range part.constants {
			list = append(list, a.words[at])
		}
		l.constants = append(l.constants, list)
	}
	l.elements, l.singles = newPath([]int{l.rows * l.length}, []int{1}), newPath([]int{l.rows}, []int{1})
	l.numbers = newPath([]int{l.rows, l.length}, []int{1, 0})
	l.groups = newPath([]int{l.tasks(), l.together * l.length}, []int{0, 1})
	return l
}

// tasks returns the number of groups of rows that a thread takes together.
func (l *rowLaunch) tasks() int { return (l.rows + l.together - 1) / l.together }

func (l *rowLaunch) run(pointers []pointer) {
	l.pointers = pointers
	cores.Blocks(l.tasks(), l.r.cost*float64(l.length*l.together)+200, func(next func() (from, to int)) {
		t := l.team()
		for from, to := next(); from < to; from, to = next() {
			for row := from * l.together; row < min(to*l.together, l.rows); row += l.together {
				for i := range l.r.parts {
					t.pass(l, i, row, min(l.together, l.rows-row))
				}
			}
		}
		t.leave(l.r)
	})
}

// rowTeam is the state of a thread: a worker for each pass, its operands, and the values that it keeps.
type rowTeam struct {
	workers  []*worker
	operands [][]operand
	kept     [][]wide
	repeated [][]wide // for each operand of the kernel that repeats, its elements for the rows taken together
	mapped   mapped
}

func (l *rowLaunch) team() *rowTeam {
	t, _ := l.r.teams.Get().(*rowTeam)
	if t == nil {
		n := len(l.r.parts)
		t = &rowTeam{make([]*worker, n), make([][]operand, n), make([][]wide, n), make([][]wide, len(l.r.k.Leaves)), mapped{}}
	}
	for i, yes := range l.repeated {
		if yes {
			t.repeat(l, i)
		}
	}
	for i := range l.r.parts {
		part := &l.r.parts[i]
		n := l.together
		if !part.single {
			n *= l.length
		}
		t.workers[i] = part.p.worker(l.constants[i], n)
		if room := (n*part.size + 15) / 16; len(t.kept[i]) < room {
			t.kept[i] = make([]wide, room)
		}
		t.operands[i] = t.operands[i][:0]
		for _, o := range part.operands {
			t.operands[i] = append(t.operands[i], l.operand(t, o, part.single))
		}
	}
	return t
}

// repeat stores the elements of an operand that has the same in all rows.
func (t *rowTeam) repeat(l *rowLaunch, leaf int) {
	o, n := l.leaf(leaf), min(l.together, l.rows)*l.length
	if room := (n*o.size + 15) / 16; len(t.repeated[leaf]) < room {
		t.repeated[leaf] = make([]wide, room)
	}
	gatherBytes(o.size, pointer(unsafe.SliceData(t.repeated[leaf])), o.base, o.off, &o.path, 0, n)
}

func (t *rowTeam) leave(r *rows) {
	for i, w := range t.workers {
		r.parts[i].p.workers.Put(w)
	}
	r.teams.Put(t)
}

// operand returns an operand of a pass.
func (l *rowLaunch) operand(t *rowTeam, o rowOperand, single bool) operand {
	numbers := l.numbers
	if single {
		numbers = l.singles
	}
	switch o.kind {
	case rowResult:
		return operand{base: l.pointers[o.at], path: numbers, size: l.r.k.Folds[o.at].Result.Size()}
	case rowSingle:
		return operand{base: pointer(unsafe.SliceData(t.kept[o.at])), path: numbers, size: l.r.parts[o.at].size}
	case rowKept:
		return operand{base: pointer(unsafe.SliceData(t.kept[o.at])), path: l.elements, size: l.r.parts[o.at].size}
	}
	if l.repeated[o.at] && !single {
		return operand{base: pointer(unsafe.SliceData(t.repeated[o.at])), path: l.groups, size: l.r.k.Leaves[o.at].Type.Size()}
	}
	return l.leaf(o.at)
}

// leaf returns an operand of the kernel.
func (l *rowLaunch) leaf(i int) operand {
	o := operand{path: l.paths[i], off: l.offs[i], size: l.r.k.Leaves[i].Type.Size()}
	if !l.r.k.Leaves[i].Index {
		at := l.r.destinations()
		for _, before := range l.r.k.Leaves[:i] {
			if !before.Index {
				at++
			}
		}
		o.base = l.pointers[at]
	}
	return o
}

// pass executes part i for n rows.
func (t *rowTeam) pass(l *rowLaunch, i, row, n int) {
	part, w, operands := &l.r.parts[i], t.workers[i], t.operands[i]
	for k, o := range part.operands {
		switch o.kind { // those in the memory of the thread begin with these rows
		case rowKept:
			operands[k].off = -row * l.length
		case rowSingle:
			operands[k].off = -row
		}
	}
	kept := pointer(unsafe.SliceData(t.kept[i]))
	t.mapped.leaves = operands
	switch {
	case part.single:
		t.mapped.dst = operand{base: kept, path: l.singles, off: -row, size: part.size}
		part.p.mapBlock(w, &t.mapped, row, n)
	case part.stored:
		t.mapped.dst = operand{base: kept, path: l.elements, off: -row * l.length, size: part.size}
		t.store(l, part, w, row, n)
	case part.to == len(l.r.k.Folds):
		t.mapped.dst = operand{base: l.pointers[part.to], path: l.elements, size: l.r.k.Result.Size()}
		t.store(l, part, w, row, n)
	default:
		part.p.folder.reset(w.acc, n)
		for at := 0; at < n*l.length; at += blockSize { // of one row, or all of several
			some := min(blockSize, n*l.length-at)
			var to pointer
			if part.size > 0 {
				to = unsafe.Add(kept, at*part.size)
			}
			part.p.folder.rows(w.acc, w.compute(operands, row*l.length+at, some, to), n, some/n, at)
		}
		part.p.finish(w, l.pointers[part.to], row, n, l.length)
	}
}

// store computes the values of a part for n rows and stores them.
func (t *rowTeam) store(l *rowLaunch, part *rowPart, w *worker, row, n int) {
	for at := 0; at < n*l.length; at += blockSize {
		part.p.mapBlock(w, &t.mapped, row*l.length+at, min(blockSize, n*l.length-at))
	}
}
