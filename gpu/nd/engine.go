package nd

import (
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// engine computes expressions on one device and keeps the kernels that it has made for it.
type engine struct {
	dev *gpu.Device

	mu       sync.Mutex
	programs map[string]*program
	plan     plan
	stats    Counts
	// operands is reused for those of a call of a library.
	operands []routine.Operand
	// simulated is 1 if the device is simulated, -1 if it is not, and 0 until somebody asks: the properties are many words.
	simulated atomic.Int32
	// key and words are buffers for those of a request.
	key   []byte
	words words
	// buffers is reused for those of a launch.
	buffers []*buffer
	// pending are reductions, scans and products that are computed later, the oldest first, and waiting is whether there are any. late counts the
	// reductions that have not been computed.
	pending []*node
	waiting atomic.Bool
	late    int
	// finished counts the expressions that have been computed.
	finished int
	used     used
	// worthCollecting is how many bytes arrays have at least of which the garbage collector is asked whether the program has them.
	worthCollecting int
	// mostHeld is how many bytes the operands of those that wait may have together.
	mostHeld int
	// sampled is how many bytes a row has at least of which a selection takes a sample.
	sampled int
	// columnsGain decides whether threads of a kernel for stencils compute several columns.
	columnsGain float64
	// rehearsal, unless nil, takes the sources of kernels, by their keys, instead of launches.
	rehearsal map[string]source
	// tape, unless nil, is what notes the work of a step that shall be repeated.
	tape    pointer.Atomic // *tape
	layouts layouts
	// meshes are those whose first device is this one.
	meshes []*mesh
	// alike, unless nil, is the one of all devices like this one.
	alike *mesh
}

// engines has the engine of each device that arrays were made on. Like the devices in package gpu it belongs to the process.
var engines sync.Map

func engineOf(d *gpu.Device) *engine {
	if e, ok := engines.Load(d); ok {
		return e.(*engine)
	}
	v, known := engines.LoadOrStore(d, &engine{
		dev: d, programs: map[string]*program{}, worthCollecting: worthCollecting, mostHeld: int(d.Properties().TotalMemory / partHeld), sampled: selectSampled, columnsGain: columnsGain,
	})
	e := v.(*engine)
	if !known {
		hook.Late(d, e.flushWaiting)
	}
	return e
}

// current returns the engine of the current device.
func current(op string) *engine {
	d, err := gpu.Current()
	if err != nil {
		panic(err)
	}
	return engineOf(d)
}

// Counts is the work of arrays since the process began or ResetStats was called.
type Counts struct {
	Launches     int   // of kernels, and calls of libraries
	Compilations int   // of kernels that the process had not compiled before
	Bytes        int64 // read and written by those launches, each operand counted once
	Kernels      int   // compiled so far
}

// Stats returns the counts of the current device.
func Stats() Counts {
	e := current("Stats")
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	s := e.stats
	s.Kernels = len(e.programs)
	return s
}

// ResetStats sets the counts of the current device to zero. Compiled kernels are kept.
func ResetStats() {
	e := current("ResetStats")
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	e.stats = Counts{}
}

// alloc returns memory on the engine's device. It panics with an *Error of package gpu if there is none.
func (e *engine) alloc(bytes int) *buffer {
	if t := pointer.Load[tape](&e.tape); t != nil {
		return t.alloc(e.dev, bytes)
	}
	return allocOn(e.dev, bytes)
}

func allocOn(d *gpu.Device, bytes int) *buffer { return asBuffer(gpu.Alloc[byte](max(bytes, 1), d)) }

// scratch is memory for kernels that are submitted before it is freed: later uses of the same memory come after them.
type scratch struct {
	e    *engine
	list []*buffer
}

func (s *scratch) alloc(bytes int) *buffer {
	b := s.e.alloc(bytes)
	s.list = append(s.list, b)
	return b
}

func (s *scratch) free() {
	for _, b := range s.list {
		s.e.freed(b)
		_ = b.Free() // the memory of a failed device cannot be freed
	}
}

// own makes sure that no expression needs the present contents of the memory, so that it can be written: expressions that do keep it, and
// the memory becomes a copy. The lock is held.
func (e *engine) own(m *memory) {
	e.flush()
	e.touch(m)
	old := m.now
	old.extents = nil
	if old.readers == 0 {
		return
	}
	fresh := &version{buf: e.alloc(old.buf.Len())}
	if err := gpu.Copy(bufferOf(fresh.buf), bufferOf(old.buf)); err != nil {
		panic(err)
	}
	m.now = fresh
}

// leave frees the memory of contents that have been overwritten, unless something needs them. A loop that writes an array from a view of itself
// would else use new memory in each step until Go's garbage collector runs, instead of two parts in turn, which the processor's caches may have.
// What is assigned as an expression has the contents that it was made from, since the program may ask for its value later. The lock is held.
func (e *engine) leave(m *memory, old *version) {
	if old == m.now || old.readers > 0 || old.shared || m.open || pointer.Load[tape](&e.tape) != nil {
		return
	}
	_ = old.buf.Free() // the memory of a failed device cannot be freed
	old.buf = nil
}

// maxCost is the number of operations at which an expression is computed without a request: longer ones make kernels that take long to
// compile and run out of registers.
const maxCost = 64

// init makes n the expression op of up to three arguments.
func (n *node) init(name string, op op, dt DType, e *engine, lay *layout, a, b, c *node) {
	if p := placingOf(lay.shape, a, b, c); p != nil {
		n.initParts(p, name, op, dt, a, b, c)
		return
	}
	n.dt, n.op, n.eng, n.lay = dt, op, e, lay
	n.args = [3]*node{a, b, c}
	for i, a := range n.args {
		if a != nil && a.shards != nil {
			n.args[i] = a.whole()
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	n.cost = 1
	for {
		var largest *node
		sum := int32(1)
		for _, a := range n.args {
			if a != nil && a.lazy() {
				sum += a.cost
				if largest == nil || a.cost > largest.cost {
					largest = a
				}
			}
		}
		n.cost = sum
		if sum <= maxCost || largest == nil {
			break
		}
		e.evaluate(largest)
	}
	n.hold()
}

// hold notes that n needs the contents that its arguments have now. The lock is held.
func (n *node) hold() {
	for i, a := range n.args {
		switch {
		case a == nil || a.op == opConst:
		case a.op == opLeaf:
			n.vers[i] = a.mem.now
			a.mem.now.readers++
		default:
			a.refs++
			n.scans, n.products = n.scans || a.scans, n.products || a.products
		}
	}
}

// forget releases the arguments of an expression that has been computed. The lock is held.
func (n *node) forget() {
	for i, a := range n.args {
		switch {
		case a == nil || a.op == opConst:
		case n.vers[i] != nil:
			n.vers[i].readers--
		case a.op == opLeaf: // it was computed meanwhile
			a.mem.first.release(a.mem)
		default:
			a.refs--
		}
	}
	n.args, n.vers = [3]*node{}, [3]*version{}
}

// release removes a reader from v and drops v if it was the last one and the contents have been overwritten.
func (v *version) release(m *memory) {
	v.readers--
	if v.readers == 0 && m.now != v {
		v.buf = nil
	}
}

// content returns the version of argument i that the expression was made with. The lock is held.
func (n *node) content(i int) *version {
	if v := n.vers[i]; v != nil {
		return v
	}
	return &n.args[i].mem.first
}

// common returns the engine of the operands.
func common(op string, a, b, c *node) *engine {
	var e *engine
	for _, n := range [...]*node{a, b, c} {
		switch {
		case n == nil || n.eng == nil:
		case e == nil:
			e = n.eng
		case e != n.eng:
			fail(op, "one operand is on %s, another on %s: bring them together with To", e.dev.Name(), n.eng.dev.Name())
		}
	}
	if e == nil {
		return current(op)
	}
	return e
}

// unary returns op of one operand.
func unary[T Elem](name string, op op, a *node) *Array[T] {
	return as[T](a.unary(name, op, DTypeOf[T]()))
}

func (n *node) unary(name string, op op, dt DType) *node {
	n.check(name)
	e, out := common(name, n, nil, nil), new(node)
	out.init(name, op, dt, e, e.dense(name, n.lay), n, nil, nil)
	return out.trace(name, op, n, nil, nil)
}

// dense returns the layout of a new array of the same shape.
func (e *engine) dense(op string, l *layout) *layout {
	if l.contig && l.dense() {
		return l
	}
	return e.layouts.contiguous(op, l.shape)
}

// binary returns op of two operands, which may have other dtypes than the result.
func binary[T Elem](name string, op op, dt DType, a, b *node) *Array[T] {
	return as[T](a.binary(name, op, dt, b))
}

func (n *node) binary(name string, op op, dt DType, b *node) *node {
	n.check(name)
	b.check(name)
	e, out := common(name, n, b, nil), new(node)
	out.init(name, op, dt, e, e.dense(name, e.layouts.broadcast(name, n.lay, b.lay)), n, b, nil)
	return out.trace(name, op, n, b, nil)
}

// ternary returns op of three operands.
func ternary[T Elem](name string, op op, dt DType, a, b, c *node) *Array[T] {
	return as[T](a.ternary(name, op, dt, b, c))
}

func (n *node) ternary(name string, op op, dt DType, b, c *node) *node {
	n.check(name)
	b.check(name)
	c.check(name)
	e, out := common(name, n, b, c), new(node)
	lay := e.dense(name, e.layouts.broadcast(name, e.layouts.broadcast(name, n.lay, b.lay), c.lay))
	out.init(name, op, dt, e, lay, n, b, c)
	return out.trace(name, op, n, b, c)
}

// cast returns the array converted to another dtype.
func (n *node) cast(name string, dt DType) *node {
	if n.dt == dt {
		return n
	}
	return n.unary(name, opCast, dt)
}
