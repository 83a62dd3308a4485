package session

import (
	"go/ast"
	"go/types"
	"strconv"
)

// grown is the program with what the cell declares.
func (s *Session) grown(c *checked, cell *emitted) *program {
	next := c.next()
	next.homes = cell.homes
	for _, spec := range c.imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if spec.Name != nil {
			if name := spec.Name.Name; name != "_" && name != "." {
				next.imports[name] = path
			}
		} else if pkg, err := s.importer.Import(path); err == nil {
			next.imports[pkg.Name()] = path
		}
	}
	return next
}

// next is the program with what the cell declares and changes.
func (c *checked) next() *program {
	next := c.base.clone()
	next.dots, next.composed = c.dots(), c.composed()
	c.addObjects(next)
	c.addDecls(next)
	c.markKeepsOld(next)
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

// addObjects adds what the cell has in its package, moved variables included.
func (c *checked) addObjects(next *program) {
	for _, name := range c.pkg.Scope().Names() {
		obj, old := c.pkg.Scope().Lookup(name), c.base.names[name]
		if c.fromC(obj) || old != nil && old.obj == obj {
			continue
		}
		next.names[name] = &entity{obj: obj, cell: c.src.Name}
		if c.moved[name] != nil {
			next.names[name].cell = old.cell
		}
	}
}

// addDecls adds how things are declared that were compiled with the cell.
func (c *checked) addDecls(next *program) {
	for _, d := range c.units {
		kept := c.recorded(d)
		for _, name := range d.names {
			next.names[name] = &entity{obj: next.names[name].obj, cell: d.parts[0].src.Name, decl: kept}
		}
	}
}

// markKeepsOld notes which declarations refer to what was before the cell.
func (c *checked) markKeepsOld(next *program) {
	for d := range c.keepsOld {
		kept := *d
		kept.keepsOld = true
		for _, name := range d.names {
			if e := next.names[name]; e != nil && e.decl == d {
				next.names[name] = &entity{obj: e.obj, cell: e.cell, decl: &kept}
			}
		}
	}
}

// recorded is what is kept of a decl that was checked.
func (c *checked) recorded(d *decl) *decl {
	kept := &decl{names: d.names}
	for _, q := range d.parts {
		r := &part{chunk: q.stripped(), uses: map[string]bool{}, imports: map[string]string{}, dots: q.dots}
		if !q.carried {
			r.dots = c.dots()
		}
		ast.Inspect(q.node(), func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch obj := c.info.Uses[id].(type) {
			case nil:
			case *types.PkgName:
				r.imports[id.Name] = obj.Imported().Path()
			default:
				if c.meaning(obj.Name()) == obj {
					r.uses[obj.Name()] = true
				}
			}
			return true
		})
		kept.parts = append(kept.parts, r)
	}
	return kept
}
