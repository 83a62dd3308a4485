package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A redefinition is what a cell changes beyond the names that it declares itself:
//
//   - What refers to a func, type or const that the cell declares anew is compiled again with
//     it, and what refers to that, and so on. If it does not compile, the cell does not.
//   - A variable whose type is compiled again moves to storage of the new type if the layout is
//     the same, else it is lost, and funcs that use it are lost with it.
//   - What refers to a package that was edited is compiled again with it as if its name meant
//     something else, and variables of its types move.
//   - What refers to a name that means another kind of thing now, or a variable of another
//     type, is compiled again if it can be, and else stays behind: it still means the old one.
//
// Which of these holds for what becomes known by checking the cell, so that is done again
// until nothing new comes up.
type redefinition struct {
	*parsed
	base *program
	own  []*decl
	// declared are the names that the cell declares itself, and by it those that are
	// variables and imports are not in decls.
	declared map[string]bool
	decls    map[string]bool

	retyped     map[string]bool  // variables of the cell that are others than before, as by another type
	behind      map[*decl]bool   // stay behind
	lost        map[string]*loss // by this cell
	parsedParts map[*part]*part  // of earlier cells, in this cell's file set
	stuck       map[*part]bool   // lost methods that do not compile
	importer    types.Importer

	// The following is worked out anew for each check.
	carried map[*decl]*carry       // of the program
	moved   map[string]*types.Var  // variables of the program
	revived []*carry               // lost methods that come back
	units   []*decl                // own and carried, ready to be checked
	owner   map[*part]*carry       // of the carried parts
	dotted  map[*ast.File][]string // dot imports that a file has from its cell
}

// A carry says why a decl of an earlier cell is compiled again.
type carry struct {
	old   *decl
	label string // the name, for messages
	cause string // what the cell declares
	soft  bool   // it may stay behind
	// method is set for one that was lost: it may stay so.
	method *part
}

func newRedefinition(p *parsed, base *program, importer types.Importer) *redefinition {
	r := &redefinition{
		parsed: p, base: base, importer: importer, declared: p.declares(), decls: map[string]bool{},
		retyped: map[string]bool{}, behind: map[*decl]bool{}, lost: map[string]*loss{}, parsedParts: map[*part]*part{}, stuck: map[*part]bool{},
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

// foreignReceiver is an error if a method is declared by another name for a type of an earlier
// cell that is a pointer to it, or an instance of something generic, or if it belongs to a
// type that is made with C.
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

// plan works out what goes with the cell, as far as is known.
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

// spreadPackages notes what must be compiled again because a package was edited.
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
		if d := e.decl; d != nil && r.carried[d] == nil && !r.behind[d] && !d.usesC() {
			if path := r.outdated(d); path != "" {
				r.carried[d] = &carry{old: d, label: name, cause: path, soft: true}
				for _, n := range r.remaining(d) {
					r.spread(n, path, true)
				}
			}
		}
	}
}

// outdated is the path of a package that d was compiled with and that was edited since, or "".
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

// isChanged says whether the cell makes name mean something else.
func (r *redefinition) isChanged(name string) bool {
	if r.decls[name] {
		return true
	}
	return r.declared[name] && (r.base.names[name].decl != nil || r.retyped[name])
}

// isSoft says whether what refers to a changed name may stay behind.
func (r *redefinition) isSoft(name string) bool {
	return !r.decls[name] || r.base.names[name].decl == nil
}

// spread notes what must be compiled again because name changes.
func (r *redefinition) spread(name, cause string, soft bool) {
	for _, user := range slices.Sorted(maps.Keys(r.base.names)) {
		e := r.base.names[user]
		if r.takes(user) {
			continue
		}
		if e.decl != nil {
			if e.decl.usesC() {
				r.behind[e.decl] = r.behind[e.decl] || e.decl.uses(name)
				continue
			}
			if r.carried[e.decl] == nil && (!r.behind[e.decl] || r.lost[user] != nil) && e.decl.uses(name) {
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

// misses says whether d refers to something that was forgotten.
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

// takes says whether the cell makes name its own.
func (r *redefinition) takes(name string) bool { return r.declared[name] || r.decls[name] }

// isType says whether name will be a type.
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

// remaining lists the names that d keeps: neither this cell nor an earlier one has taken them.
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

// assembleUnits makes what is checked out of what was planned.
func (r *redefinition) assembleUnits() {
	r.units, r.owner = nil, map[*part]*carry{}
	for _, d := range r.own {
		unit := &decl{names: d.names, parts: slices.Clone(d.parts)}
		e := r.base.names[d.names[0]]
		if d.isType() && e != nil && e.decl != nil {
			r.addMethods(unit, e.decl)
		}
		r.units = append(r.units, unit)
	}
	for _, c := range r.sorted() {
		unit := &decl{names: r.remaining(c.old)}
		for i, q := range c.old.parts {
			if i > 0 && r.lostIn(q) != "" {
				r.loseMethod(c.label, q)
				continue
			}
			unit.parts = append(unit.parts, r.take(q, c))
		}
		blank(unit)
		r.units = append(r.units, unit)
	}
	for _, c := range r.revived {
		method := r.take(c.method, c)
		for _, unit := range r.units {
			if unit.names[0] == c.label && !slices.ContainsFunc(unit.parts, func(q *part) bool { return q.method() == method.method() }) {
				unit.parts = append(unit.parts, method)
			}
		}
	}
}

// addMethods gives a type of the cell the methods that other cells than its old one have
// declared. A cell that only adds methods gets the type as well.
func (r *redefinition) addMethods(unit, old *decl) {
	name := unit.names[0]
	c := &carry{old: old, label: name, cause: name}
	var parts []*part
	declared := map[string]bool{}
	onlyMethods := unit.parts[0].receiver() != ""
	for _, own := range unit.parts {
		declared[own.method()] = true
	}
	for i, q := range old.parts {
		switch fresh := r.take(q, c); {
		case i == 0 && !onlyMethods, i > 0 && declared[fresh.method()]:
		case i > 0 && !onlyMethods && q.src == old.parts[0].src:
		case i > 0 && r.lostIn(q) != "":
			r.loseMethod(name, q)
		default:
			parts = append(parts, fresh)
		}
	}
	if onlyMethods {
		unit.parts = append(parts, unit.parts...)
	} else {
		unit.parts = append(unit.parts, parts...)
	}
}

// take parses a part of an earlier cell.
func (r *redefinition) take(q *part, c *carry) *part {
	if r.parsedParts[q] == nil {
		r.parsedParts[q] = r.again(q)
	}
	r.owner[r.parsedParts[q]] = c
	return r.parsedParts[q]
}

// blank takes away the names of constants that mean something else now. The others of
// their group may count on their place.
func blank(d *decl) {
	g, ok := d.parts[0].decl.(*ast.GenDecl)
	if !ok || g.Tok != token.CONST {
		return
	}
	for _, spec := range g.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			if id.Name != "_" && !slices.Contains(d.names, id.Name) {
				d.parts[0].replace(id, "_")
			}
		}
	}
}

// files are what is checked beside the cell's own file: each carried part with the imports
// of its cell, and the moved variables. They also declare names.
func (r *redefinition) files(declared map[string]bool) []*ast.File {
	var files []*ast.File
	r.dotted = map[*ast.File][]string{}
	for _, d := range r.units {
		for _, q := range d.parts {
			if !q.carried {
				continue
			}
			f := &ast.File{Name: ast.NewIdent("main"), Package: token.Pos(q.file.Base())}
			for _, spec := range q.specs() {
				f.Decls = append(f.Decls, &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}})
			}
			f.Decls = append(f.Decls, q.decl)
			files = append(files, f)
			r.dotted[f] = q.dots
		}
		for _, name := range d.names {
			declared[name] = true
		}
	}
	if len(r.moved) > 0 {
		files = append(files, r.movedFile())
	}
	for name := range r.moved {
		declared[name] = true
	}
	for name := range r.lost {
		declared[name] = true
	}
	return files
}

// revise draws conclusions from a check: what can't be kept. It says whether the plan has
// changed because of them.
func (r *redefinition) revise(c *checked, problems []types.Error) bool {
	changed, own := false, false
	for _, e := range problems {
		if c.fset.Position(e.Pos).Filename == movedName {
			if name := r.movedAt(c, e.Pos); r.lost[name] == nil {
				r.lose(name, r.changedIn(r.moved[name].Type()))
				changed = true
			}
			continue
		}
		q := r.carriedAt(e.Pos)
		if q == nil {
			own = true
			continue
		}
		switch by := r.owner[q]; {
		case by.method != nil:
			changed = changed || !r.stuck[by.method]
			r.stuck[by.method] = true
		case by.soft:
			changed = changed || !r.behind[by.old]
			r.behind[by.old] = true
		case by.old.behind && r.carried[by.old] != nil:
			for _, n := range r.remaining(by.old) {
				changed = changed || r.lost[n] == nil
				r.lost[n] = &loss{cell: r.src.Name, reason: "it does not compile with " + by.cause, decl: by.old}
			}
			r.behind[by.old] = true
		}
	}
	if changed || own {
		return changed
	}
	for name, v := range r.moved {
		now := c.pkg.Scope().Lookup(name)
		if now == nil || !sameLayout(v.Type(), now.Type()) {
			r.lose(name, r.changedIn(v.Type()))
			changed = true
		}
	}
	if changed || len(problems) > 0 {
		return changed
	}
	for name := range r.declared {
		old := r.base.names[name]
		if old == nil || r.decls[name] || r.retyped[name] {
			continue
		}
		v, ok := old.obj.(*types.Var)
		if now := c.pkg.Scope().Lookup(name); ok && now != nil && !types.Identical(v.Type(), now.Type()) {
			r.retyped[name] = true
			changed = true
		}
	}
	return changed
}

// carriedAt is the part of an earlier cell that pos lies in, or nil.
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

// inEarlier says of a problem in an earlier cell what it has to do with this one.
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

// next is the program with what the cell declares and changes.
func (c *checked) next() *program {
	next := c.base.clone()
	next.dots, next.composed = c.dots(), c.composed()
	for _, name := range c.pkg.Scope().Names() {
		obj := c.pkg.Scope().Lookup(name)
		if c.fromC(obj) {
			continue
		}
		if old := c.base.names[name]; old == nil || old.obj != obj {
			next.names[name] = &entity{obj: obj, cell: c.src.Name}
			if c.moved[name] != nil {
				next.names[name].cell = old.cell
			}
		}
	}
	for _, d := range c.units {
		kept := c.recorded(d)
		for _, name := range d.names {
			next.names[name] = &entity{obj: next.names[name].obj, cell: d.parts[0].src.Name, decl: kept}
		}
	}
	for d := range c.behind {
		kept := *d
		kept.behind = true
		for _, name := range d.names {
			if e := next.names[name]; e != nil && e.decl == d {
				next.names[name] = &entity{obj: e.obj, cell: e.cell, decl: &kept}
			}
		}
	}
	for name, l := range c.lost {
		delete(next.names, name)
		next.lost[name] = l
	}
	for _, d := range c.units {
		for _, q := range d.parts {
			delete(next.lost, d.names[0]+"."+q.method())
		}
	}
	for name, e := range next.names {
		delete(next.lost, name)
		if e.cell == predeclared {
			delete(next.names, name)
		}
	}
	return next
}
