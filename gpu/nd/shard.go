package nd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Shard returns the array split along an axis over devices: each has about the same number of indices of the axis, the first ones one more
// if the length is no multiple of them. Without devices it takes all that are of the same kind as the array's, which becomes the first of
// them. The parts are copies, unless the array is split over these devices already.
//
//	x := nd.Shard(points, 0)                     // its rows over all GPUs
//	mean := nd.Mean(x, 0)                        // sums on each, which NCCL adds
//	y := x.Sub(mean).Square().Sum(1)             // as split as x
//	fmt.Println(y.Slice(nd.To(3)))
//
// The program is the same as for an array of one device. These work on all devices at once, and give arrays that are split alike:
// element-wise operations, reductions, MatMul, Transpose, Reshape and other views that keep the axis, Cumsum, Sort, SortBy and Fourier
// transforms along other axes, and gradients. Reductions and products over the split axis, and Bincount, are combined by NCCL, which must
// be installed, and are then whole on each device. A Fourier transform along the split axis moves the array to
// another split and back, if it has another axis. Other operands must be on the first device, and what the other devices need of them is
// copied there for each operation; Replicate does so once.
//
// Everything else collects the array on the first device, which needs memory for all of it; so do reductions of an axis that is shorter
// than the list of devices. Split arrays, and views of them, cannot be written; a copy that To makes on one device can. Shard and Replicate
// themselves have no gradient: call them before Grad.
func Shard[T Elem](a *Array[T], axis int, devices ...*gpu.Device) *Array[T] {
	const op = "Shard"
	n := nodeOf(a).check(op)
	axis = axisOf(op, axis, n.lay.rank())
	return as[T](n.shard(meshOf(op, n, devices), axis))
}

// Replicate returns the array copied to each of the devices, which are as for Shard. To use it with arrays that are split over them takes no
// further copy. What is computed from such arrays alone is computed on each device.
func Replicate[T Elem](a *Array[T], devices ...*gpu.Device) *Array[T] {
	const op = "Replicate"
	n := nodeOf(a).check(op)
	return as[T](n.shard(meshOf(op, n, devices), everywhere))
}

// Sharding returns the axis along which the array is split, and the devices that have the parts. The axis is -1 if each of the devices has
// the whole array.
func Sharding(o Operand) (axis int, devices []*gpu.Device) {
	n := nodeIn(o).check("Sharding")
	if n.shards == nil {
		return everywhere, []*gpu.Device{n.Device()}
	}
	return n.shards.axis, n.shards.mesh.devices()
}

// Parts returns the arrays that a split array consists of, one for each device: views that cannot be written. Packed returns the memory of
// such a part, for kernels of its device that read it. Of an array of one device Parts returns the array itself.
func Parts[T Elem](a *Array[T]) []*Array[T] {
	n := nodeOf(a).check("Parts")
	if n.shards == nil {
		return []*Array[T]{a}
	}
	n.withoutGradient()
	var list []*Array[T]
	for _, p := range n.shards.parts {
		p.computed().mem.fixed.Store(true)
		list = append(list, as[T](p.viewWith(p.lay, 0)))
	}
	return list
}

// mesh is a list of devices over which arrays are split.
type mesh struct {
	engines []*engine

	mu   sync.Mutex
	comm *gpu.Communicator // nil until it is needed
}

// meshOf returns the mesh of devices, by default of those like n's, beginning with n's.
func meshOf(op string, n *node, devices []*gpu.Device) *mesh {
	if len(devices) > 0 {
		return meshOn(op, devices)
	}
	if n.shards != nil {
		return n.shards.mesh
	}
	d := n.Device()
	e := engineOf(d)
	e.mu.Lock()
	m := e.alike
	e.mu.Unlock()
	if m != nil {
		return m
	}
	list, err := d.Alike()
	if err != nil {
		panic(err)
	}
	i := max(slices.Index(list, d), 0)
	m = meshOn(op, slices.Concat(list[i:], list[:i]))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.alike = m
	return m
}

func meshOn(op string, devices []*gpu.Device) *mesh {
	engines := make([]*engine, len(devices))
	for i, d := range devices {
		if d == nil {
			fail(op, "device %d is nil", i)
		}
		if slices.Contains(devices[:i], d) {
			fail(op, "%s is there twice: name each device once; the simulator sim:x4 has four", d.Name())
		}
		engines[i] = engineOf(d)
	}
	// The first engine has the meshes that begin with it.
	first := engines[0]
	first.mu.Lock()
	defer first.mu.Unlock()
	for _, m := range first.meshes {
		if slices.Equal(m.engines, engines) {
			return m
		}
	}
	m := &mesh{engines: engines}
	first.meshes = append(first.meshes, m)
	return m
}

func (m *mesh) devices() []*gpu.Device {
	list := make([]*gpu.Device, len(m.engines))
	for i, e := range m.engines {
		list[i] = e.dev
	}
	return list
}

// names returns the devices' names for messages.
func (m *mesh) names() string {
	var list []string
	for _, e := range m.engines {
		list = append(list, e.dev.Name())
	}
	return strings.Join(list, ", ")
}

// communicator returns the devices' communicator, and makes it if needed.
func (m *mesh) communicator() *gpu.Communicator {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.comm == nil {
		c, err := gpu.NewCommunicator(m.devices()...)
		if err != nil {
			panic(err)
		}
		m.comm = c
	}
	return m.comm
}

// bounds returns where the part of each device begins in an axis of that length, and at the end the length.
func (m *mesh) bounds(length int) []int {
	count := len(m.engines)
	list := make([]int, count+1)
	for i := range list {
		list[i] = i*(length/count) + min(i, length%count)
	}
	return list
}

// everywhere is the axis of an array that each device has all of.
const everywhere = -1

// shards is how an array is spread over devices. It never changes, and neither do the elements of its parts, which may be expressions.
type shards struct {
	mesh  *mesh
	axis  int // or everywhere
	parts []*node
}

// spread makes n the array that has those parts, which are split along an axis, or all of it.
func (n *node) spread(op string, m *mesh, axis int, parts []*node) *node {
	shape := parts[0].Shape()
	if axis != everywhere {
		shape[axis] = 0
		for _, p := range parts {
			shape[axis] += p.lay.shape[axis]
		}
	}
	n.dt, n.op, n.eng, n.lay = parts[0].dt, opShards, m.engines[0], contiguous(op, shape)
	n.shards = &shards{m, axis, parts}
	return n
}

// eachPart returns the array that consists of what f makes of each part of n, or nil if n is not split. The split axis is number axis of the
// result; if that is -1, it has none, and nil is returned. If each device has all of n, the axis is not used.
func (n *node) eachPart(op string, axis int, f func(i int, p *node) *node) *node {
	s := n.shards
	if s == nil || s.axis != everywhere && axis < 0 {
		return nil
	}
	if s.axis == everywhere {
		axis = everywhere
	}
	return n.eachOf(op, axis, f)
}

// eachOf returns the array, split along an axis or not at all, that consists of what f makes of each part of n, which is split.
func (n *node) eachOf(op string, axis int, f func(i int, p *node) *node) *node {
	parts := make([]*node, len(n.shards.parts))
	for i, p := range n.shards.parts {
		parts[i] = f(i, p)
	}
	return new(node).spread(op, n.shards.mesh, axis, parts)
}

// splitAxis returns the axis along which the array is split, or -1.
func (n *node) splitAxis() int {
	if n.shards == nil {
		return everywhere
	}
	return n.shards.axis
}

// shard returns the array split along an axis, or copied to all devices.
func (n *node) shard(m *mesh, axis int) *node {
	const op = "Shard"
	n.withoutGradient()
	if s := n.shards; s != nil && s.mesh == m {
		return n.resplit(axis)
	}
	w := n.whole()
	shape := w.Shape()
	if axis == everywhere {
		shape = nil
	}
	p := &placing{m, axis, shape}
	parts := p.of(w)
	if i := slices.Index(m.engines, w.eng); i >= 0 {
		parts[i] = parts[i].copied() // the array may be written
	}
	return new(node).spread(op, m, axis, parts)
}

// resplit returns a split array split along another axis of the same devices.
func (n *node) resplit(axis int) *node {
	const op = "Shard"
	s := n.shards
	if axis == s.axis {
		return n
	}
	if s.axis == everywhere {
		b := s.mesh.bounds(n.lay.shape[axis])
		return n.eachOf(op, axis, func(i int, p *node) *node { return p.between(axis, b[i], b[i+1]) })
	}
	if axis == everywhere {
		w := n.whole()
		return n.eachOf(op, axis, func(i int, _ *node) *node { return w.moved(s.mesh.engines[i]) })
	}
	// Each device has the intersection of each old part with each new one.
	now, before := s.mesh.bounds(n.lay.shape[axis]), s.mesh.bounds(n.lay.shape[s.axis])
	return n.eachOf(op, axis, func(i int, _ *node) *node {
		shape := n.Shape()
		shape[axis] = now[i+1] - now[i]
		out := newNode(s.mesh.engines[i], n.dt, contiguous(op, shape))
		for j, p := range s.parts {
			out.between(s.axis, before[j], before[j+1]).assign(p.between(axis, now[i], now[i+1]).on(out.eng.dev))
		}
		return out
	})
}

// between returns a view of the indices of an axis from begin up to end.
func (n *node) between(axis, begin, end int) *node { return n.picked(axis, begin, end-begin, 1) }

// moved returns a copy of an array on another device. Elements that are repeated along an axis are copied once.
func (n *node) moved(e *engine) *node {
	if n.eng == e {
		return n
	}
	n.computed()
	short := n.Shape()
	for i, step := range n.lay.strides {
		if step == 0 {
			short[i] = min(short[i], 1)
		}
	}
	if slices.Equal(short, n.lay.shape) {
		return n.on(e.dev)
	}
	return n.viewWith(strided(short, n.lay.strides), 0).on(e.dev).broadcastTo(n.lay.shape)
}

// whole computes the array and returns it as one of a single device, without a history.
func (n *node) whole() *node {
	n.computed()
	if n.shards == nil && n.past == nil {
		return n
	}
	w := new(node)
	w.view(n, n.lay, n.off)
	return w
}

// collect copies the parts to the first device, unless that has been done, so that the array has memory there.
func (n *node) collect() {
	s, e := n.shards, n.eng
	if e.has(n) {
		return
	}
	var w *node
	if s.axis == everywhere {
		w = s.parts[0].packed()
	} else {
		w = newNode(e, n.dt, n.lay)
		b := s.mesh.bounds(n.lay.shape[s.axis])
		for i, p := range s.parts {
			if p.lay.size == 0 {
				continue
			}
			dst := w.between(s.axis, b[i], b[i+1])
			if !dst.lay.contig {
				dst.assign(p.on(e.dev))
				continue
			}
			if err := gpu.Copy(bufferOf(dst.buffer()), bufferOf(p.packed().buffer())); err != nil {
				panic(err)
			}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if n.op != opShards {
		return
	}
	w.mem.fixed.Store(true)
	w.mem.first.readers += n.refs
	n.mem, n.off, n.op, n.refs = w.mem, w.off, opLeaf, 0
}

// collected returns the array, or a split one collected on its first device.
func (n *node) collected() *node {
	if n.shards == nil {
		return n
	}
	return n.whole()
}

// has reports whether the split array has been collected.
func (e *engine) has(n *node) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return n.op != opShards
}

// writable reports whether the array can be written. It has been computed, or is split.
func (n *node) writable() bool { return n.shards == nil && !(n.mem != nil && n.mem.fixed.Load()) }

// mustBeWritable computes the array, unless it is split, and panics if it cannot be written.
func (n *node) mustBeWritable(op string) {
	if n.shards == nil {
		n.ready() // before its memory is looked at, which another goroutine may be computing
	}
	if !n.writable() {
		fail(op, "the array is split over devices, or is a view of one that is, and cannot be written: To makes a copy on one device, which can")
	}
}

// copyParts copies the elements of an array that is split along its first axis to host, and reports whether it could.
func (s *shards) copyParts(host []byte) bool {
	if s.axis > 0 {
		return false
	}
	for _, p := range s.parts {
		end := p.lay.size * p.dt.Size()
		if end > 0 {
			if err := p.packed().buffer().CopyTo(host[:end]); err != nil {
				panic(err)
			}
		}
		if s.axis == everywhere {
			break
		}
		host = host[end:]
	}
	return true
}

// pieces returns the parts of a split array, or the array.
func (n *node) pieces() []*node {
	if n.shards == nil {
		return []*node{n}
	}
	return n.shards.parts
}

// text says where the parts are, in an array's string.
func (s *shards) text() string {
	if s.axis == everywhere {
		return "whole on each of " + s.mesh.names()
	}
	return fmt.Sprintf("axis %d over %s", s.axis, s.mesh.names())
}

// freeParts frees the memory of all parts.
func (n *node) freeParts() error {
	var errs []error
	for _, p := range n.shards.parts {
		errs = append(errs, p.Free())
	}
	if n.eng.has(n) && n.shards.axis != everywhere {
		n.eng.locked(func() {
			n.eng.flush()
			n.eng.storeUsed(n.mem.now.buf)
			n.eng.freed(n.mem.now.buf)
		})
		errs = append(errs, n.mem.now.buf.Free())
	}
	return errors.Join(errs...)
}
