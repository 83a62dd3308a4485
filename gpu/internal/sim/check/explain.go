package check

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// explain returns the message of a finding.
func (l *Launch) explain(f *rawFinding) string {
	switch kinds[f.kind] {
	case backend.KindOutOfBounds:
		return l.outOfBounds(f)
	case backend.KindUseAfterFree:
		if f.text[0] != 0 {
			return text(f.text[:])
		}
		if f.id == heapRange {
			return fmt.Sprintf("%s %s at byte %d of %s from malloc that were freed: the pointer was kept too long",
				verb(f.op), count(f.size, "byte"), f.address-f.lo, count(f.hi-f.lo, "byte"))
		}
		return fmt.Sprintf("%s %s at %#x, in a buffer of %s that was freed: a pointer to it was kept somewhere",
			verb(f.op), count(f.size, "byte"), f.address, count(f.hi-f.lo, "byte"))
	case backend.KindNullPointer:
		return fmt.Sprintf("%s %s at address %#x: the pointer is null", verb(f.op), count(f.size, "byte"), f.address)
	case backend.KindMisaligned:
		return fmt.Sprintf("%s %d bytes at once at %s, which does not begin at a multiple of %d bytes: a GPU ends the kernel for that",
			verb(f.op), f.size, l.place(f), f.size)
	case backend.KindUninitialised:
		if f.space == spaceShared {
			return fmt.Sprintf("%s %s, which no thread of the block has written: shared memory begins with leftovers", verb(f.op), l.place(f))
		}
		if f.id == heapRange {
			return fmt.Sprintf("%s %s, which nothing has written since: malloc gives leftovers", verb(f.op), l.place(f))
		}
		return fmt.Sprintf("%s %s, which nothing has written since the buffer was made: gpu.Zeros or a copy gives it values", verb(f.op), l.place(f))
	case backend.KindRace:
		return l.race(f)
	case backend.KindEarlyExit:
		return fmt.Sprintf("some threads of the block have returned before this %s: the others continue without them, so nothing after it may rely on their work", text(f.text[:]))
	}
	return text(f.text[:])
}

func verb(op uint32) string {
	switch op {
	case opWrite, opVolatileWrite:
		return "writes"
	case opAtomic:
		return "changes (atomically)"
	}
	return "reads"
}

func count[N int | uint32 | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// named returns the range of a finding and its name, if it has one.
func (l *Launch) named(f *rawFinding) (named, bool) {
	if f.id == heapRange {
		return named{name: "memory from malloc", start: f.lo, size: f.hi - f.lo}, true
	}
	if int(f.id) >= len(l.names) {
		return named{}, false
	}
	return l.names[f.id], true
}

// place returns a description of the memory at the address of a finding.
func (l *Launch) place(f *rawFinding) string {
	n, ok := l.named(f)
	if !ok {
		return fmt.Sprintf("address %#x", f.address)
	}
	if len(n.views) > 0 {
		v := n.at(f.address)
		if v.Elem > 0 {
			return fmt.Sprintf("%s[%d]", v.Name, (f.address-v.Addr)/uint64(v.Elem))
		}
		return fmt.Sprintf("byte %d of %s", f.address-v.Addr, v.Name)
	}
	if n.name == "" {
		return fmt.Sprintf("byte %d of a buffer of %s", f.address-n.start, count(n.size, "byte"))
	}
	if n.shape.elem > 0 {
		return n.name + n.shape.index(int64(f.address-f.lo))
	}
	if n.size == uint64(f.size) {
		return n.name
	}
	// Elements are assumed to be as large as the access.
	return fmt.Sprintf("element %d of %s", (f.address-f.lo)/uint64(f.size), n.name)
}

// at returns the view that contains an address: the last one that begins before it.
func (n *named) at(addr uint64) backend.View {
	best := n.views[0]
	for _, v := range n.views {
		if v.Addr <= addr {
			best = v
		}
	}
	return best
}

func (l *Launch) outOfBounds(f *rawFinding) string {
	what := verb(f.op)
	n, ok := l.named(f)
	if !ok {
		return fmt.Sprintf("%s %s at %#x, where the kernel has no buffer", what, count(f.size, "byte"), f.address)
	}
	if f.space == spaceShared && n.size == 0 {
		return fmt.Sprintf("%s %s, but the launch gives no dynamic shared memory: <<<grid, block, bytes>>> does", what, n.name)
	}
	if len(n.views) > 0 {
		v := n.at(f.address)
		if v.Elem > 0 {
			return v.OutOfBounds(what, f.address)
		}
	}
	if len(n.shape.dims) > 0 {
		return fmt.Sprintf("%s %s%s, but %s has %s: check the index before using it",
			what, n.name, n.shape.index(int64(f.address)-int64(f.lo)), n.name, n.shape.elements(int64(n.size)))
	}
	name := n.name
	switch {
	case name == "" && len(n.views) == 0:
		name = "a buffer"
	case name == "":
		name = n.views[0].Name
	}
	size := f.hi - f.lo
	var where string
	if f.address < f.lo {
		where = fmt.Sprintf("%s before the start of %s", count(f.lo-f.address, "byte"), name)
	} else {
		past := int64(f.address) - int64(f.hi)
		switch {
		case past < 0:
			where = fmt.Sprintf("over the end of %s", name)
		case past == 0:
			where = fmt.Sprintf("right behind the end of %s", name)
		default:
			where = fmt.Sprintf("%s behind the end of %s", count(uint64(past), "byte"), name)
		}
	}
	has := fmt.Sprintf(", which has %s", count(size, "byte"))
	if f.space == spaceShared && f.size > 0 && size%uint64(f.size) == 0 {
		has += fmt.Sprintf(" (%s of %d)", count(size/uint64(f.size), "element"), f.size)
	}
	return fmt.Sprintf("%s %s %s%s: check the index before using it", what, count(f.size, "byte"), where, has)
}

func (l *Launch) race(f *rawFinding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, which thread (%s)", verb(f.op), l.place(f), coordinates(f.other.thread))
	sameBlock := f.other.block == f.at.block
	if !sameBlock {
		fmt.Fprintf(&b, " of block (%s)", coordinates(f.other.block))
	}
	fmt.Fprintf(&b, " %s", verb(f.otherOp))
	if at := l.where(f.otherPC, 0); at.Line != 0 {
		fmt.Fprintf(&b, " on line %d", at.Line)
		if at.File != l.where(f.pc, 0).File {
			fmt.Fprintf(&b, " of %s", cmp.Or(at.File, l.program.image.lines.program))
		}
	}
	switch {
	case !sameBlock:
		b.WriteString(": blocks run in any order, so which comes first is chance (use an atomic function, or another launch; a lock or a counter of atomic functions also needs __threadfence())")
	case f.op >= opVolatileRead && f.otherOp >= opVolatileRead: // of a warp, or it is no race
		b.WriteString(", with no __syncwarp() between: lanes of a warp do not run in step since compute capability 7.0, and volatile does not make them (on sim:gtx1080 they do)")
	case f.op == opAtomic || f.otherOp == opAtomic:
		b.WriteString(", with no __syncthreads() between: a plain access beside atomic ones sees any of their values")
	default:
		b.WriteString(", with no __syncthreads() between: which comes first is chance")
	}
	return b.String()
}

func coordinates(c [3]uint32) string { return fmt.Sprintf("%d,%d,%d", c[0], c[1], c[2]) }
