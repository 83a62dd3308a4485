package nd

import "slices"

// A scan of the last axis waits as reductions do, for the kernel that computes what is made of it: a block that has a whole row in registers
// can scan it between two passes. Unlike a reduction's results, those of a scan are stored only if they are wanted themselves.

const (
	// mostScanned is how many bytes of shared memory a block has for what comes before each of its threads' vectors; 48 KiB can be declared.
	mostScanned = 44 << 10
	// mostScannedVectors is how many vectors of a row a thread has at most: the code has each of them.
	mostScannedVectors = 16
)

// scanLater returns the scan of the last axis as an expression, or nil if it should be computed at once: no kernel for rows would have it.
func (n *node) scanLater(name string, f fold) *node {
	last := n.lay.rank() - 1
	if n.eng == nil || n.shards != nil || f >= foldGo || last < 1 {
		return nil
	}
	e := n.eng
	vectors := n.lay.shape[last] * n.dt.Size() / vector
	if e.describes() || !e.waitsWithRows(n) || vectors*f.accBytes(f.accumulator(n.dt)) > mostScanned {
		return nil
	}
	rows := false
	e.locked(func() { rows = n.lazy() && n.result() == nil || n.op == opLeaf && n.lay.contig })
	if !rows {
		return nil
	}
	out := e.putOff(name, opScan, f, n, n.dt, contiguous(name, n.Shape()))
	out.deriveScan(name, f, n)
	return out
}

// scansIn returns the scans among what expressions are computed from. The lock is held.
func scansIn(list []*node) (scans []*node) {
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil || !n.scans || !n.lazy() || slices.Contains(scans, n) {
			return
		}
		if n.op == opScan {
			scans = append(scans, n)
		}
		for _, a := range n.args {
			visit(a)
		}
	}
	for _, n := range list {
		visit(n)
	}
	return scans
}

// addScan adds a scan, and the reductions and scans that it needs, and returns its level.
func (r *rows) addScan(b *node) int {
	if i := slices.Index(r.scans, b); i >= 0 {
		return r.above[i]
	}
	level := r.visit(b) + 1
	r.scans, r.above, r.within = append(r.scans, b), append(r.above, level), append(r.within, b)
	return level
}

// runs reports whether a scan is one of the rows, of which there are none if r is nil.
func (r *rows) runs(b *node) bool { return r != nil && slices.Contains(r.scans, b) }

// scansFit reports whether the kernel for rows can have their scans: its threads have all of a row as vectors. The lock is held.
func (e *engine) scansFit(n *node, r rows) bool {
	if len(r.scans) == 0 {
		return true
	}
	p := &e.plan
	defer p.drop()
	p.trial = true
	k := e.rowPlan(n, r)
	return k.vectors > 0 && k.vectors <= mostScannedVectors && k.scanned() <= mostScanned
}

// scanned returns how many bytes of shared memory the scans of a block take.
func (k *rowPlan) scanned() (bytes int) {
	for _, ph := range k.phases {
		for _, f := range ph.folds {
			if f.scan {
				bytes += (k.vectors*k.threads*k.rowsInBlock() + k.totals() + 1) * f.fold.accBytes(f.acc)
			}
		}
	}
	return bytes
}

// totals returns how many parts a scan has that warps scan alone: the vectors with the same number of the threads of a warp.
func (k *rowPlan) totals() int { return k.vectors * k.threads / 32 }

// newRowScan returns how a scan folds a value of its phase.
func newRowScan(b *node, value uint8) rowFold {
	return rowFold{fold: b.late.fold, acc: b.late.fold.accumulator(b.dt), dt: b.dt, value: value, scan: true}
}

// scanned adds the value of n, a scan of the kernel's rows.
func (p *plan) scanned(n *node) uint8 {
	at := slices.Index(p.scans, n)
	if at < 0 {
		p.missing(n)
	}
	if n.mark == p.epoch {
		return n.slot
	}
	return p.add(n, step{op: opScan, dt: n.dt, args: [3]uint8{p.visitArgument(n, 0), 0, uint8(at)}, n: 1})
}

// runScan computes a scan that was put off into its memory, without what is made of it. The lock is held.
func (e *engine) runScan(n *node, m *memory) {
	a := n.args[0]
	from := leaf{buf: n.content(0).buf, dt: a.dt, off: a.off, lay: a.lay}
	e.submitScan(n.late.fold, n, n.lay.shape[n.lay.rank()-1], from.whole(), m.first.buf)
}
