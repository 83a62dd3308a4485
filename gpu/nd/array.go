package nd

import (
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Array is an array of any number of axes on a device. It is a value that is computed when it is
// needed: arithmetic on arrays builds an expression, which becomes one kernel. Slices and the like
// are views that share the memory of what they are taken from. Methods are safe for concurrent use
// as long as no memory is written that others read.
type Array[T Elem] struct{ fields }

// Operand is an array of any type of elements.
type Operand interface{ core() *node }

// node is an array whatever its elements are: memory that is there, or an expression.
type node struct{ fields }

// fields are what a node and an Array are made of. They have no methods but those that users call: an
// Array would have them, too, and each cell that mentions one compiles all that it has.
type fields struct {
	dt    DType
	op    op
	fused uint8 // evaluations that computed it on the way to something else
	cost  int32 // operations of the expression, counted without regard to sharing
	refs  int32 // expressions that need it and were made before it had memory
	eng   *engine
	lay   *layout
	off   int // of the first element, if there is memory
	mem   *memory
	args  [3]*node
	// vers are the contents of arguments that had memory when the expression was made.
	vers [3]*version
	num  number // of a constant
	// mark and slot belong to the plan that is being made.
	mark uint64
	slot uint8
}

// number is the value of a constant: an integer's or float64's bits, and those of an imaginary part.
type number [2]uint64

// memory is what an array and its views share.
type memory struct {
	now   *version
	first version
}

// version is what memory held from one write to the next. Expressions keep the versions that they
// were made with, so a write to memory that an expression still needs goes to a copy.
type version struct {
	buf     *gpu.Buffer[byte]
	readers int32 // expressions that are not computed yet
}

func (a *Array[T]) core() *node { return (*node)(unsafe.Pointer(a)) }

// node is the node that the fields are all of.
func nodeOf(f *fields) *node { return (*node)(unsafe.Pointer(f)) }

// as is the node as an array, which is nothing but a node. Cells compile all methods of the arrays that they
// mention, for each type of elements, so these do no more than call a node's.
func as[T Elem](n *node) *Array[T] { return (*Array[T])(unsafe.Pointer(n)) }

// check is the array's node; it panics if there is no array.
func (a *Array[T]) check(op string) *node { return a.core().check(op) }

// lazy says whether the array is an expression that nobody has computed. The engine's lock is held.
func (n *node) lazy() bool { return n.op > opConst }

// check panics if there is no array.
func (n *node) check(op string) *node {
	if n == nil || n.lay == nil {
		fail(op, "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	return n
}

// leaf makes n an array with memory of its own, whose contents are not set.
func (n *node) leaf(e *engine, dt DType, lay *layout) {
	m := &memory{}
	m.first.buf = e.alloc(lay.size * dt.Size())
	m.now = &m.first
	n.eng, n.dt, n.lay, n.op, n.mem = e, dt, lay, opLeaf, m
}

// view makes n a view of the memory of another array, which has been computed.
func (n *node) view(of *node, lay *layout, off int) {
	n.eng, n.dt, n.lay, n.op, n.mem, n.off = of.eng, of.dt, lay, opLeaf, of.mem, off
}

// viewOf computes an array and returns a view of it with another layout.
func viewOf[T Elem](of *node, lay *layout, off int) *Array[T] { return as[T](of.viewWith(lay, off)) }

func (n *node) viewWith(lay *layout, off int) *node {
	n.ready()
	v := new(node)
	v.view(n, lay, n.off+off)
	return v
}

// newArray is an array with memory whose contents are not set.
func newArray[T Elem](e *engine, lay *layout) *Array[T] {
	return as[T](newNode(e, DTypeOf[T](), lay))
}

func newNode(e *engine, dt DType, lay *layout) *node {
	n := new(node)
	n.leaf(e, dt, lay)
	return n
}

// ready computes the array if that has not happened.
func (n *node) ready() *node {
	e := n.eng
	if e == nil {
		return n.materialize()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.evaluate(n)
	return n
}

// materialize gives a constant, which belongs to no device, memory on the current one.
func (n *node) materialize() *node {
	e := current("Eval")
	e.mu.Lock()
	defer e.mu.Unlock()
	c := &node{fields{dt: n.dt, op: opConst, lay: n.lay, num: n.num}}
	out := &node{fields{dt: n.dt, op: opCopy, eng: e, lay: n.lay, cost: 1, args: [3]*node{c}}}
	e.evaluate(out)
	n.eng, n.mem, n.op = e, out.mem, opLeaf
	return n
}

// Eval computes the array now, if that has not happened, and returns it. It does not wait for the
// device.
func (a *Array[T]) Eval() *Array[T] {
	return as[T](a.core().check("Eval").ready())
}

// packed is the array if it is dense in memory, else a dense copy of it. It is what kernels get
// that know nothing of strides.
func packed[T Elem](a *Array[T]) *Array[T] { return as[T](a.core().packed()) }

func (n *node) packed() *node {
	n.ready()
	if n.lay.contig {
		return n
	}
	return n.copied()
}

// buffer is the memory from the array's first element on. The array is dense and computed.
func (n *node) buffer() *gpu.Buffer[byte] {
	b := n.mem.now.buf
	size := n.dt.Size()
	if n.off == 0 && b.Len() == n.lay.size*size {
		return b
	}
	return b.Slice(n.off*size, (n.off+n.lay.size)*size)
}

// Shape is the length of each axis.
func (f *fields) Shape() []int { return append([]int(nil), nodeOf(f).check("Shape").lay.shape...) }

// Len is the length of the first axis.
func (f *fields) Len() int {
	n := nodeOf(f)
	if n.check("Len").lay.rank() == 0 {
		fail("Len", "an array without axes has no length")
	}
	return n.lay.shape[0]
}

// NDim is the number of axes.
func (f *fields) NDim() int { return nodeOf(f).check("NDim").lay.rank() }

// Size is the number of elements.
func (f *fields) Size() int { return nodeOf(f).check("Size").lay.size }

// Bytes is the size of the elements together.
func (f *fields) Bytes() int { return nodeOf(f).Size() * nodeOf(f).dt.Size() }

// Strides are the distances between neighbours along each axis, in elements.
func (f *fields) Strides() []int {
	return append([]int(nil), nodeOf(f).check("Strides").lay.strides...)
}

// DType is the type of the elements.
func (f *fields) DType() DType { return nodeOf(f).check("DType").dt }

// Device is where the array is.
func (f *fields) Device() *gpu.Device {
	n := nodeOf(f)
	if n.check("Device").eng == nil {
		return current("Device").dev
	}
	return n.eng.dev
}

// Contiguous says whether the elements lie in the order of C without gaps.
func (f *fields) Contiguous() bool { return nodeOf(f).check("Contiguous").lay.contig }

// Evaluated says whether the array has been computed. Arrays that were not made by arithmetic always are.
func (f *fields) Evaluated() bool {
	n := nodeOf(f)
	e := n.check("Evaluated").eng
	if e == nil {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return !n.lazy()
}

// Free gives the array's memory back at once; else that happens some time after nobody can reach
// it. Using the array or a view of it afterwards is an error.
func (f *fields) Free() error {
	n := nodeOf(f)
	e := n.check("Free").eng
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if n.lazy() {
		return &Error{"Free", "the array has no memory yet: it is an expression"}
	}
	return n.mem.now.buf.Free()
}

// ToHost waits for the array and returns its elements in the order of C.
func (a *Array[T]) ToHost() []T {
	host := make([]T, a.core().Size())
	a.CopyTo(host)
	return host
}

// CopyTo waits for the array and copies its elements, in the order of C, to host, which must be as
// long.
func (a *Array[T]) CopyTo(host []T) { a.core().copyTo(len(host), bytesOf(host)) }

// copyTo copies the elements to memory for that many.
func (n *node) copyTo(count int, host []byte) {
	if size := n.check("CopyTo").lay.size; count != size {
		fail("CopyTo", "the slice has %d elements, the array %d", count, size)
	}
	if count == 0 {
		return
	}
	p := n.packed()
	if err := p.buffer().CopyTo(host); err != nil {
		panic(err)
	}
	runtime.KeepAlive(p)
}

// Item waits for the array, which must have one element, and returns that.
func (a *Array[T]) Item() T {
	a.core().checkSingle()
	var v [1]T
	a.CopyTo(v[:])
	return v[0]
}

func (n *node) checkSingle() {
	if size := n.check("Item").lay.size; size != 1 {
		fail("Item", "the array of shape %s has %d elements, not one", shapeString(n.lay.shape), size)
	}
}

// BufferOf computes the array and returns its memory, for kernels. The array must be contiguous (Copy
// makes it so). What is written to the buffer changes the array, its views, and what is computed
// from it later; expressions that were made from it before keep the old values.
func BufferOf[T Elem](a *Array[T]) *gpu.Buffer[T] { return gpu.Reinterpret[T](a.core().writable()) }

// writable is the array's memory, from its first element on, which no expression needs any more as it is.
func (n *node) writable() *gpu.Buffer[byte] {
	n.check("BufferOf").ready()
	if !n.lay.contig {
		fail("BufferOf", "the array of shape %s and strides %v is no contiguous memory: call Copy first", shapeString(n.lay.shape), n.lay.strides)
	}
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	n.eng.own(n.mem)
	return n.buffer()
}

// To is the array on another device, or the array itself if it is there.
func (a *Array[T]) To(d *gpu.Device) *Array[T] { return as[T](a.core().on(d)) }

func (n *node) on(d *gpu.Device) *node {
	p := n.packed()
	if p.eng.dev == d {
		return n
	}
	if err := Try(func() { _ = d.Properties() }); err != nil {
		panic(err)
	}
	out := newNode(engineOf(d), n.dt, contiguous("To", n.Shape()))
	if n.lay.size > 0 {
		if err := gpu.Copy(out.buffer(), p.buffer()); err != nil {
			panic(err)
		}
	}
	return out
}
