package loopsplit

import "fmt"

// Where whole warps are gone through, one after the other, a thread's lane is what the loop over a warp counts, and the number of its warp is
// the same in all of that loop. The compiler does not find that out: it would take the remainder of each thread's index, and fetch s[lane]
// from a place that it computes for each thread.

// inWholeWarps returns what stands for the numbers of lanes and of warps in a region that is written for whole warps.
func (s *splitter) inWholeWarps(r *region, p regionPlan) map[int]instead {
	x := newIndexer(s, p)
	x.findNames(r)
	found := map[int]instead{}
	note := func(e *expr) { x.findLanes(e, found) }
	for _, it := range r.items {
		it.exprs(note)
	}
	for _, v := range p.recomputed {
		note(v.value)
	}
	return found
}

// findLanes records the parts of an expression that are the number of a thread's lane or warp.
func (x *indexer) findLanes(e *expr, found map[int]instead) {
	if e == nil || isAssertion(e) {
		return
	}
	if p := x.periodOf(e, "%", "&", "/", ">>"); p != nil && e.kind == binaryExpr && x.isOfWarp(p) && isMember(x.meaning(p.of), "threadIdx") {
		value := "gw_x"
		if p.op == "/" || p.op == ">>" {
			value = "gw_from / 32"
		}
		found[e.lo] = instead{e.hi, fmt.Sprintf("decltype(%s)(%s)", x.textOf(e), value)}
		return
	}
	for _, c := range e.list {
		x.findLanes(c, found)
	}
}

// isOfWarp reports whether a period has the length of a warp.
func (x *indexer) isOfWarp(p *period) bool {
	if p.by.kind == nameExpr {
		return true // warpSize
	}
	n, ok := x.number(p.by)
	return ok && n == map[string]int{"%": 32, "/": 32, "&": 31, ">>": 5}[p.op]
}
