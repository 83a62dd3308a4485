package session

import (
	"go/ast"
	"go/types"
	"strconv"
)

// grown returns the program after the cell.
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

// next returns the program after the cell, without the homes of its objects.
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

// addObjects adds the objects of the cell's package, including moved variables.
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

// addDecls adds the declarations that were compiled with the cell.
func (c *checked) addDecls(next *program) {
	for _, d := range c.units {
		kept := c.recorded(d)
		for _, name := range d.names {
			next.names[name] = &entity{obj: next.names[name].obj, cell: d.parts[0].src.Name, decl: kept}
		}
	}
}

// markKeepsOld marks the declarations that refer to what a name denoted before the cell.
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

// recorded returns the copy of a checked decl that is kept.
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
