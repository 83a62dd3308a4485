package nd

import (
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Array is an array of any number of axes on a device. Its elements are computed when they are needed: arithmetic on arrays builds an
// expression, which is compiled to one kernel. Slices, transposed arrays and other views share the memory of their array. Methods are
// safe for concurrent use as long as no memory is written that others read.
type Array[T Elem] struct{ handle }

// handle is the memory of a node, without its type: each cell that mentions an Array compiles what its fields and methods lead to, and
// the fields and methods of a node lead everywhere. It has the methods that need no T, which cells compile to a jump each.
type handle struct {
	pointers [nodePointers]unsafe.Pointer
	numbers  [nodeNumbers]uint64
}

const (
	nodePointers = unsafe.Offsetof(node{}.num) / unsafe.Sizeof(unsafe.Pointer(nil))
	nodeNumbers  = (unsafe.Sizeof(node{}) - unsafe.Offsetof(node{}.num)) / unsafe.Sizeof(uint64(0))
)

// Operand is an array of any dtype.
type Operand interface{ core() *handle }

// node is an array of any dtype: memory that has been computed, or an expression. All pointers come first, as in a handle.
type node struct {
	eng  *engine
	lay  *layout
	mem  *memory
	args [3]*node
	// vers are the contents of arguments that had memory when the expression was made.
	vers [3]*version
	past *history
	// shards, unless nil, are the parts of an array of several devices.
	shards *shards
	late   *late // of a reduction, a scan or a product that is computed later

	num  number // of a constant
	off  int    // of the first element, if there is memory
	cost int32  // operations of the expression, counted without regard to sharing
	refs int32  // expressions that have it as an argument and were made before it had memory
	// mark and slot belong to the plan that is being made.
	mark     uint64
	slot     uint8
	dt       DType
	op       op
	fused    uint8 // evaluations in which it was an intermediate result
	scans    bool  // it is a scan that was put off, or was made of one
	products bool  // the same of a product
}

// number is the value of a constant: the bits of an integer or float64, and those of the imaginary part.
type number [2]uint64

// memory is shared by an array and its views.
type memory struct {
	now   *version
	first version
	fixed atomic.Bool // cannot be written: it belongs to an array of several devices
	// open means that others may have the buffer, and write to it at any time.
	open bool
}

// version is the contents of memory between two writes. Expressions keep the versions that they were made with, so a write to memory that
// an expression still needs goes to a copy.
type version struct {
	buf     *buffer
	readers int32 // expressions that are not computed yet
	shared  bool  // others have it, too: other memory, or work that is submitted without the lock
	extents *extents
}

func (a *Array[T]) core() *handle { return (*handle)(unsafe.Pointer(a)) }

// nodeOf returns the node that an array is. nodeIn does so for an array of any dtype.
func nodeOf[T Elem](a *Array[T]) *node { return (*node)(unsafe.Pointer(a)) }

func nodeIn(o Operand) *node { return nodeAt(o.core()) }

func nodeAt(h *handle) *node { return (*node)(unsafe.Pointer(h)) }

// as returns the node as an array; both have the same representation. Cells compile all methods of the arrays that they mention, for each
// dtype, so those methods only call the node's.
func as[T Elem](n *node) *Array[T] { return (*Array[T])(unsafe.Pointer(n)) }

// lazy reports whether the array is an expression that has not been computed. The engine's lock is held.
func (n *node) lazy() bool { return n.op > opConst }

// check panics if the array is nil.
func (n *node) check(op string) *node {
	if n == nil || n.lay == nil {
		fail(op, "the array is nil: make it first, e.g. with nd.Zeros or nd.FromSlice")
	}
	return n
}

// leaf makes n an array with new memory, whose contents are undefined.
func (n *node) leaf(e *engine, dt DType, lay *layout) {
	m := &memory{} // apart from the node: a view of it must not keep the node, which may have a history
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
	v := new(node)
	if n.lateView(v, lay, off) {
		return v
	}
	n.computed()
	v.view(n, lay, n.off+off)
	return v
}

// viewAs is viewWith for a layout of that shape and with those strides, which it does not keep.
func (n *node) viewAs(shape, strides []int, off int) *node {
	if n.eng == nil {
		return n.viewWith(strided(slices.Clone(shape), slices.Clone(strides)), off)
	}
	return n.viewWith(n.eng.layouts.strided(shape, strides), off)
}

// newArray returns an array with memory whose contents are undefined.
func newArray[T Elem](e *engine, lay *layout) *Array[T] {
	return as[T](newNode(e, DTypeOf[T](), lay))
}

func newNode(e *engine, dt DType, lay *layout) *node {
	n := new(node)
	n.leaf(e, dt, lay)
	return n
}

// ready computes the array if it has not been computed, for a function that has no derivative.
func (n *node) ready() *node {
	n.withoutGradient()
	return n.computed()
}

// computed computes the array if it has not been computed.
func (n *node) computed() *node {
	e := n.eng
	if e == nil {
		return n.materialize()
	}
	if n.shards != nil {
		n.collect()
		return n
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
	c := &node{dt: n.dt, op: opConst, lay: n.lay, num: n.num}
	out := &node{dt: n.dt, op: opCopy, eng: e, lay: n.lay, cost: 1, args: [3]*node{c}}
	e.evaluate(out)
	n.eng, n.mem, n.op = e, out.mem, opLeaf
	return n
}

// Eval computes the array now, if it has not been computed, and returns it. It does not wait for the device.
//
//go:noinline
func (a *Array[T]) Eval() *Array[T] { return (*Array[T])(evalOf(ref(a))) }

// evaluated computes the array, or its parts, and returns it.
func (n *node) evaluated() *node {
	for _, p := range n.check("Eval").pieces() {
		p.computed()
	}
	return n
}

// packed returns the array if it is contiguous, else a contiguous copy of it, for kernels without support for strides.
func packed[T Elem](a *Array[T]) *Array[T] { return as[T](nodeOf(a).packed()) }

func (n *node) packed() *node {
	n.ready()
	if n.lay.contig {
		return n
	}
	return n.copied()
}

// buffer returns the memory from the array's first element on, for work that is submitted without the engine's lock, which must not be held.
// The array is contiguous and computed.
func (n *node) buffer() *buffer { return n.from(n.lent()) }

// lent returns all of the array's memory for work that is submitted without the lock: another goroutine may write another part of the array
// meanwhile, which must not free it.
func (n *node) lent() *buffer {
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	n.mem.now.shared = true
	return n.mem.now.buf
}

// span is buffer for a caller that has the lock, or an array that nobody else has.
func (n *node) span() *buffer { return n.from(n.mem.now.buf) }

// from returns the part of all of the array's memory from its first element on.
func (n *node) from(b *buffer) *buffer {
	n.withoutGradient()
	size := n.dt.Size()
	if n.off == 0 && b.Len() == n.lay.size*size {
		return b
	}
	return b.Slice(n.off*size, (n.off+n.lay.size)*size)
}

// These methods are not inlined into the methods that Go makes of them for each Array, which are then a jump.

// Shape returns the length of each axis.
//
//go:noinline
func (h *handle) Shape() []int { return nodeAt(h).Shape() }

// Len returns the length of the first axis.
//
//go:noinline
func (h *handle) Len() int { return nodeAt(h).Len() }

// NDim returns the number of axes.
//
//go:noinline
func (h *handle) NDim() int { return nodeAt(h).NDim() }

// Size returns the number of elements.
//
//go:noinline
func (h *handle) Size() int { return nodeAt(h).Size() }

// Bytes returns the size of all elements in bytes.
//
//go:noinline
func (h *handle) Bytes() int { return nodeAt(h).Bytes() }

// Strides returns the distance between adjacent elements along each axis, in elements.
//
//go:noinline
func (h *handle) Strides() []int { return nodeAt(h).Strides() }

// DType returns the type of the elements.
//
//go:noinline
func (h *handle) DType() DType { return nodeAt(h).DType() }

// Device returns the device that has the array.
//
//go:noinline
func (h *handle) Device() *gpu.Device { return nodeAt(h).Device() }

// Contiguous reports whether the elements are in row-major order without gaps.
//
//go:noinline
func (h *handle) Contiguous() bool { return nodeAt(h).Contiguous() }

// Evaluated reports whether the array has been computed. Arrays that were made neither by arithmetic nor by Take, TakeAlong or Gather always
// are. Of reductions, scans, products of matrices and views it says so, too, while they wait to be computed together with what is made of them.
//
//go:noinline
func (h *handle) Evaluated() bool { return nodeAt(h).Evaluated() }

// Free frees the array's memory at once; otherwise that happens some time after the array becomes unreachable. Using the array or a view
// of it afterwards is an error.
//
//go:noinline
func (h *handle) Free() error { return nodeAt(h).Free() }

func (n *node) Shape() []int { return append([]int(nil), n.check("Shape").lay.shape...) }

func (n *node) Len() int {
	if n.check("Len").lay.rank() == 0 {
		fail("Len", "an array without axes has no length")
	}
	return n.lay.shape[0]
}

func (n *node) NDim() int { return n.check("NDim").lay.rank() }

func (n *node) Size() int { return n.check("Size").lay.size }

func (n *node) Bytes() int { return n.Size() * n.dt.Size() }

func (n *node) Strides() []int {
	return append([]int(nil), n.check("Strides").lay.strides...)
}

func (n *node) DType() DType { return n.check("DType").dt }

func (n *node) Device() *gpu.Device {
	if n.check("Device").eng == nil {
		return current("Device").dev
	}
	return n.eng.dev
}

func (n *node) Contiguous() bool { return n.check("Contiguous").lay.contig }

func (n *node) Evaluated() bool {
	e := n.check("Evaluated").eng
	if e == nil {
		return true
	}
	if n.shards != nil {
		return !slices.ContainsFunc(n.shards.parts, func(p *node) bool { return !p.Evaluated() })
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return !n.lazy() || n.result() != nil || n.late != nil
}

func (n *node) Free() error {
	e := n.check("Free").eng
	if e == nil {
		return nil
	}
	if n.shards != nil {
		return n.freeParts()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if n.result() != nil || n.late != nil || n.op == opGather { // on other devices these have memory
		e.evaluate(n)
	}
	if n.lazy() {
		return &Error{"Free", "the array has no memory yet: it is an expression"}
	}
	e.flush()
	e.storeUsed(n.mem.now.buf)
	e.freed(n.mem.now.buf)
	return n.mem.now.buf.Free()
}

// ToHost waits for the array and returns its elements in row-major order.
//
//go:noinline
func (a *Array[T]) ToHost() []T {
	host := make([]T, sizeOf(ref(a)))
	copyTo(ref(a), ref(unsafe.SliceData(host)), len(host))
	return host
}

// CopyTo waits for the array and copies its elements, in row-major order, to host, which must have the same length.
//
//go:noinline
func (a *Array[T]) CopyTo(host []T) { copyTo(ref(a), ref(unsafe.SliceData(host)), len(host)) }

// copyTo copies the elements to host, which has room for count of them.
func (n *node) copyTo(count int, host []byte) {
	if size := n.check("CopyTo").lay.size; count != size {
		fail("CopyTo", "the slice has %d elements, the array %d", count, size)
	}
	if count == 0 {
		return
	}
	if n.shards != nil && n.shards.copyParts(host) {
		return
	}
	p := n.plain().packed()
	if err := p.buffer().CopyTo(host); err != nil {
		panic(err)
	}
	runtime.KeepAlive(p)
}

// Item waits for the array, which must have exactly one element, and returns that element.
//
//go:noinline
func (a *Array[T]) Item() T {
	var v T
	itemTo(ref(a), ref(&v))
	return v
}

func (n *node) checkSingle() {
	if size := n.check("Item").lay.size; size != 1 {
		fail("Item", "the array of shape %s has %d elements, not one", shapeString(n.lay.shape), size)
	}
}

// BufferOf computes the array and returns its memory, for kernels. The array must be contiguous (use Copy if it is not). Writing to the
// buffer changes the array, its views, and everything computed from them later; expressions that were made from the array before keep the
// old values. For an array that is split over devices, or a view of one, it panics with an *Error; Packed is for kernels that only read.
func BufferOf[T Elem](a *Array[T]) *gpu.Buffer[T] {
	return gpu.Reinterpret[T](bufferOf(nodeOf(a).written()))
}

// written returns the array's memory, from its first element on, after making sure that no expression needs its present contents.
func (n *node) written() *buffer {
	n.check("BufferOf").mustBeWritable("BufferOf")
	if !n.lay.contig {
		fail("BufferOf", "the array of shape %s and strides %v is no contiguous memory: call Copy first", shapeString(n.lay.shape), n.lay.strides)
	}
	n.eng.mu.Lock()
	defer n.eng.mu.Unlock()
	n.eng.own(n.mem)
	n.mem.open = true
	return n.span()
}

// To returns the array on another device, or the array itself if it is there already. Of an array that is split over devices, or a view of
// one, it returns a copy on that device.
//
//go:noinline
func (a *Array[T]) To(d *gpu.Device) *Array[T] { return (*Array[T])(onDevice(ref(a), d)) }

func (n *node) on(d *gpu.Device) *node {
	p := n.packed()
	if p.eng.dev == d {
		if !n.writable() {
			return n.whole().copied()
		}
		return n
	}
	if err := Try(func() { _ = d.Properties() }); err != nil {
		panic(err)
	}
	out := newNode(engineOf(d), n.dt, contiguous("To", n.Shape()))
	if n.lay.size > 0 {
		if err := gpu.Copy(bufferOf(out.buffer()), bufferOf(p.buffer())); err != nil {
			panic(err)
		}
	}
	return out
}
