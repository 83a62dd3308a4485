package kernels

import "fmt"

// An access says what threads may do with a shared array until the next barrier.
type access int

const (
	own    access = iota // each thread reads and writes its own element
	all                  // each thread reads any element
	atomic               // each thread updates any element by the array's atomic function, and reads none
	warp                 // each thread reads the elements of its warp's threads
	accesses
)

// An array is one in shared memory, with an element for each of 256 threads.
type array struct {
	name   string
	t      kind
	table  bool // it has two dimensions, with a column more than needed
	access access
	atomic string // the function, while access is atomic
}

// at returns the element with this index.
func (a *array) at(index string) string {
	if a.table {
		return fmt.Sprintf("%s[(%s) >> 4][(%s) & 15u]", a.name, index, index)
	}
	return fmt.Sprintf("%s[%s]", a.name, index)
}

// array declares an array and gives all its elements a value.
func (w *writer) array() {
	a := &array{name: w.name("s"), t: kind(w.r.IntN(int(kinds))), table: w.chance(3), access: own}
	if w.chance(2) {
		a.t = u32
	}
	if a.table {
		w.line("__shared__ %v %s[16][17];", a.t, a.name)
	} else {
		w.line("__shared__ %v %s[256];", a.t, a.name)
	}
	w.line("for (unsigned i = tid; i < 256u; i += %du) %s = (%v)(i * %du);", w.threads, a.at("i"), a.t, 1+w.r.IntN(30))
	w.arrays = append(w.arrays, a)
}

// barrier writes one, after which threads access the arrays in other ways than before it. It may evaluate an expression.
func (w *writer) barrier() {
	if !w.chance(8) {
		w.join()
		return
	}
	v := w.name("c")
	w.line("unsigned %s = (unsigned)__syncthreads_%s((int)(%s & 1u));", v, w.pick("count", "or", "and"), w.expr(u32, 1))
	w.scope.same = append(w.scope.same, v)
	w.plan()
}

// join writes a barrier that reads no array: one at which threads arrive that may have accessed the arrays in different ways, such as
// those of another branch.
func (w *writer) join() {
	w.line("__syncthreads();")
	w.plan()
}

// plan chooses how threads access the arrays until the next barrier.
func (w *writer) plan() {
	for _, a := range w.arrays {
		a.access = access(w.r.IntN(int(warp)))
		if a.access == atomic {
			w.chooseAtomic(a)
		}
	}
}

// chooseAtomic sets the atomic function of an array. All threads use the same one until the next barrier, as different ones do not commute.
func (w *writer) chooseAtomic(a *array) {
	switch a.t {
	case u32:
		a.atomic = w.pick("atomicAdd", "atomicMax", "atomicMin", "atomicXor", "atomicOr", "atomicAnd", "atomicSub", "highest")
	case i32:
		a.atomic = w.pick("atomicAdd", "atomicMax", "atomicMin")
	case u64:
		a.atomic = w.pick("atomicAdd", "atomicMax", "atomicMin", "atomicXor")
	default:
		a.access = own // sums of floats depend on the order
	}
}

// warpBarrier makes a warp's threads see each other's elements, or stop doing so.
func (w *writer) warpBarrier() {
	changed := false
	for _, a := range w.arrays {
		switch {
		case a.access == own && w.chance(2):
			a.access, changed = warp, true
		case a.access == warp:
			a.access, changed = own, true
		}
	}
	if changed {
		w.line("__syncwarp();")
	}
}

// read returns an element that the thread may read now, or "".
func (w *writer) read(a *array) string {
	switch a.access {
	case own:
		return a.at("tid")
	case all:
		return a.at("(" + w.small(255) + ")")
	case warp:
		return a.at("((tid & ~31u) | (" + w.small(31) + "))")
	}
	return ""
}

// update writes a statement that changes an array, if one may be changed now.
func (w *writer) update() {
	for _, i := range w.r.Perm(len(w.arrays)) {
		a := w.arrays[i]
		switch a.access {
		case own:
			w.assign(a.at("tid"), a.t)
			return
		case atomic:
			w.line("%s(&%s, %s);", a.atomic, a.at("("+w.small(255)+")"), w.expr(a.t, 1))
			return
		}
	}
	w.total()
}

// total writes an update of one of the totals. Each has a function of its own; those of the last are exact sums of floats.
func (w *writer) total() {
	i := w.r.IntN(Totals)
	switch i {
	case 1:
		w.line("atomicMax(&totals[1], %s);", w.expr(u64, 1))
	case 2:
		w.line("atomicMin((unsigned *)&totals[2], %s);", w.expr(u32, 1))
	case 3:
		w.line("atomicXor(&totals[3], %s);", w.expr(u64, 1))
	case 4:
		w.line("atomicOr((unsigned *)&totals[4], %s);", w.expr(u32, 1))
	case 5:
		w.line("highest((unsigned *)&totals[5], %s);", w.expr(u32, 1))
	case 6:
		w.line("atomicAdd((float *)&totals[6], (float)(%s & 15u));", w.expr(u32, 1))
	case 7:
		w.line("atomicInc((unsigned *)&totals[7], 1000000007u);")
	default:
		w.line("atomicAdd(&totals[0], %s);", w.expr(u64, 1))
	}
}
