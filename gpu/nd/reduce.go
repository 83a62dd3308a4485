package nd

import (
	"fmt"
	"math"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// fold is a way to reduce many values to one.
type fold uint32

const (
	foldSum fold = iota
	foldProd
	foldMin
	foldMax
	foldAny
	foldAll
	foldArgmin
	foldArgmax
	foldMean
	// The folds from here on call functions of goFuncs.
	foldGo fold = 1 << 16
)

// accumulator returns the C type in which values of that type are accumulated: sums of floats in double precision, those of integers in
// 64 bits.
func (f fold) accumulator(dt DType) DType {
	if f >= foldGo {
		return dt
	}
	switch f {
	case foldAny, foldAll:
		return Bool
	case foldSum, foldProd, foldMean:
		switch {
		case dt.is(kindComplex):
			return C128
		case dt.is(kindFloat):
			return F64
		case dt.is(kindUint):
			return Uint64
		}
		return Int64
	}
	if dt.half() {
		return F32
	}
	return dt
}

func (f fold) arg() bool { return f == foldArgmin || f == foldArgmax }

// worse returns the C condition under which value a is replaced by x. NaN is replaced by nothing.
func (f fold) worse(dt DType, a, x string) string {
	sign := "<"
	if f == foldMin || f == foldArgmin {
		sign = ">"
	}
	if dt.is(kindFloat) {
		return fmt.Sprintf("%[1]s == %[1]s && (%[1]s %[3]s %[2]s || %[2]s != %[2]s)", a, x, sign)
	}
	return a + " " + sign + " " + x
}

// source returns the text that a kernel needs for the fold: the type nd_acc, and how two of them are joined.
func (f fold) source(acc DType) (text string, need sections) {
	held := acc.info().held
	value := "struct nd_acc { " + held + " value;"
	const head = "static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {\n"
	if g := f.goFunc(); g != nil {
		joined, need := g.call(acc, []DType{acc, acc}, []string{"a.value", "b.value"})
		return value + " bool some; };\n" + head +
			"    if (!a.some || !b.some)\n        return a.some ? a : b;\n    a.value = " + joined + ";\n    return a;\n}\n", need
	}
	switch f {
	case foldSum, foldMean:
		text = value + " };\n" + head + "    a.value = a.value + b.value;\n    return a;\n}\n"
	case foldProd:
		text = value + " };\n" + head + "    a.value = a.value * b.value;\n    return a;\n}\n"
	case foldAny:
		text = value + " };\n" + head + "    a.value = a.value || b.value;\n    return a;\n}\n"
	case foldAll:
		text = value + " };\n" + head + "    a.value = a.value && b.value;\n    return a;\n}\n"
	case foldMin, foldMax:
		// Whether there is a value yet is stored beside it: not all types have one that every other value replaces.
		text = value + " bool some; };\n" + head +
			"    if (b.some && (!a.some || (" + f.worse(acc, "a.value", "b.value") + ")))\n        return b;\n    return a;\n}\n"
	default:
		// Of equal values the one with the lowest index counts, in whichever order they come. NaNs are equal here.
		same := "a.value == b.value"
		if acc.is(kindFloat) {
			same = "(a.value == b.value || (a.value != a.value && b.value != b.value))"
		}
		text = value + " long long at; };\n" + head +
			"    if (b.at >= 0 && (a.at < 0 || (" + f.worse(acc, "a.value", "b.value") + ") || (" + same + " && b.at < a.at)))\n        return b;\n    return a;\n}\n" +
			// Where the indices ascend, an equal value later on does not count.
			"static __device__ __forceinline__ nd_acc nd_join(nd_acc a, " + held + " x, long long at) {\n" +
			"    if (a.at < 0 || (" + f.worse(acc, "a.value", "x") + "))\n        a = nd_acc{x, at};\n    return a;\n}\n"
	}
	return text, acc.needs()
}

// none returns the accumulator of no values, in C.
func (f fold) none(acc DType) string {
	if f >= foldGo {
		return "{}"
	}
	zero, one := "0", "1"
	if acc.is(kindComplex) {
		zero, one = acc.info().held+"(0, 0)", acc.info().held+"(1, 0)"
	}
	switch f {
	case foldProd:
		return "{" + one + "}"
	case foldAll:
		return "{true}"
	case foldMin, foldMax:
		return "{" + zero + ", false}"
	case foldArgmin, foldArgmax:
		return "{" + zero + ", -1}"
	}
	return "{" + zero + "}"
}

// add returns the accumulator a after one more value, in C. For Argmin and Argmax its index must be larger than those before.
func (f fold) add(a string, acc, dt DType, x, at string) string {
	if f.arg() {
		x, _ = castExpr(acc, dt, x)
		return fmt.Sprintf("nd_join(%s, %s, %s)", a, x, at)
	}
	return fmt.Sprintf("nd_join(%s, %s)", a, f.lift(acc, dt, x, at))
}

// lift returns the accumulator of a single value, in C.
func (f fold) lift(acc, dt DType, x, at string) string {
	x, _ = castExpr(acc, dt, x)
	switch {
	case f == foldMin, f == foldMax, f >= foldGo:
		return "nd_acc{" + x + ", true}"
	case f.arg():
		return "nd_acc{" + x + ", (long long)(" + at + ")}"
	}
	return "nd_acc{" + x + "}"
}

// outcome returns the result of an accumulator of so many values, in C. It is of type dt.
func (f fold) outcome(acc, dt DType, from, count string) (string, sections) {
	switch {
	case f.arg():
		return from + ".at", 0
	case f == foldMean && acc == C128:
		return castExpr(dt, acc, meanOf(acc, from, count))
	case f == foldMean:
		return castExpr(dt, acc, "("+meanOf(acc, from, count)+")")
	}
	return castExpr(dt, acc, from+".value")
}

// meanOf returns an accumulator divided by the number of values, in C.
func meanOf(acc DType, from, count string) string {
	if acc == C128 {
		return fmt.Sprintf("complex<double>(%[1]s.value.re / (double)(%[2]s), %[1]s.value.im / (double)(%[2]s))", from, count)
	}
	return from + ".value / (double)(" + count + ")"
}

// accBytes returns the size of an nd_acc.
func (f fold) accBytes(acc DType) int {
	switch size := acc.Size(); {
	case f >= foldGo && acc.half():
		return 2 * F32.Size()
	case f >= foldGo:
		return 2 * size
	case f == foldMin, f == foldMax:
		return 2 * size
	case f.arg():
		return 8 + max(size, 8)
	default:
		return size
	}
}

// reduction has everything that the code of a reducing kernel depends on besides the expression.
type reduction struct {
	fold    fold
	acc     DType
	kept    int  // loops over the axes that are kept
	reduced int  // loops over the axes that are folded
	down    bool // adjacent threads keep adjacent elements, instead of folding them
	width   int  // elements loaded at once, of those that are folded or, if down, of those that are kept
	wide    bool
	lanes   int  // threads for each result, if it is of a few vectors that a part of a warp reads, or 0
	turns   int  // vectors of each of these threads
	full    bool // the block has its usual shape, which loops are unrolled for
	first   bool // makes an accumulator for each segment, instead of the result
	second  bool // reads such accumulators, instead of the operands
	columns bool // if first or second: the accumulators of a segment are adjacent, instead of those of a result
	dt      DType
	initial *node // the constant with which the result is joined, if the fold calls a function
}

const (
	reduceBlock = 256
	// This many blocks keep a large GPU busy to the end: each is a small part of the work. Those that keep adjacent elements have more to
	// write, so there are fewer.
	reduceBlocks     = 1 << 12
	reduceBlocksDown = 1 << 12
	// A thread folds so few elements alone: they are near each other, and there is nothing to join.
	shortFold = 32
	// Rows of so many elements are read as vectors, if there are enough of them.
	longestInLanes = 256
	fewestInLanes  = 1 << 14
)

// folding is the iteration space of a reduction: loops over the axes that are kept and over those that are folded, of each operand, and
// the number of elements of these.
type folding struct {
	kept, reduced loops
	keeps, folds  int
}

// folding splits the loops over a shape.
func (p *plan) folding(shape, axes []int) folding {
	// What is kept and what is folded of a list with a number for each axis are the two ends of a part of flat.
	rank := len(shape)
	flat := make([]int, 0, (len(p.leaves)+1)*rank)
	split := func(list []int) (kept, reduced []int) {
		at := len(flat)
		for i, v := range list {
			if !slices.Contains(axes, i) {
				flat = append(flat, v)
			}
		}
		middle := len(flat)
		for i, v := range list {
			if slices.Contains(axes, i) {
				flat = append(flat, v)
			}
		}
		return flat[at:middle], flat[middle:]
	}
	keptShape, reducedShape := split(shape)
	strides := make([][]int, 2*len(p.leaves))
	keptStrides, reducedStrides := strides[:len(p.leaves)], strides[len(p.leaves):]
	for k := range p.leaves {
		keptStrides[k], reducedStrides[k] = split(p.leaves[k].lay.broadcastStrides(shape, nil))
	}
	return folding{nest(keptShape, keptStrides), nest(reducedShape, reducedStrides), product(keptShape), product(reducedShape)}
}

// reach returns the largest index or offset that a kernel computes.
func (s *folding) reach(leaves int) int {
	reach := s.keeps * s.folds
	for k := range leaves {
		reach = max(reach, s.kept.extent(k)+s.reduced.extent(k))
	}
	return reach
}

// keepsNeighbours reports whether most operands have their adjacent elements along axes that are kept. Adjacent threads then keep
// adjacent elements, so that their loads are coalesced; otherwise they fold them.
func (s *folding) keepsNeighbours(leaves []leaf) bool {
	votes := 0
	for k := range leaves {
		if leaves[k].buf == nil {
			continue
		}
		inner, outer := abs(s.reduced.last(k)), abs(s.kept.last(k))
		if outer != 0 && (inner == 0 || outer < inner) {
			votes++
		} else if inner != 0 {
			votes--
		}
	}
	return votes > 0 && s.keeps > 1
}

// Loops of fewer elements than this load them one by one, so that small arrays share a kernel whatever their alignment is.
const (
	shortestFolded     = 1 << 10 // of a row that is folded
	shortestFoldedDown = 1 << 20 // of all, if neighbours are kept
)

// reduceTo folds the axes of n into out, which has the remaining axes. Only the sizes decide how the work is divided, so that sums are
// the same on all devices.
func (e *engine) reduceTo(f fold, n *node, axes []int, initial, out *node) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	if n.result() != nil || n.apart() {
		e.evaluate(n) // the view of a result has another order, or a part of the results
	} else if n.lazy() {
		e.settle(n, nil)
	}
	p := &e.plan
	defer p.drop()
	p.trace(n)
	s := p.folding(n.lay.shape, axes)
	r := p.reduction(f, n.dt, out.dt, &s)
	r.initial = initial
	e.fold(p, r, &s, leaf{buf: out.mem.now.buf, dt: out.dt, lay: out.lay})
	e.noteIndices(f, n, out.lay.size, out.mem.now)
}

// runFold computes a reduction of the last axis that was put off into its memory. The lock is held.
func (e *engine) runFold(n *node, m *memory) {
	p := &e.plan
	defer p.drop()
	p.begin()
	p.visitArgument(n, 0)
	a := n.args[0]
	s := p.folding(a.lay.shape, []int{a.lay.rank() - 1})
	e.fold(p, p.reduction(n.late.fold, a.dt, n.dt, &s), &s, leaf{buf: m.first.buf, dt: n.dt, lay: n.lay})
}

// reduction chooses how the plan's value, of type dt, is folded into results of another type, and marks the operands.
func (p *plan) reduction(f fold, dt, result DType, s *folding) reduction {
	r := reduction{fold: f, acc: f.accumulator(dt), kept: len(s.kept.lens), reduced: len(s.reduced.lens), width: 1, dt: result}
	r.down = s.keepsNeighbours(p.leaves)
	r.wide = furthest(p.leaves)+s.reach(len(p.leaves)) > math.MaxInt32-1<<16
	inner, outer := &s.reduced, &s.kept
	if r.down {
		inner, outer = outer, inner
	}
	if !r.down && r.reduced == 1 && s.folds >= shortestFolded {
		r.width = p.vectorWidth(inner, outer, vector)
	} else if r.down && r.kept == 1 && s.keeps*s.folds >= shortestFoldedDown {
		r.width = p.vectorWidth(inner, outer, 4)
		if s.keeps%r.width != 0 {
			r.width = 1
		}
	} else if !r.down && r.reduced == 1 && s.folds <= longestInLanes && s.keeps >= fewestInLanes && f < foldGo {
		r.inLanes(p.vectorWidth(inner, outer, vector), s.folds)
	}
	for k := range p.leaves {
		l := &p.leaves[k]
		switch step := inner.last(k); {
		case l.buf == nil:
			l.class = classIndex
		case r.width > 1 && step == 1:
			l.class = classVector
		case r.width > 1 && step == 0:
			l.class = classSame
		default:
			l.class = classStrided
		}
	}
	return r
}

// inLanes divides rows among parts of warps, if they are whole vectors of that many elements. Each thread has two of them or more, since to
// find them takes it longer than to fold them.
func (r *reduction) inLanes(width, folds int) {
	if width == 1 || folds%width != 0 {
		return
	}
	vectors := folds / width
	r.width, r.lanes = width, 1
	for r.lanes < 32 && 2*r.lanes < vectors {
		r.lanes *= 2
	}
	r.turns = (vectors + r.lanes - 1) / r.lanes
}

// vectorWidth returns how many elements can be loaded at once along the inner loop, at most limit.
func (p *plan) vectorWidth(inner, outer *loops, limit int) int {
	size := 0
	for k := range p.leaves {
		if l := &p.leaves[k]; l.buf != nil && inner.strides[k][0] == 1 {
			size = max(size, l.dt.Size())
		}
	}
	if size == 0 {
		return 1
	}
	width := min(vector/size, limit)
	for k := range p.leaves {
		l := &p.leaves[k]
		if l.buf == nil || inner.strides[k][0] != 1 {
			continue
		}
		if !l.aligned(width) || slices.ContainsFunc(outer.strides[k], func(s int) bool { return s%width != 0 }) {
			return 1
		}
	}
	return width
}

// oneLaunch is the number of values for a thread up to which results are not divided among blocks: a second launch takes longer.
const oneLaunch = 64

// division is how a reduction is divided among blocks and threads.
type division struct {
	x, y     int // threads of a block
	rows     int // blocks for all results
	segments int // blocks for each of them
	per      int // elements of a segment
}

// divide chooses the division, and sets in r what follows from it.
func (r *reduction) divide(s *folding) division {
	// One side of a block goes along the folded elements, the other along the kept ones.
	if r.lanes > 0 {
		y := reduceBlock / r.lanes
		return division{x: r.lanes, y: y, rows: (s.keeps + y - 1) / y, segments: 1, per: s.folds}
	}
	d := division{x: reduceBlock, y: 1, segments: 1}
	along, across := &d.x, &d.y
	folded, held := r.width, 1 // by a thread at once
	blocks := reduceBlocks
	if r.down {
		d.x, d.y = 32, reduceBlock/32
		along, across = across, along
		folded, held = held, folded
		blocks = reduceBlocksDown
	}
	for *along > 1 && (*along/2 >= s.folds || s.folds <= shortFold) {
		*along /= 2
		*across *= 2
	}
	r.full = (*across == 1 || (r.down && d.y == reduceBlock/32)) && s.folds >= 16*(*along)
	d.rows = (s.keeps + *across*held - 1) / (*across * held)
	if limit := s.folds / (*along * folded * 8); d.rows < blocks && limit > 1 && s.folds > oneLaunch*(*along) {
		d.segments = min(limit, (blocks+d.rows-1)/d.rows)
	}
	d.per = max((s.folds+d.segments-1)/d.segments, 1)
	d.per = (d.per + folded - 1) / folded * folded
	d.segments = max((s.folds+d.per-1)/d.per, 1)
	r.first = d.segments > 1
	r.columns = r.first && s.keeps >= 32
	return d
}

// arguments adds the words of the kernel, in the order in which reduceSource takes them.
func (s *folding) arguments(w words, p *plan, d division, initial *node) words {
	w = w.put(s.keeps).put(s.folds).put(d.per).put(d.segments)
	for i := range p.leaves {
		w = w.put(p.leaves[i].off)
	}
	w = w.list(s.kept.lens).list(s.reduced.lens)
	for i := range p.leaves {
		w = w.list(s.kept.strides[i]).list(s.reduced.strides[i])
	}
	if initial != nil {
		w = w.constant(initial)
	}
	return w.constants(p)
}

// fold launches the kernel or, if there are few results of many values each, the two kernels.
func (e *engine) fold(p *plan, r reduction, s *folding, out leaf) {
	d := r.divide(s)
	e.words = s.arguments(e.words[:0], p, d, r.initial)
	dst := out.buf
	bytes := out.lay.size * out.dt.Size()
	if r.first {
		temp := scratch{e: e}
		defer temp.free()
		dst = temp.alloc(s.keeps * d.segments * r.fold.accBytes(r.acc))
	}
	e.key = p.key(append(r.fold.key(e.key[:0], 'r'), byte(r.kept), byte(r.reduced), boolByte(r.down), byte(r.width), byte(r.lanes), byte(r.turns), boolByte(r.wide), boolByte(r.full), boolByte(r.first), boolByte(r.columns), byte(r.dt)))
	e.launch(p, &request{
		key: e.key, words: e.words, write: func() source { return p.reduceSource(r) },
		cfg: gpu.Launch{Grid: gpu.Dim3{X: d.rows * d.segments, Y: 1, Z: 1}, Block: gpu.Dim3{X: d.x, Y: d.y, Z: 1}},
	}, bytes, dst)
	if !r.first {
		return
	}
	r.first, r.second, r.full, r.down, r.width, r.kept, r.reduced = false, true, true, r.columns, 1, 0, 0
	e.joinSegments(r, dst, s.keeps, d.segments, s.folds, out)
}

// joinSegments makes the results of several accumulators for each.
func (e *engine) joinSegments(r reduction, acc *buffer, keeps, segments, folds int, out leaf) {
	w := e.words[:0].put(keeps).put(segments).put(segments).put(1).put(folds)
	if r.initial != nil {
		w = w.constant(r.initial)
	}
	e.words = w
	e.key = append(r.fold.key(e.key[:0], 'j'), byte(r.acc), boolByte(r.wide), boolByte(r.columns), byte(r.dt))
	cfg := gpu.Launch{Grid: gpu.Dim3{X: keeps, Y: 1, Z: 1}, Block: gpu.Dim3{X: reduceBlock, Y: 1, Z: 1}}
	if r.columns {
		cfg.Grid.X, cfg.Block = (keeps+31)/32, gpu.Dim3{X: 32, Y: reduceBlock / 32, Z: 1}
	}
	e.submit(&request{key: e.key, words: w, write: func() source { return new(plan).reduceSource(r) }, cfg: cfg},
		out.lay.size*out.dt.Size(), out.buf, acc)
}

// key appends the fold to the kind of a kernel.
func (f fold) key(k []byte, kind byte) []byte {
	return endian.AppendUint32(append(k, kind), uint32(f))
}

func product(list []int) int {
	n := 1
	for _, v := range list {
		n *= v
	}
	return n
}
