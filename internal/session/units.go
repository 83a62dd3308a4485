package session

import (
	"go/ast"
	"go/token"
	"slices"
)

// assembleUnits makes the declarations that are checked from the plan.
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

// addMethods adds the methods of a type of the cell that were declared in other cells
// than its old declaration. If the cell declares only methods, it adds the type, too.
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

// take returns a part of an earlier cell, parsed for this cell.
func (r *redefinition) take(q *part, c *carry) *part {
	if r.parsedParts[q] == nil {
		r.parsedParts[q] = r.again(q)
	}
	r.owner[r.parsedParts[q]] = c
	return r.parsedParts[q]
}

// blank replaces the names of constants that denote other objects by _. The values of the
// other constants in the group may depend on their number.
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

// files returns the files that are checked beside the cell's own: each carried part with the
// imports of its cell, and the moved variables. It adds to the names that are declared.
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
