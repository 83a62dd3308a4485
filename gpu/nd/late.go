package nd

import (
	"fmt"
	"slices"
)

// late is what a reduction, a scan or a product has that is computed later: its kind, and the views that were made of a reduction's result. What is
// computed from such results alone may have views, too.
type late struct {
	fold    fold
	reduced bool // of a product: a kernel has reduced it without storing it
	held    int  // bytes of the operands' memory: they stay as many while it waits, since whatever else is computed has it computed before
	views   []*node
}

const (
	// So many reductions wait at most: a program that never needs one should not keep the operands of all of them.
	mostWaiting = 4
	// Arrays with fewer rows, or with shorter or longer ones, are folded at once: a block for each row would be too few, or too many.
	fewestRows = 64
	shortRow   = 64
	longRow    = 1 << 16
	// The operands of those that wait have at most this part of the device's memory together: they cannot be freed before.
	partHeld = 16
)

// result returns the reduction that n is, or what it is a view of, if that has not been computed.
func (n *node) result() *node {
	switch n.op {
	case opFold:
		return n
	case opView:
		return n.args[0]
	}
	return nil
}

// waitsWith reports whether a reduction is put off: one of the last axis, which one kernel can compute together with what is made of its
// result. Memory that others may write to is read at once.
func (e *engine) waitsWith(f fold, n *node, axes []int) bool {
	last := n.lay.rank() - 1
	if f >= foldGo || last < 1 || len(axes) != 1 || axes[0] != last {
		return false
	}
	return e.waitsWithRows(n)
}

// waitsWithRows is waitsWith for what one kernel computes of the rows of n.
func (e *engine) waitsWithRows(n *node) bool {
	length := n.lay.shape[n.lay.rank()-1]
	if length < shortRow || length > longRow || n.lay.size/length < e.fewestRows() {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return !n.open() && n.held() <= e.mostHeld
}

// fewestRows returns how many rows an array has at least whose reductions wait. Processors have fewer threads than a GPU.
func (e *engine) fewestRows() int {
	if e.describes() {
		return 8
	}
	return fewestRows
}

// open reports whether the expression reads memory that others may write to. The lock is held.
func (n *node) open() bool {
	if n.op == opLeaf {
		return n.mem.open
	}
	return slices.ContainsFunc(n.args[:], func(a *node) bool { return a != nil && a.op != opConst && a.open() })
}

// held returns how many bytes the memory of the operands has; what is used twice counts twice. The lock is held.
func (n *node) held() (bytes int) {
	if n.op == opLeaf {
		return n.mem.now.buf.Len()
	}
	for _, a := range n.args {
		if a != nil && a.op != opConst {
			bytes += a.held()
		}
	}
	return bytes
}

// putOff returns the reduction or scan of the last axis as an expression.
func (e *engine) putOff(name string, op op, f fold, n *node, dt DType, lay *layout) *node {
	out := new(node)
	out.init(name, op, dt, e, lay, n, nil, nil)
	e.await(out, f)
	return out
}

// await adds an expression to those that wait.
func (e *engine) await(out *node, f fold) {
	e.mu.Lock()
	defer e.mu.Unlock()
	out.late, out.scans, out.products = &late{fold: f, held: out.held()}, out.scans || out.op == opScan, out.products || out.op == opProduct
	held := out.late.held
	for _, p := range e.pending {
		held += p.late.held
	}
	// Memory that several read counts once, which takes longer to find.
	if len(e.pending) == mostWaiting || held > e.mostHeld && heldBy(append(slices.Clone(e.pending), out)) > e.mostHeld {
		e.flush()
	}
	e.pending = append(e.pending, out)
	e.waiting.Store(true)
	if out.op == opFold {
		e.late++
	}
}

// apart reports whether the kernel of an expression does not compute n with its other operations. The lock is held.
func (n *node) apart() bool { return n.op == opScan || n.op == opProduct }

// lateView makes v a view of n, or returns false if n is not made of reductions that are computed later.
func (n *node) lateView(v *node, lay *layout, off int) bool {
	e := n.eng
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	b := n.result()
	if b == nil && n.ofResults() {
		b = n
		if n.late == nil {
			n.late = &late{}
		}
	}
	if b == nil {
		return false
	}
	v.op, v.dt, v.eng, v.lay, v.off, v.cost, v.scans = opView, n.dt, e, lay, n.off+off, b.cost, b.scans
	v.args[0] = b
	b.late.views = append(b.late.views, v)
	return true
}

// ofResults reports whether n is an expression of constants and of reductions of its shape that are computed later. The lock is held.
func (n *node) ofResults() bool {
	if n.op <= opIndex || n.apart() {
		return false
	}
	some := false
	for _, a := range n.args {
		switch {
		case a == nil || a.op == opConst:
		case !slices.Equal(a.lay.shape, n.lay.shape) || a.op == opView || a.op != opFold && !a.ofResults():
			return false
		default:
			some = true
		}
	}
	return some
}

// take removes expressions from those that wait. The lock is held.
func (e *engine) take(list []*node) {
	if len(e.pending) == 0 {
		return
	}
	e.pending = slices.DeleteFunc(e.pending, func(n *node) bool { return slices.Contains(list, n) })
	e.waiting.Store(len(e.pending) > 0)
}

// flush computes the reductions, scans and products that wait. Whatever could show that they have not been computed calls it: what writes to memory, counts
// launches or, in package gpu, waits for the device or measures time. The lock is held.
func (e *engine) flush() {
	for len(e.pending) > 0 {
		// One that needs another may be computed with that.
		e.evaluate(e.pending[len(e.pending)-1])
	}
}

// locked calls f, which may panic, with the lock held.
func (e *engine) locked(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

// flushWaiting is flush without the lock, for package gpu. Unless it shall wait, it does nothing if somebody has the lock, who may be the caller.
func (e *engine) flushWaiting(wait bool) error {
	switch {
	case !e.waiting.Load():
		return nil
	case wait:
		e.mu.Lock()
	case !e.mu.TryLock():
		return nil
	}
	defer e.mu.Unlock()
	if err := Try(e.flush); err != nil {
		return fmt.Errorf("computing a reduction, a scan or a product that was put off: %w", err)
	}
	return nil
}
