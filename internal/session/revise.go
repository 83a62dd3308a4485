package session

import (
	"fmt"
	"go/token"
	"go/types"
)

// revise determines from the problems of a check which declarations and variables can't be kept. It reports whether there
// are new ones, with which to plan and check again. None is ever withdrawn, so this terminates.
func (r *redefinition) revise(c *checked, problems []types.Error) bool {
	r.concluded = false
	own := r.blame(c, problems)
	if !r.concluded && !own {
		r.compareLayouts(c)
	}
	if !r.concluded && len(problems) == 0 {
		r.compareTypes(c)
	}
	return r.concluded
}

// conclude adds k to known.
func conclude[K comparable](r *redefinition, known map[K]bool, k K) {
	r.concluded = r.concluded || !known[k]
	known[k] = true
}

// blame handles problems in declarations of earlier cells. It reports whether there are problems in the cell itself.
func (r *redefinition) blame(c *checked, problems []types.Error) (own bool) {
	for _, e := range problems {
		if c.fset.Position(e.Pos).Filename == movedName {
			if name := r.movedAt(c, e.Pos); r.lost[name] == nil {
				r.loseVariable(name, r.changedIn(r.moved[name].Type()))
			}
			continue
		}
		if q := r.carriedAt(e.Pos); q != nil {
			r.giveUp(r.owner[q])
		} else {
			own = true
		}
	}
	return own
}

// giveUp decides what to do with a declaration that does not compile.
func (r *redefinition) giveUp(by *carry) {
	switch {
	case by.method != nil:
		conclude(r, r.failing, by.method)
	case by.soft:
		conclude(r, r.keepsOld, by.old)
	case by.old.keepsOld && r.carried[by.old] != nil:
		for _, name := range r.remaining(by.old) {
			r.lose(name, &loss{cell: r.src.Name, reason: "it does not compile with " + by.cause, decl: by.old})
		}
		r.keepsOld[by.old] = true
	}
}

// compareLayouts drops variables that can't keep their values in their new types.
func (r *redefinition) compareLayouts(c *checked) {
	for name, v := range r.moved {
		now := c.pkg.Scope().Lookup(name)
		if now == nil || !sameLayout(v.Type(), now.Type()) {
			r.loseVariable(name, r.changedIn(v.Type()))
		}
	}
}

// compareTypes records the variables that the cell declares with another type than before.
func (r *redefinition) compareTypes(c *checked) {
	for name := range r.declared {
		old := r.base.names[name]
		if old == nil || r.decls[name] || r.retyped[name] {
			continue
		}
		v, ok := old.obj.(*types.Var)
		if now := c.pkg.Scope().Lookup(name); ok && now != nil && !types.Identical(v.Type(), now.Type()) {
			conclude(r, r.retyped, name)
		}
	}
}

// carriedAt returns the part of an earlier cell that contains pos, or nil.
func (r *redefinition) carriedAt(pos token.Pos) *part {
	for _, d := range r.units {
		for _, q := range d.parts {
			if q.carried && q.file == r.fset.File(pos) {
				return q
			}
		}
	}
	return nil
}

// inEarlier returns how a problem in an earlier cell is related to this cell, as an addition to its message, or "".
func (r *redefinition) inEarlier(pos token.Pos) string {
	q := r.carriedAt(pos)
	if q == nil || r.owner[q] == nil {
		return ""
	}
	label := r.owner[q].label
	if m := q.method(); m != "" {
		label += "." + m
	}
	return fmt.Sprintf(" (%s, of %s, does not compile with the new %s: declare it anew in this cell too)", label, q.src.Name, r.owner[q].cause)
}
