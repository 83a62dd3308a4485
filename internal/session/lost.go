package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// revive adds lost declarations to the plan that refer to a name which the cell declares.
func (r *redefinition) revive() {
	back := maps.Clone(r.declared)
	for again := true; again; {
		again = false
		for _, name := range slices.Sorted(maps.Keys(r.base.lost)) {
			d := r.base.lost[name].decl
			if d == nil || r.keepsOld[d] || r.carried[d] != nil || len(r.remaining(d)) == 0 {
				continue
			}
			for n := range back {
				if d.uses(n) {
					r.carried[d] = &carry{old: d, label: name, cause: n, soft: true}
					for _, n := range d.names {
						back[n] = true
					}
					again = true
					break
				}
			}
		}
	}
}

// reviveMethods adds lost methods to the plan that refer to a name which the cell declares. Their types are compiled
// again with them.
func (r *redefinition) reviveMethods() {
	r.revived = nil
	for _, name := range slices.Sorted(maps.Keys(r.base.lost)) {
		q := r.base.lost[name].method
		typ, _, _ := strings.Cut(name, ".")
		e := r.base.names[typ]
		if q == nil || r.failing[q] || e == nil || e.decl == nil || r.declared[typ] || r.keepsOld[e.decl] {
			continue
		}
		cause := ""
		for _, used := range slices.Sorted(maps.Keys(q.uses)) {
			if r.takes(used) {
				cause = used
			}
		}
		if cause == "" || !r.hasAll(q) {
			continue
		}
		r.revived = append(r.revived, &carry{old: e.decl, label: typ, cause: cause, method: q})
		if !r.decls[typ] && r.carried[e.decl] == nil {
			r.carried[e.decl] = &carry{old: e.decl, label: typ, cause: cause, soft: true}
			r.spread(typ, cause, true)
		}
	}
}

// hasAll reports whether all names that q refers to are defined.
func (r *redefinition) hasAll(q *part) bool {
	for name := range q.uses {
		if r.base.names[name] == nil && !r.takes(name) {
			return false
		}
	}
	return true
}

// dropLost removes lost names from the plan, and the declarations that use them.
func (r *redefinition) dropLost() {
	for again := true; again; {
		carried, moved := r.dropCarried(), r.dropMoved()
		again = carried || moved
	}
	for name := range r.lost {
		delete(r.moved, name)
	}
}

// dropCarried removes declarations from the plan that are lost, or use lost names. It reports whether this loses more names.
func (r *redefinition) dropCarried() (more bool) {
	for _, c := range r.sorted() {
		used := r.lostIn(c.old.parts[0])
		mine := r.base.names[c.label] != nil && r.lost[c.label] != nil
		if used == "" && !mine {
			continue
		}
		delete(r.carried, c.old)
		if mine || r.base.names[c.label] == nil { // it was lost before
			continue
		}
		for _, name := range r.remaining(c.old) {
			r.lose(name, &loss{cell: r.src.Name, reason: "it uses " + used, decl: c.old})
		}
		more = true
	}
	return more
}

// dropMoved removes variables whose type is lost. It reports whether there are any.
func (r *redefinition) dropMoved() (more bool) {
	for name, v := range r.moved {
		for typ := range mentioned(v.Type()) {
			if r.lost[typ] != nil && r.lost[name] == nil {
				r.loseVariable(name, typ)
				more = true
			}
		}
	}
	return more
}

// lostIn returns a lost name that q refers to, or "".
func (r *redefinition) lostIn(q *part) string {
	for _, name := range slices.Sorted(maps.Keys(r.lost)) {
		if q.uses[name] && !r.takes(name) {
			return name
		}
	}
	return ""
}

// lose records that a name is lost.
func (r *redefinition) lose(name string, l *loss) {
	r.concluded = r.concluded || r.lost[name] == nil
	r.lost[name] = l
}

// loseVariable records that a variable is lost because a type changed.
func (r *redefinition) loseVariable(name, typ string) {
	r.lose(name, &loss{cell: r.src.Name, reason: "its type " + typ + " changed"})
}

// loseMethod records that a method is lost because it uses a lost name.
func (r *redefinition) loseMethod(typ string, q *part) {
	name := typ + "." + r.take(q, nil).method()
	r.lose(name, &loss{cell: r.src.Name, reason: "it uses " + r.lostIn(q), method: q})
}

// lossOf returns the reason why a name was lost, as an addition to a message, or "".
func (r *redefinition) lossOf(name string) string {
	l := r.lost[name]
	if l == nil {
		l = r.base.lost[name]
	}
	if l == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", l)
}

// notes returns lines about declarations that keep earlier versions, and about lost names. They are printed with the cell.
func (r *redefinition) notes() string {
	var b strings.Builder
	for _, d := range slices.SortedFunc(maps.Keys(r.keepsOld), func(a, b *decl) int { return slices.Compare(a.names, b.names) }) {
		e := r.base.names[d.names[0]]
		if e == nil || e.decl != d || d.keepsOld {
			continue // it was lost, or reported before
		}
		for _, name := range slices.Sorted(maps.Keys(r.declared)) {
			if d.uses(name) && r.base.names[name] != nil {
				b.WriteString(keeps(d, e.cell, name))
				break
			}
		}
		if path := r.outdated(d); path != "" {
			b.WriteString(keeps(d, e.cell, path))
		}
	}
	var lost []string
	for _, name := range slices.Sorted(maps.Keys(r.lost)) {
		lost = append(lost, fmt.Sprintf("%s (%s)", name, r.lost[name].reason))
	}
	if len(lost) > 0 {
		b.WriteString("dropped: " + strings.Join(lost, ", ") + "\n")
	}
	return b.String()
}

func keeps(d *decl, cell, what string) string {
	why := "it does not compile with the new one"
	if d.usesC() {
		why = "its C code is not compiled again"
	}
	return fmt.Sprintf("%s (%s) keeps the earlier %s: %s\n", strings.Join(d.names, ", "), cell, what, why)
}
