package arrays

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// blockSize is the number of elements of a block: few enough that the values of an expression stay in the cache, enough that a loop takes
// longer than its call.
const blockSize = 1024

// A Program is a kernel that is ready to be executed.
type Program struct {
	k        *expression.Kernel
	values   []value
	slots    int // blocks of memory that values share
	slotSize int // bytes
	pointers int // arguments that are addresses
	words    int // arguments that are numbers, at least
	folder   folder
	store    fn       // from the held type to a 16-bit one, or nil
	outputs  []output // if there are several
	workers  sync.Pool
	recent   atomic.Pointer[launch]
	routine  *routine // instead of an expression
	rows     *rows    // instead of one
	cost     float64  // of an element of all values, in nanoseconds
	// exact is whether all operations are quick and give the same bits with vectors and without.
	exact bool
}

// value is a step of the expression.
type value struct {
	f      fn
	args   [3]uint8
	n      int  // of arguments
	leaf   int  // the operand that it is, or -1
	number int  // the constant that it is, or -1
	slot   int  // of its block
	unused bool // it is not computed: another value does without it
	same   bool // it is an operand that is mostly the same for all elements of a block, and of the next ones
	raw    int  // the slot for elements of a 16-bit operand
	load   fn   // from a 16-bit type, or nil
	size   int  // of an element, as it is held
	t      expression.Type
}

// New returns the program of a description. It is an error if there is an operation that this package does not have.
func New(k *expression.Kernel) (*Program, error) {
	return newProgram(k, func(int) bool { return false })
}

// newProgram is New for a description of which some operands are mostly the same for all elements of a block, and of the next ones.
func newProgram(k *expression.Kernel, same func(leaf int) bool) (*Program, error) {
	p := &Program{k: k, pointers: destinations(k), outputs: newOutputs(k)}
	if k.Form == expression.Routine {
		if p.routine = newRoutine(k); p.routine == nil {
			return nil, fmt.Errorf("there is no routine %s of types %v", k.Name, k.Types)
		}
		return p, nil
	}
	if k.Form == expression.Rows {
		var err error
		if p.rows, err = newRows(k); err != nil {
			return nil, err
		}
		p.pointers, p.words = p.rows.pointers(), p.rows.words()
		return p, nil
	}
	p.countPointers()
	widest := held(k.Result).Size()
	for i := range k.Steps {
		v, err := p.value(&k.Steps[i])
		if err != nil {
			return nil, err
		}
		widest = max(widest, v.size)
		v.same = v.leaf >= 0 && v.load == nil && (v.size == 4 || v.size == 8) && same(v.leaf)
		p.values = append(p.values, v)
	}
	p.dropCopy()
	p.dropWidening()
	p.exact = !k.Result.Half()
	for i := range p.values {
		cost := costOf(&k.Steps[i])
		p.cost += cost
		p.exact = p.exact && cost < leastInexact
	}
	if of := p.last(); (k.Folding == expression.Any || k.Folding == expression.All) && k.Form == expression.Fold && of != expression.Bool {
		to := value{f: cast(expression.Bool, of), args: [3]uint8{uint8(len(p.values) - 1)}, n: 1, leaf: -1, number: -1, raw: -1, t: expression.Bool, size: 1}
		p.values = append(p.values, to)
	}
	p.joinSquares()
	p.slotSize = blockSize * widest
	p.words = p.wordCount()
	p.share()
	p.store = storing(k.Result)
	if k.Form == expression.Fold || k.Form == expression.Join {
		of := p.last()
		if p.folder = newFolder(k.Folding, held(of), k.Acc, k.Result); p.folder == nil {
			return nil, fmt.Errorf("there is no function that folds type %d in the way %d", of, k.Folding)
		}
	}
	return p, nil
}

// dropCopy removes a last step that stores what the one before it has computed, as an assignment does.
func (p *Program) dropCopy() {
	n := len(p.values)
	if n < 2 || p.outputs != nil {
		return
	}
	if s := &p.k.Steps[n-1]; s.Op == "Copy" && int(s.Args[0]) == n-2 && s.Type == p.values[n-2].t {
		p.values = p.values[:n-1]
	}
}

// countPointers finds how many arguments of a launch are addresses.
func (p *Program) countPointers() {
	for _, l := range p.k.Leaves {
		if !l.Index {
			p.pointers++
		}
	}
	if p.k.Form == expression.Join {
		p.pointers = 2
	}
}

// dropWidening removes a conversion of what is summed that changes no sum but takes longer than it: that of integers to int64, in which they
// are summed anyway, and that of bools to bools.
func (p *Program) dropWidening() {
	k, n := p.k, len(p.values)
	if k.Form != expression.Fold || k.Folding != expression.Sum || k.Acc != expression.Int64 || n < 2 {
		return
	}
	s := &k.Steps[n-1]
	if s.Op != "AsType" || int(s.Args[0]) != n-2 || p.values[n-2].number >= 0 {
		return
	}
	switch from := p.values[n-2].t; {
	case from == expression.Bool && s.Type == expression.Bool:
	case s.Type == expression.Int64 && slices.Contains(narrow, from):
	default:
		return
	}
	p.values = p.values[:n-1]
}

// narrow are types whose sums are in int64.
var narrow = []expression.Type{expression.Bool, expression.Int8, expression.Uint8, expression.Int16, expression.Int32}

// last returns the type of the values that a kernel folds or stores.
func (p *Program) last() expression.Type {
	if len(p.values) == 0 {
		return p.k.Acc
	}
	return p.values[len(p.values)-1].t
}

func (p *Program) value(s *expression.Step) (v value, err error) {
	v = value{leaf: -1, number: -1, raw: -1, t: s.Type, size: held(s.Type).Size(), n: len(s.Args)}
	copy(v.args[:], s.Args)
	switch s.Op {
	case expression.Operand:
		v.leaf, v.n = int(s.Args[0]), 0
		if s.Type.Half() {
			v.load = loading(s.Type)
		}
	case expression.Constant:
		v.number, v.n = 0, 0
		for i := range p.values {
			if p.values[i].number >= 0 {
				v.number++
			}
		}
	default:
		of := make([]expression.Type, v.n)
		for i := range of {
			of[i] = p.k.Steps[s.Args[i]].Type
		}
		v.f, err = operation(s.Op, s.Type, of)
	}
	return v, err
}

// share gives each value a slot, which others have before it is computed and after it was last used. Constants keep theirs, and so do operands
// that are mostly the same.
func (p *Program) share() {
	last := make([]int, len(p.values))
	for i := range p.values {
		last[i] = i
		for _, a := range p.values[i].args[:p.values[i].n] {
			last[a] = i
		}
	}
	if n := len(last); n > 0 {
		last[n-1] = n
		for _, o := range p.outputs {
			last[o.value] = n
		}
	}
	var free []int
	take := func(own bool) int {
		if n := len(free); n > 0 && !own {
			s := free[n-1]
			free = free[:n-1]
			return s
		}
		p.slots++
		return p.slots - 1
	}
	for i := range p.values {
		v := &p.values[i]
		v.slot = take(v.number >= 0 || v.same) // constants are stored before the other values are computed
		if v.load != nil {
			v.raw = take(false)
			free = append(free, v.raw)
		}
		for j := range i + 1 {
			if u := &p.values[j]; last[j] == i && u.number < 0 && !u.same {
				free = append(free, u.slot)
			}
		}
	}
}

// arguments are the numbers of a launch.
type arguments struct{ words []int64 }

// next takes a word.
func (a *arguments) next() int {
	v := a.words[0]
	a.words = a.words[1:]
	return int(v)
}

// list takes n words.
func (a *arguments) list(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = a.next()
	}
	return list
}

var errArguments = errors.New("the kernel has other arguments than its description")

// arguments returns those of a launch in the memory that they are in: addresses, of which the first is the destination's, and numbers.
func (p *Program) arguments(data []byte) (pointers []pointer, words []int64, err error) {
	if len(data)%8 != 0 || len(data)/8 < p.pointers+p.words {
		return nil, nil, errArguments
	}
	at := pointer(unsafe.SliceData(data))
	return elements[pointer](at, p.pointers), elements[int64](unsafe.Add(at, 8*p.pointers), len(data)/8-p.pointers), nil
}

// wordCount returns how many words a launch has.
func (p *Program) wordCount() int {
	k, n := p.k, 0
	operands := len(k.Leaves) + 1
	switch k.Form {
	case expression.Map:
		n = 1 + operands + (k.Loops-1)*(1+operands) + operands
		if k.Loops > 1 {
			n += 2
		}
	case expression.Tile:
		n = 4 + operands + k.Loops - 2 + operands*k.Loops
	case expression.Fold:
		n = 4 + len(k.Leaves) + (k.Loops+k.Reduced)*(1+len(k.Leaves))
	case expression.Join:
		n = 5
	}
	for i := range p.values {
		if v := &p.values[i]; v.number >= 0 {
			n++
			if v.t.Complex() {
				n++
			}
		}
	}
	return n
}

// operand is an operand of a launch: memory and its way through the space of a loop.
type operand struct {
	base pointer // of offset 0
	path path
	off  int // of the first element of the space
	size int
}

// worker is the state of a goroutine: memory for the values of a block.
type worker struct {
	p      *Program
	memory []wide
	at     []pointer // of the values of the current block
	out    pointer   // a block for results
	acc    pointer   // accumulators of a block
	leaves []operand // of a folding launch
	// constants are those that the blocks of constants have, filled times each.
	constants []int64
	filled    int
	// fixed tells which values are those of all blocks, and are in kept, or is nil.
	fixed []bool
	kept  []wide
	// direct are the places in memory at which outputs of the current block are computed, or nil.
	direct []pointer
	// same are the elements that the blocks of the operands have which are mostly the same.
	same []element
}

// element is one of 4 or 8 bytes, and how often it is in a block.
type element struct {
	bits  uint64
	times int
}

// worker returns a worker with constants of n elements.
func (p *Program) worker(constants []int64, n int) *worker {
	w, _ := p.workers.Get().(*worker)
	if w == nil {
		w = &worker{p: p, memory: make([]wide, (p.slots+1)*p.slotSize/16+blockSize*maxAccumulator/16), at: make([]pointer, len(p.values)), same: make([]element, len(p.values))}
		w.out = w.slot(p.slots)
		w.acc = unsafe.Add(w.out, p.slotSize)
	}
	w.fixed = nil
	if n = min(n, blockSize); w.filled < n || !slices.Equal(w.constants, constants) { // in a loop they mostly stay the same
		w.fill(constants, n)
	}
	return w
}

// fill makes blocks of n elements of the constants.
func (w *worker) fill(constants []int64, n int) {
	w.constants, w.filled = constants, n
	for i := range w.p.values {
		if v := &w.p.values[i]; v.number >= 0 {
			w.at[i] = w.slot(v.slot)
			constants = constants[fillConstant(w.at[i], v.t, constants, n):]
		}
	}
}

func (w *worker) slot(i int) pointer {
	return unsafe.Add(pointer(unsafe.SliceData(w.memory)), i*w.p.slotSize)
}

// fillConstant stores n copies of the constant that the words begin with and returns how many words it takes.
func fillConstant(to pointer, t expression.Type, words []int64, n int) int {
	switch {
	case t.Complex():
		re, im := math.Float64frombits(uint64(words[0])), math.Float64frombits(uint64(words[1]))
		if t == expression.Complex64 {
			fill(elements[pair[float32]](to, n), pair[float32]{float32(re), float32(im)})
		} else {
			fill(elements[pair[float64]](to, n), pair[float64]{re, im})
		}
		return 2
	case held(t).Size() == 1:
		fill(elements[uint8](to, n), uint8(words[0]))
	case held(t).Size() == 2:
		fill(elements[uint16](to, n), uint16(words[0]))
	case held(t).Size() == 4:
		fill(elements[uint32](to, n), uint32(words[0]))
	default:
		fill(elements[uint64](to, n), uint64(words[0]))
	}
	return 1
}

// compute computes the expression for the n elements from index i on and returns where the values are: at out, unless it is nil.
func (w *worker) compute(leaves []operand, i, n int, out pointer) pointer {
	last := len(w.p.values) - 1
	for k := range w.p.values {
		v := &w.p.values[k]
		switch {
		case v.unused, w.fixed != nil && w.fixed[k]:
		case v.leaf >= 0:
			w.at[k] = w.read(k, &leaves[v.leaf], i, n)
		case v.number < 0:
			to := out
			switch {
			case w.direct != nil && w.direct[k] != nil:
				to = w.direct[k]
			case k != last || out == nil:
				to = w.slot(v.slot)
			}
			v.f(to, w.at[v.args[0]], w.at[v.args[1]], w.at[v.args[2]], n)
			w.at[k] = to
		}
	}
	return w.at[last]
}

// read returns the address of an operand's elements, as value k: in place if they are adjacent, else a copy.
func (w *worker) read(k int, o *operand, i, n int) pointer {
	v := &w.p.values[k]
	if v.load == nil && o.base != nil {
		if at := o.direct(i, n); at != nil {
			return at
		}
	}
	to := w.slot(v.slot)
	if v.same {
		has, want := w.same[k], o.one(i, n)
		if want.times > 0 && has.bits == want.bits && has.times >= n {
			return to
		}
		w.same[k] = want
	}
	w.copy(to, v, o, i, n)
	return to
}

// copy stores an operand's elements.
func (w *worker) copy(to pointer, v *value, o *operand, i, n int) {
	switch {
	case o.base == nil:
		offsets(elements[int64](to, n), o.off, &o.path, i)
	case v.load == nil:
		gatherBytes(o.size, to, o.base, o.off, &o.path, i, n)
	default:
		at := o.direct(i, n)
		if at == nil {
			at = w.slot(v.raw)
			gatherBytes(o.size, at, o.base, o.off, &o.path, i, n)
		}
		v.load(to, at, nil, nil, n)
	}
}

// one returns the element of 4 or 8 bytes that the n elements from index i on all are, or 0 times one if they are not the same.
func (o *operand) one(i, n int) element {
	_, stride := o.path.inner()
	off, left := o.path.at(i)
	if stride != 0 || left < n {
		return element{}
	}
	at := unsafe.Add(o.base, (o.off+off)*o.size)
	if o.size == 4 {
		return element{uint64(*(*uint32)(at)), n}
	}
	return element{*(*uint64)(at), n}
}

// direct returns the address of n elements from index i on if they are adjacent, else nil.
func (o *operand) direct(i, n int) pointer {
	if _, stride := o.path.inner(); stride != 1 && n > 1 {
		return nil
	}
	off, left := o.path.at(i)
	if left < n {
		return nil
	}
	return unsafe.Add(o.base, (o.off+off)*o.size)
}
