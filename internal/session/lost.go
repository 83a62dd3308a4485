package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// revive tries what was lost and refers to something that is declared now.
func (r *redefinition) revive() {
	back := maps.Clone(r.declared)
	for again := true; again; {
		again = false
		for _, name := range slices.Sorted(maps.Keys(r.base.lost)) {
			d := r.base.lost[name].decl
			if d == nil || r.behind[d] || r.carried[d] != nil || len(r.remaining(d)) == 0 {
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

// reviveMethods tries lost methods that refer to something that is declared now. Their types
// are compiled again with them.
func (r *redefinition) reviveMethods() {
	r.revived = nil
	for _, name := range slices.Sorted(maps.Keys(r.base.lost)) {
		q := r.base.lost[name].method
		typ, _, _ := strings.Cut(name, ".")
		e := r.base.names[typ]
		if q == nil || r.stuck[q] || e == nil || e.decl == nil || r.declared[typ] || r.behind[e.decl] {
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

// hasAll says whether all that q refers to is there.
func (r *redefinition) hasAll(q *part) bool {
	for name := range q.uses {
		if r.base.names[name] == nil && !r.takes(name) {
			return false
		}
	}
	return true
}

// dropLost takes what is lost out of the plan, and what uses it.
func (r *redefinition) dropLost() {
	for again := true; again; {
		again = false
		for _, d := range r.sorted() {
			used := r.lostIn(d.old.parts[0])
			mine := r.base.names[d.label] != nil && r.lost[d.label] != nil
			if used == "" && !mine {
				continue
			}
			delete(r.carried, d.old)
			if mine || r.base.names[d.label] == nil { // it was lost before
				continue
			}
			for _, n := range r.remaining(d.old) {
				r.lost[n] = &loss{cell: r.src.Name, reason: "it uses " + used, decl: d.old}
			}
			again = true
		}
		for name, v := range r.moved {
			for typ := range mentioned(v.Type()) {
				if r.lost[typ] != nil && r.lost[name] == nil {
					r.lose(name, typ)
					again = true
				}
			}
		}
	}
	for name := range r.lost {
		delete(r.moved, name)
	}
}

// lostIn names something lost that q refers to, or "".
func (r *redefinition) lostIn(q *part) string {
	for _, name := range slices.Sorted(maps.Keys(r.lost)) {
		if q.uses[name] && !r.takes(name) {
			return name
		}
	}
	return ""
}

func (r *redefinition) lose(name, typ string) {
	r.lost[name] = &loss{cell: r.src.Name, reason: "its type " + typ + " changed"}
}

// loseMethod notes that a method is lost because it uses what is lost.
func (r *redefinition) loseMethod(typ string, q *part) {
	name := typ + "." + r.take(q, nil).method()
	r.lost[name] = &loss{cell: r.src.Name, reason: "it uses " + r.lostIn(q), method: q}
}

// lossOf is the message for a name that is not there any more, or "".
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

// notes are lines for the reader of the cell about what could not be kept.
func (r *redefinition) notes() string {
	var b strings.Builder
	for _, d := range slices.SortedFunc(maps.Keys(r.behind), func(a, b *decl) int { return slices.Compare(a.names, b.names) }) {
		e := r.base.names[d.names[0]]
		if e == nil || e.decl != d || d.behind {
			continue // it was lost, or said before
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
