package nd

import (
	"runtime"
	"weak"
)

// used are scans and products that no longer wait, since a kernel had them, but have no memory. A program that still has one may use it later.
type used struct {
	list []weak.Pointer[node]
	// bytes is how many the operands of the scans have, or more, and room how many there may be, until both are counted again.
	bytes, room int
	// live is how many scans of earlier kernels the garbage collector left when it was asked last, less those that have been stored since. Others
	// may be garbage.
	live int
}

// worthCollecting is that of an engine: so many bytes are written in about the time that the garbage collector takes.
const worthCollecting = 1 << 28

// noteUsed notes the scans or products of a kernel, which may have no memory after it. The lock is held.
func (e *engine) noteUsed(list []*node) {
	u := &e.used
	for _, n := range list {
		if !n.lazy() {
			continue
		}
		u.list = append(u.list, weak.Make(n))
		if n.op == opScan {
			u.bytes += n.held()
		}
	}
	if len(u.list) > u.room {
		u.count()
	}
}

// count returns the scans that the program may have, and removes from the list what it has no more, what has been computed, and what is there
// twice.
func (u *used) count() (scans []*node) {
	kept, seen := u.list[:0], map[*node]bool{}
	for _, p := range u.list {
		n := p.Value()
		if n == nil || !n.lazy() || seen[n] {
			continue
		}
		seen[n] = true
		kept = append(kept, p)
		if n.op == opScan {
			scans = append(scans, n)
		}
	}
	clear(u.list[len(kept):])
	u.list, u.room, u.bytes, u.live = kept, 2*len(kept)+mostUncounted, heldBy(scans), min(u.live, len(scans))
	return scans
}

// mostUncounted is how many scans and products are noted before those that are left are counted, at least.
const mostUncounted = 64

// heldBy returns how many bytes the memory has that expressions read.
func heldBy(list []*node) (bytes int) {
	seen := map[*buffer]bool{}
	for _, n := range list {
		n.eachBuffer(func(b *buffer) bool {
			if !seen[b] {
				seen[b] = true
				bytes += b.Len()
			}
			return true
		})
	}
	return bytes
}

// eachBuffer calls f with the contents that an expression needs until it returns false, and reports whether it never has. The lock is held.
func (n *node) eachBuffer(f func(b *buffer) bool) bool {
	for i, a := range n.args {
		if a != nil && (a.lazy() && !a.eachBuffer(f) || a.op == opLeaf && !f(n.content(i).buf)) {
			return false
		}
	}
	return true
}

// storeMore computes scans that kernels had, the oldest first, as long as their operands take more memory than expressions may hold. Mostly the
// program has none of them any more, so the garbage collector runs first. Where it leaves many, the program keeps them, and it runs again when
// there are twice as many, or when as many have been stored. Products mostly take more memory than their factors. The lock is held.
func (e *engine) storeMore() {
	u := &e.used
	if u.bytes <= e.mostHeld {
		return
	}
	scans := u.count()
	if u.bytes > e.mostHeld && len(scans) > 2*u.live {
		clear(scans) // which would keep them
		runtime.GC()
		scans = u.count()
		u.live = max(len(scans)-1, 0) // the kernel that was last has one
	}
	for u.bytes > e.mostHeld && len(scans) > 0 {
		e.evaluate(scans[0])
		u.live = max(u.live-1, 0)
		scans = u.count()
	}
}

// storeUsed computes the scans and products that a kernel had and that are made of the contents of a buffer, which is about to be freed, or
// written by others. A program takes such an array for computed, so it may free what that still reads. If they are large, Go's garbage collector
// runs first: those that the program has no more are not computed. The lock is held.
func (e *engine) storeUsed(b *buffer) {
	readers := func() (list []*node, bytes int) {
		for _, p := range e.used.list {
			if n := p.Value(); n != nil && n.lazy() && n.reads(b) {
				list, bytes = append(list, n), bytes+n.Bytes()
			}
		}
		return list, bytes
	}
	list, bytes := readers()
	if bytes >= e.worthCollecting {
		clear(list) // which would keep them
		runtime.GC()
		list, _ = readers()
	}
	for _, n := range list {
		e.evaluate(n)
	}
}

// reads reports whether an expression needs the contents of a buffer. The lock is held.
func (n *node) reads(b *buffer) bool {
	return !n.eachBuffer(func(other *buffer) bool { return other != b })
}
