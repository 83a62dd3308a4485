package loopsplit

import "github.com/gopherwarp/gopherwarp/internal/cxx"

// A regionPlan has the declarations for a region's code.
type regionPlan struct {
	arrays     []*variable // declared before the loop, with an element for each thread
	refs       []*variable // the thread's elements of arrays that the code uses
	copies     []*variable // variables of the block that the code changes: each thread has a copy
	recomputed []*variable // computed again by each thread
	reads      bool        // the code calls functions that read the runtime's threadIdx
}

// planRegion determines the declarations that a region needs.
func (s *splitter) planRegion(r *region) regionPlan {
	p := regionPlan{reads: s.readsThread(r)}
	declared := map[*variable]bool{}
	for _, it := range r.items {
		switch {
		case it.v != nil && it.v.storage == perThread:
			p.arrays = append(p.arrays, it.v)
		case it.v != nil && it.all:
			declared[it.v] = true
		case it.all && it.node.uniformChange():
			if v, _, _ := changes(it.node.expr); !declared[v] {
				declared[v] = true
				p.copies = append(p.copies, v)
			}
		}
	}
	needed := s.needs(r)
	for _, v := range s.vars {
		switch {
		case !needed[v]:
		case v.storage == perThread:
			p.refs = append(p.refs, v)
		case v.storage == recomputed:
			p.recomputed = append(p.recomputed, v)
		}
	}
	return p
}

// needs returns the variables that a region uses, and those needed to recompute them.
func (s *splitter) needs(r *region) map[*variable]bool {
	needed := map[*variable]bool{}
	var need func(v *variable)
	need = func(v *variable) {
		if needed[v] {
			return
		}
		needed[v] = true
		if v.storage == recomputed {
			v.value.variables(need)
		}
	}
	for _, v := range s.vars {
		if v.regions[r] {
			need(v)
		}
	}
	return needed
}

// readsThread reports whether a region calls functions that read the runtime's threadIdx.
func (s *splitter) readsThread(r *region) bool {
	if s.allRead {
		return true
	}
	for _, it := range r.items {
		at := it.at()
		for i := at.lo; i < at.hi; i++ {
			t := s.toks[i]
			switch {
			case t.Kind != cxx.Ident:
			case t.Is("threadIdx"):
				if i > 0 && (s.toks[i-1].Is("::") || s.toks[i-1].Is("&")) {
					return true
				}
			case s.code.readsThread(s.toks, i), s.readers[t.Text], s.groups[t.Text]:
				return true
			}
		}
	}
	return false
}
