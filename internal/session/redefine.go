package session

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A redefinition has the effects of a cell beyond the names that it declares itself:
//
//   - Declarations that refer to a func, type or const that the cell declares again are compiled
//     again with it, then those that refer to these, and so on. If one does not compile, the cell
//     does not.
//   - A variable whose type is compiled again is moved to storage of the new type if the layout is
//     the same. Otherwise it is lost, together with the funcs that use it.
//   - Declarations that refer to a package that was edited are compiled again with it as if its
//     name denoted another package, and variables of its types are moved.
//   - Declarations that refer to a name that denotes another kind of object, or a variable of
//     another type, are compiled again if possible. Otherwise they keep the old object.
//
// Some of this is only known after a check of the cell, so plan and check are repeated until
// nothing changes.
type redefinition struct {
	*parsed
	base *program
	own  []*decl
	// declared are the names that the cell declares itself, including variables and
	// imports, and decls those of funcs, types and constants.
	declared map[string]bool
	decls    map[string]bool

	retyped     map[string]bool  // variables of the cell that replace earlier ones, as with another type
	keepsOld    map[*decl]bool   // declarations that still refer to what a name denoted before the cell
	lost        map[string]*loss // names lost by this cell
	parsedParts map[*part]*part  // parts of earlier cells, parsed in this cell's file set
	failing     map[*part]bool   // lost methods that do not compile
	concluded   bool             // whether revise has added to the fields above
	importer    types.Importer

	// The following is computed again for each check.
	carried map[*decl]*carry       // declarations of the program
	moved   map[string]*types.Var  // variables of the program
	revived []*carry               // lost methods that are restored
	units   []*decl                // own and carried declarations, ready to be checked
	owner   map[*part]*carry       // the carry of each carried part
	dotted  map[*ast.File][]string // dot imports that a file has from its cell
}

// A carry is the reason why a decl of an earlier cell is compiled again.
type carry struct {
	old   *decl
	label string // the name, for messages
	cause string // name in the cell
	soft  bool   // whether it may keep the old meaning
	// method is set for a lost method. If it does not compile, it stays lost.
	method *part
}

func newRedefinition(p *parsed, base *program, importer types.Importer) *redefinition {
	r := &redefinition{
		parsed: p, base: base, importer: importer, declared: p.declares(), decls: map[string]bool{},
		retyped: map[string]bool{}, keepsOld: map[*decl]bool{}, lost: map[string]*loss{}, parsedParts: map[*part]*part{}, failing: map[*part]bool{},
	}
	for _, d := range p.declarations() {
		if d.parts[0].unchanged {
			continue
		}
		r.own = append(r.own, d)
		for _, name := range d.names {
			r.decls[name] = true
		}
	}
	for _, name := range p.keepsItself() {
		r.retyped[name] = base.names[name] != nil
	}
	for name, path := range p.importNames(importer) {
		if base.names[name] != nil && !r.takes(name) {
			r.lost[name] = &loss{cell: p.src.Name, reason: fmt.Sprintf("import %q has taken the name", path)}
		}
	}
	return r
}

// foreignReceiver returns an error if a method is declared for an alias of an earlier
// cell's type that is a pointer to it, or an instance of a generic type, or for a type
// that is declared with C names.
func (r *redefinition) foreignReceiver() error {
	aliases := r.aliases()
	for _, ch := range r.chunks {
		name := ch.receiver()
		if alias := aliases[name]; alias != nil {
			name = baseName(alias)
		}
		e := r.base.names[name]
		if e == nil || r.declared[name] || ch.unchanged {
			continue
		}
		pos := r.fset.Position(ch.decl.Pos())
		if t, ok := e.obj.(*types.TypeName); ok && (t.IsAlias() || name != ch.receiver()) {
			return problem(pos, "%s is another name for a type of an earlier cell: declare the method on the type itself", ch.receiver())
		}
		if e.decl != nil && e.decl.usesC() {
			return problem(pos, "%s is declared with C names in %s, which is not compiled again: declare the method there", ch.receiver(), e.cell)
		}
	}
	return nil
}

// plan determines the declarations and variables that the cell affects, as far as
// they are known.
func (r *redefinition) plan() {
	r.carried, r.moved = map[*decl]*carry{}, map[string]*types.Var{}
	for _, soft := range []bool{false, true} {
		for _, name := range slices.Sorted(maps.Keys(r.base.names)) {
			if r.isChanged(name) && r.isSoft(name) == soft {
				r.spread(name, name, soft)
			}
		}
	}
	r.spreadPackages()
	r.revive()
	r.reviveMethods()
	r.dropLost()
	r.assembleUnits()
}

// spreadPackages records what must be compiled again because a package was edited.
func (r *redefinition) spreadPackages() {
	for _, name := range slices.Sorted(maps.Keys(r.base.names)) {
		e := r.base.names[name]
		if r.takes(name) {
			continue
		}
		if v, ok := e.obj.(*types.Var); ok && r.moved[name] == nil {
			if path := r.outdatedIn(foreign(v.Type())); path != "" {
				r.moved[name] = v
				r.spread(name, path, true)
			}
		}
		if d := e.decl; d != nil && r.carried[d] == nil && !r.keepsOld[d] && !d.usesC() {
			if path := r.outdated(d); path != "" {
				r.carried[d] = &carry{old: d, label: name, cause: path, soft: true}
				for _, n := range r.remaining(d) {
					r.spread(n, path, true)
				}
			}
		}
	}
}

// outdated returns the path of a package that d was compiled with and that was
// edited since, or "".
func (r *redefinition) outdated(d *decl) string {
	for _, q := range d.parts {
		if path := r.outdatedIn(slices.Concat(slices.Collect(maps.Values(q.imports)), q.dots)); path != "" {
			return path
		}
	}
	return ""
}

func (r *redefinition) outdatedIn(paths []string) string {
	slices.Sort(paths)
	for _, path := range paths {
		if pkg, err := r.importer.Import(path); err == nil && pkg.Path() != path {
			return unversioned(path)
		}
	}
	return ""
}

// isChanged reports whether the cell changes the meaning of name.
func (r *redefinition) isChanged(name string) bool {
	if r.decls[name] {
		return true
	}
	return r.declared[name] && (r.base.names[name].decl != nil || r.retyped[name])
}

// isSoft reports whether declarations that refer to a changed name may keep
// the old meaning.
func (r *redefinition) isSoft(name string) bool {
	return !r.decls[name] || r.base.names[name].decl == nil
}

// spread records what must be compiled again because name changes.
func (r *redefinition) spread(name, cause string, soft bool) {
	for _, user := range slices.Sorted(maps.Keys(r.base.names)) {
		e := r.base.names[user]
		if r.takes(user) {
			continue
		}
		if e.decl != nil {
			if e.decl.usesC() {
				r.keepsOld[e.decl] = r.keepsOld[e.decl] || e.decl.uses(name)
				continue
			}
			if r.carried[e.decl] == nil && (!r.keepsOld[e.decl] || r.lost[user] != nil) && e.decl.uses(name) {
				r.carried[e.decl] = &carry{old: e.decl, label: user, cause: cause, soft: soft || r.misses(e.decl)}
				for _, n := range r.remaining(e.decl) {
					r.spread(n, cause, soft)
				}
			}
			continue
		}
		v, ok := e.obj.(*types.Var)
		if ok && r.moved[user] == nil && r.isType(name) && mentioned(v.Type())[name] {
			r.moved[user] = v
			r.spread(user, cause, soft)
		}
	}
}

// misses reports whether d refers to a name that was removed by Forget.
func (r *redefinition) misses(d *decl) bool {
	for _, q := range d.parts {
		for name := range q.uses {
			if r.base.names[name] == nil && !r.takes(name) {
				return true
			}
		}
	}
	return false
}

// takes reports whether the cell declares name.
func (r *redefinition) takes(name string) bool { return r.declared[name] || r.decls[name] }

// isType reports whether name denotes a type after the cell.
func (r *redefinition) isType(name string) bool {
	if r.declared[name] && !r.decls[name] {
		return false
	}
	for _, d := range r.own {
		if slices.Contains(d.names, name) {
			return d.isType()
		}
	}
	_, ok := r.base.names[name].obj.(*types.TypeName)
	return ok
}

// remaining returns the names that d still declares: neither this cell nor an earlier one
// has declared them again.
func (r *redefinition) remaining(d *decl) []string {
	return slices.DeleteFunc(slices.Clone(d.names), func(name string) bool {
		if e := r.base.names[name]; e != nil {
			return r.takes(name) || e.decl != d
		}
		l := r.base.lost[name]
		return r.takes(name) || l == nil || l.decl != d
	})
}

func (r *redefinition) sorted() []*carry {
	return slices.SortedFunc(maps.Values(r.carried), func(a, b *carry) int { return strings.Compare(a.label, b.label) })
}
