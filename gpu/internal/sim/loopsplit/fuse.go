package loopsplit

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A fusion is operations of warps and the region behind them, or a region alone. Where all warps of a block are whole, both are done for one warp after the other:
// the results of the operations stay in registers, and the loop over the lanes has a length that the compiler knows.
type fusion struct {
	steps  int         // of which it is made
	shared []*variable // declared for the block between the operations and the region, whose values do not depend on those
	ops    []step
	region *region
	plan   regionPlan
}

// fusion returns what the first steps can be done as; nil if they are no operations of warps with a region that is a plain loop behind them.
func (w *printer) fusion(steps []step) *fusion {
	f := &fusion{}
	switch {
	case w.ended:
		return nil
	case steps[0].region != nil && steps[0].region.on != "":
		return w.fusedAlone(steps[0].region)
	case !isFused(steps[0]):
		return nil
	}
	for _, st := range steps {
		f.steps++
		if st.region != nil {
			f.region = st.region
			break
		}
		switch {
		case isFused(st):
			f.ops = append(f.ops, st)
		case st.v != nil:
			f.shared = append(f.shared, st.v)
		default:
			return nil
		}
	}
	if r := f.region; r == nil || !r.isPlain() || r.on != f.ops[0].on {
		return nil
	}
	f.plan = w.planRegion(f.region)
	if rows := w.planRows(f.region, f.plan); rows.inPieces() || len(rows.atomics) > 0 {
		return nil // as a row of threads it is vectorised better
	}
	return f
}

// fusedAlone returns what a region in a branch can be done as, for one warp after the other; nil if that is no better.
func (w *printer) fusedAlone(r *region) *fusion {
	if !r.isPlain() {
		return nil
	}
	f := &fusion{steps: 1, region: r, plan: w.planRegion(r)}
	if len(w.inWholeWarps(r, f.plan)) == 0 {
		return nil
	}
	return f
}

// isPlain reports whether a region is one loop over threads that does nothing for the block.
func (r *region) isPlain() bool {
	return r.stride == nil && r.rows == nil && !slices.ContainsFunc(r.items, func(it item) bool { return it.all })
}

// isFused reports whether a step is an operation of warps with a value for each lane.
func isFused(st step) bool {
	if st.node == nil || st.node.kind != warpNode || len(st.node.vars) == 0 {
		return false
	}
	op, ok := asWarpOp(st.node.expr)
	return ok && op.form != countForm
}

// fused writes a fusion.
func (w *printer) fused(f *fusion) {
	for _, v := range f.shared {
		w.variable(v)
	}
	w.known, w.local = map[*variable]bool{}, map[*variable]bool{}
	deduced := slices.ContainsFunc(f.plan.arrays, func(v *variable) bool { return cxx.Has(v.spec, "auto") }) // from a result, perhaps
	for _, st := range f.ops {
		v := st.node.vars[0]
		if !deduced && strings.HasPrefix(v.name, resultName) && len(v.regions) == 1 && v.regions[f.region] && !w.operands[v] {
			w.local[v] = true
			continue
		}
		w.result(v, w.resultType(st.node))
		w.known[v] = true
	}
	for _, v := range f.plan.arrays {
		w.array(v)
	}
	if on := f.region.on; on == "" {
		w.word("if (gwsim::lanes::whole(blockDim)) { GW_EACH_WARP {")
	} else {
		w.word("if (gwsim::lanes::whole(blockDim, %s)) { GW_EACH_WARP_OF(%[1]s) {", chosen(on))
	}
	w.inWarp = true
	w.fusedSteps(f)
	w.inWarp, w.local = false, nil
	w.word("} } else {")
	w.fusedSteps(f)
	w.word("}")
	w.known = nil
	w.ofBlock(f.region)
}

func (w *printer) fusedSteps(f *fusion) {
	for _, st := range f.ops {
		w.warpStep(st.node, st.on)
	}
	w.threads(f.region, f.plan)
}

// result declares the results of an operation.
func (w *printer) result(v *variable, typ string) {
	switch {
	case w.local[v]:
		w.word("alignas(64) %s %s[32];", typ, array(v))
	case !w.known[v]:
		w.word("alignas(64) %s %s[%s];", typ, array(v), w.maxBlock())
	}
}

// elementOf returns a thread's element of a variable's array.
func (w *printer) elementOf(v *variable) string {
	if w.local[v] {
		return array(v) + "[gw_x]"
	}
	return array(v) + "[gw_row + gw_x]"
}

// elements returns the elements that the functions of the simulator's header get: those of the block or of the warp.
func (w *printer) elements(v *variable) string {
	if w.inWarp && !w.local[v] {
		return "gwsim::lanes::ofWarp(" + array(v) + ", gw_row)"
	}
	return array(v)
}

// findOperands records the variables that operations of warps have as operands.
func findOperands(steps []step, found map[*variable]bool) {
	for _, st := range steps {
		findOperands(st.body, found)
		findOperands(st.other, found)
		if st.node != nil && st.node.kind == warpNode {
			st.node.expr.variables(func(v *variable) { found[v] = true })
		}
	}
}
