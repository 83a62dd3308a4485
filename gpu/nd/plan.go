package nd

import (
	bin "encoding/binary"
	"math"
	"slices"
)

// plan is an expression split into its operands and a sequence of operations. An engine has one, which is reused for each evaluation.
type plan struct {
	epoch  uint64
	steps  []step
	leaves []leaf
	consts []*node
	// sources are memory from which elements are taken by index.
	sources []leaf
	outs    []output // of an element-wise kernel
	length  [1]int   // of the loop of a linear space
	// rows are the reductions of a kernel for rows, or nil; results are those whose values the code finds in registers.
	rows    *rows
	results []*node
	scans   []*node // those whose accumulators the code has
	// trial means that nothing will be computed.
	trial bool
}

// step is one value: an operand or an operation on earlier values, whose numbers are its arguments. For an operand the first argument is its
// number among those of its kind. The third one of opGather is the number of the source, that of opScan the number of the scan.
type step struct {
	op   op
	dt   DType
	args [3]uint8
	n    uint8 // of arguments
}

// output is a value that an element-wise kernel stores.
type output struct {
	value uint8
	dt    DType
}

// leaf is an operand with memory, or the indices of elements (opIndex), which have none.
type leaf struct {
	buf   *buffer
	dt    DType
	off   int
	lay   *layout
	class class
	// around is, for a destination, the rest of its memory, or nil if that needs nothing.
	around *around
}

// aligned reports whether vectors of that many elements, the first of which is the operand's first element, can be loaded at once.
func (l *leaf) aligned(width int) bool {
	size := l.dt.Size()
	return (int(l.buf.Address())+l.off*size)%(width*size) == 0
}

// same reports whether another operand has the same elements.
func (l *leaf) same(o *leaf) bool {
	return o.off == l.off && o.buf == l.buf && o.lay == l.lay && o.dt == l.dt
}

// whole returns the memory of an operand that is contiguous.
func (l *leaf) whole() *buffer {
	size := l.dt.Size()
	return l.buf.Slice(l.off*size, (l.off+l.lay.size)*size)
}

// furthest returns the largest of the offsets.
func furthest(leaves []leaf) int {
	off := 0
	for i := range leaves {
		off = max(off, leaves[i].off)
	}
	return off
}

// class is the way in which the innermost loop reads an operand.
type class uint8

const (
	classVector  class = 'v' // adjacent elements, several at a time
	classNext    class = 'n' // adjacent elements, but not aligned
	classSame    class = 's' // always the same element
	classStrided class = 'x'
	classIndex   class = 'i' // no memory: the offset is the value
	classTile    class = 't' // through shared memory
	classProduct class = 'p' // no memory: the kernel computes it
)

// settle computes the arguments of expression n that have no memory but were already part of another kernel, unless to compute them again
// costs less than to store and read them, products, and reductions and scans that are computed later, except those that r has where they are used.
// The lock is held.
func (e *engine) settle(n *node, r *rows) {
	if n.op == opFold && n.args[0].lazy() && n.args[0].result() == nil && n.args[0].op != opGather && !n.args[0].apart() {
		n = n.args[0] // is computed in the same kernel in any case
	}
	for _, a := range n.args {
		if a == nil || !a.lazy() || a.op == opIndex {
			continue
		}
		switch b := a.result(); {
		case b != nil && r.fits(a):
			e.settleResult(b, r)
		case b != nil || a.fused > 0 && !a.cheap() || a.op == opGather && (len(r.all()) > 0 || a.refs > 1 && a.scattered()),
			a.apart() && !r.runs(a):
			e.evaluate(a)
		default:
			e.settle(a, r)
		}
	}
}

// settleResult is settle for a reduction that r has, and for what is computed from such reductions alone.
func (e *engine) settleResult(b *node, r *rows) {
	if b.op == opFold {
		e.settle(b, r)
		return
	}
	for _, a := range b.args {
		if a != nil && a.lazy() {
			e.settleResult(a, r)
		}
	}
}

// cheapCost is the number of operations up to which an expression may be computed again: they take less time than the memory that an
// element of it would need.
const cheapCost = 24

// cheap reports whether an expression that was part of that many kernels should be computed again in the next one. A kernel that does reads
// its operands, where one that has the value in memory reads that; to get it there takes about twice its size. So an expression
// of small operands that are broadcast is always computed again, one of two operands of its own size two times at most. The lock is held.
func (n *node) cheap() bool {
	if n.cost > cheapCost || n.apart() { // which is more than one operation for each element
		return false
	}
	size := n.lay.size * n.dt.Size()
	return int(n.fused)*(n.operandBytes()-size) <= 2*size
}

// operandBytes returns how many bytes the operands of an expression have in memory; one that is used twice counts twice.
func (n *node) operandBytes() int {
	sum := 0
	for i, a := range n.args {
		switch {
		case a == nil || a.op == opConst || a.op == opIndex:
		case n.op == opGather && i == 0 && n.scattered():
			sum += n.lay.size * max(sector, n.dt.Size())
		case a.lazy() && a.result() == nil && a.op != opProduct:
			sum += a.operandBytes()
		default:
			sum += a.lay.distinct() * a.dt.Size()
		}
	}
	return sum
}

// trace fills the plan with expressions.
func (p *plan) trace(list ...*node) {
	p.begin()
	for _, n := range list {
		p.outs = append(p.outs, output{p.visit(n, nil), n.dt})
	}
}

// begin empties the plan.
func (p *plan) begin() {
	p.epoch++
	p.steps, p.leaves, p.sources, p.consts, p.outs, p.rows, p.results = p.steps[:0], p.leaves[:0], p.sources[:0], p.consts[:0], p.outs[:0], nil, p.results[:0]
	p.scans = p.scans[:0]
}

// drop releases the operands.
func (p *plan) drop() {
	p.trial, p.rows = false, nil
	clear(p.leaves)
	clear(p.sources)
	clear(p.results)
	clear(p.scans)
	clear(p.consts)
}

// visit adds the value of n, with the contents v if it has memory, and returns its number.
func (p *plan) visit(n *node, v *version) uint8 {
	switch n.op {
	case opLeaf:
		if v == nil {
			v = n.mem.now
		}
		return p.operand(leaf{buf: v.buf, dt: n.dt, off: n.off, lay: n.lay}, opLeaf)
	case opIndex:
		return p.operand(leaf{dt: Int64, lay: n.lay, class: classIndex}, opIndex)
	case opGather:
		return p.taken(n)
	case opScan:
		return p.scanned(n)
	case opProduct:
		return p.operand(leaf{dt: n.dt, lay: n.lay, class: classProduct}, opLeaf)
	}
	if n.op == opConst {
		// Constants belong to no engine, so they are not marked. The parts of a kernel for rows share theirs.
		if at := slices.Index(p.consts, n); at >= 0 && p.rows != nil {
			return p.known(opConst, n.dt, at)
		}
		p.steps = append(p.steps, step{op: opConst, dt: n.dt, args: [3]uint8{uint8(len(p.consts))}})
		p.consts = append(p.consts, n)
		return uint8(len(p.steps) - 1)
	}
	if b := n.result(); b != nil {
		if !p.rows.fits(n) {
			p.missing(n)
		}
		return p.visitResult(b)
	}
	return p.operation(n, p.visitArgument)
}

// visitResult adds the value of b, a reduction or what is computed from reductions alone, of which there is one for each row.
func (p *plan) visitResult(b *node) uint8 {
	switch b.op {
	case opFold:
		i := slices.Index(p.results, b)
		if i < 0 {
			p.missing(b)
		}
		return p.known(opFold, b.dt, i)
	case opConst:
		return p.visit(b, nil)
	}
	return p.operation(b, func(n *node, i int) uint8 { return p.visitResult(n.args[i]) })
}

// operation adds the value of n, whose arguments visit adds.
func (p *plan) operation(n *node, visit func(n *node, i int) uint8) uint8 {
	// Marks of other plans are older.
	if n.mark == p.epoch {
		return n.slot
	}
	s := step{op: n.op, dt: n.dt}
	for i, a := range n.args {
		if a == nil {
			break
		}
		s.args[i] = visit(n, i)
		s.n++
	}
	return p.add(n, s)
}

// add adds the step that computes n.
func (p *plan) add(n *node, s step) uint8 {
	if !p.trial {
		n.fused++
	}
	p.steps = append(p.steps, s)
	n.mark, n.slot = p.epoch, uint8(len(p.steps)-1)
	return n.slot
}

// taken adds the value of n, an element of a source.
func (p *plan) taken(n *node) uint8 {
	if n.mark == p.epoch {
		return n.slot
	}
	from := leaf{buf: n.content(0).buf, dt: n.dt, off: n.args[0].off, lay: n.args[0].lay}
	at := slices.IndexFunc(p.sources, func(l leaf) bool { return from.same(&l) })
	if at < 0 {
		at = len(p.sources)
		p.sources = append(p.sources, from)
	}
	index, length := p.visitArgument(n, 1), p.visitArgument(n, 2)
	return p.add(n, step{op: opGather, dt: n.dt, args: [3]uint8{index, length, uint8(at)}, n: 2})
}

// missing panics because a kernel would read a reduction or a scan that neither is in memory nor is one of the kernel's own. settle should
// have computed it.
func (p *plan) missing(n *node) {
	fail("Eval", "a kernel would read a reduction or a scan, of which there are %s results, before it is computed. This is a fault of package nd: report the expression. Call Eval of the reduction before it is used",
		shapeString(n.lay.shape))
}

func (p *plan) operand(l leaf, op op) uint8 {
	for i := range p.leaves {
		if p.leaves[i].same(&l) {
			return p.known(op, l.dt, i)
		}
	}
	p.leaves = append(p.leaves, l)
	return p.value(op, l.dt, len(p.leaves)-1)
}

// visitArgument adds the value of an argument of n and returns its number.
func (p *plan) visitArgument(n *node, i int) uint8 {
	var v *version
	if n.args[i].op == opLeaf {
		v = n.content(i)
	}
	return p.visit(n.args[i], v)
}

// known returns the number of a value that is there before: operand i, or the result of reduction i.
func (p *plan) known(op op, dt DType, i int) uint8 {
	for at, s := range p.steps {
		if s.op == op && int(s.args[0]) == i {
			return uint8(at)
		}
	}
	return p.value(op, dt, i)
}

// value adds the value of operand i, or the result of reduction i, and returns its number.
func (p *plan) value(op op, dt DType, i int) uint8 {
	p.steps = append(p.steps, step{op: op, dt: dt, args: [3]uint8{uint8(i)}})
	return uint8(len(p.steps) - 1)
}

// key appends everything that the expression's code depends on.
func (p *plan) key(k []byte) []byte {
	k = keyOf(k, p.steps)
	for i := range p.leaves {
		k = append(k, byte(p.leaves[i].class))
	}
	return k
}

// keyOf appends the steps.
func keyOf(k []byte, steps []step) []byte {
	for i := range steps {
		s := &steps[i]
		k = append(k, byte(s.op), byte(s.op>>8), byte(s.dt))
		k = append(k, s.args[:s.n]...)
		switch {
		case s.op <= opFold:
			k = append(k, s.args[0])
		case s.op == opGather || s.op == opScan:
			k = append(k, s.args[2])
		}
	}
	return k
}

// words are the numbers that a kernel gets: offsets, lengths, strides and constants.
type words []byte

func (w words) put(v int) words       { return endian.AppendUint64(w, uint64(v)) }
func (w words) number(v number) words { return endian.AppendUint64(w, v[0]) }

// list appends numbers.
func (w words) list(numbers []int) words {
	for _, v := range numbers {
		w = w.put(v)
	}
	return w
}

// constants appends those of the plan.
func (w words) constants(p *plan) words {
	for _, c := range p.consts {
		w = w.constant(c)
	}
	return w
}

// constant appends a constant in the form that constExpr reads.
func (w words) constant(n *node) words {
	switch {
	case n.dt == F32 || n.dt.half():
		return w.put(int(math.Float32bits(float32(math.Float64frombits(n.num[0])))))
	case n.dt.is(kindComplex):
		w = w.number(n.num)
		return endian.AppendUint64(w, n.num[1])
	}
	return w.number(n.num)
}

// constWords returns the number of words that a constant takes.
func constWords(dt DType) int {
	if dt.is(kindComplex) {
		return 2
	}
	return 1
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// endian is the byte order of the devices.
var endian = bin.LittleEndian
