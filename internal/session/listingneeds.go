package session

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// needs are the objects that the statements of the program use, directly or through others, and those that a name denotes
// at its end. A declaration that is compiled again with a later cell has a second object, and mostly the first one has no
// use then: a type whose methods follow in the next cell is declared once.
type needs struct {
	homes map[home]bool
	units []*unit
	uses  map[home]map[*listedCell]*useCount
}

// A unit is a declaration of a function, a type, a method or constants.
type unit struct {
	cell     *listedCell
	ch       *chunk
	declares []home
	of       home // the type of a method
	uses     map[home]bool
	needed   bool
}

// A useCount says how a cell uses a variable.
type useCount struct {
	inDecls bool // in declarations
	read    bool // in statements, other than to set it
}

func findNeeds(cells []*listedCell, end *program) *needs {
	n := &needs{homes: map[home]bool{}, uses: map[home]map[*listedCell]*useCount{}}
	for _, c := range cells {
		n.addUnits(c)
	}
	for _, c := range cells {
		n.addStatements(c)
	}
	for _, e := range end.names {
		if h, ok := end.homes[e.obj]; ok && e.decl != nil {
			n.homes[h] = true
		}
	}
	for n.grow(cells) {
	}
	for _, u := range n.units {
		if u.needed {
			for h := range u.uses {
				n.count(h, u.cell).inDecls = true
			}
		}
	}
	for _, c := range cells {
		for _, v := range c.fresh {
			if old := c.moved[v.Name()]; old != nil && n.homes[c.homes[v]] {
				n.count(c.homes[old], c).inDecls = true
			}
		}
	}
	return n
}

// addStatements adds what the statements of a cell use, and the functions that are called before and after them.
func (n *needs) addStatements(c *listedCell) {
	for _, ch := range c.bodyChunks() {
		for h := range c.homesIn(ch.node()) {
			n.homes[h] = true
			n.count(h, c)
		}
		for h := range c.readIn(ch.node()) {
			n.count(h, c).read = true
		}
	}
	called := c.initFuncs()
	if c.hasMain() {
		called = append(called, "main")
	}
	for _, name := range called {
		if obj, ok := c.meaning(name).(*types.Func); ok {
			n.homes[c.homes[obj]] = true
		}
	}
}

func (n *needs) count(h home, c *listedCell) *useCount {
	if n.uses[h] == nil {
		n.uses[h] = map[*listedCell]*useCount{}
	}
	if n.uses[h][c] == nil {
		n.uses[h][c] = &useCount{}
	}
	return n.uses[h][c]
}

// usedFrom reports whether cells from the index on use h.
func (n *needs) usedFrom(h home, index int) bool {
	for c := range n.uses[h] {
		if c.number > index {
			return true
		}
	}
	return false
}

// addUnits adds the declarations of a cell, types before their methods.
func (n *needs) addUnits(c *listedCell) {
	var first, rest []*unit
	for _, ch := range c.declChunks() {
		if c.merged[ch] {
			continue
		}
		u := &unit{cell: c, ch: ch, uses: c.homesIn(ch.node())}
		switch d := ch.decl.(type) {
		case *ast.FuncDecl:
			if id := receiverName(d); id != nil {
				u.of = c.homes[c.objectOf(id)]
			} else if obj := c.info.Defs[d.Name]; obj != nil {
				if h, ok := c.homes[obj]; ok {
					u.declares = []home{h}
				}
			}
			rest = append(rest, u)
		case *ast.GenDecl:
			for h := range c.homesIn(d) {
				if c.declaresIn(d, h) {
					u.declares = append(u.declares, h)
				}
			}
			first = append(first, u)
		}
	}
	n.units = append(n.units, slices.Concat(first, rest)...)
}

// declaresIn reports whether d declares the object at h.
func (c *listedCell) declaresIn(d *ast.GenDecl, h home) bool {
	found := false
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			found = found || c.homes[c.info.Defs[spec.Name]] == h
		case *ast.ValueSpec:
			for _, id := range spec.Names {
				found = found || c.info.Defs[id] != nil && c.homes[c.info.Defs[id]] == h
			}
		}
	}
	return found
}

// grow adds what the needed objects need, and reports whether there was anything.
func (n *needs) grow(cells []*listedCell) bool {
	before := len(n.homes)
	grew := false
	for _, u := range n.units {
		anonymous := len(u.declares) == 0 && u.of == home{}
		if u.needed || !anonymous && !n.homes[u.of] && !slices.ContainsFunc(u.declares, func(h home) bool { return n.homes[h] }) {
			continue
		}
		u.needed, grew = true, true
		maps.Copy(n.homes, u.uses)
		for _, h := range u.declares {
			n.homes[h] = true
		}
	}
	for _, c := range cells {
		for _, v := range c.fresh {
			if !n.homes[c.homes[v]] {
				continue
			}
			if old := c.moved[v.Name()]; old != nil {
				n.homes[c.homes[old]] = true
			}
			for h := range c.typeHomes(v.Type()) {
				n.homes[h] = true
			}
		}
	}
	return grew || len(n.homes) > before
}

// bodyChunks returns the chunks that are statements of the program: the cell's, and its declarations of variables.
func (c *listedCell) bodyChunks() []*chunk {
	return slices.DeleteFunc(slices.Clone(c.chunks), func(ch *chunk) bool { return ch.stmt == nil && len(assignmentsOf(ch)) == 0 })
}

// homesIn returns the objects of cells that are mentioned below a node.
func (c *listedCell) homesIn(node ast.Node) map[home]bool {
	found := map[home]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := c.objectOf(id); obj != nil {
				if h, ok := c.homes[obj]; ok {
					found[h] = true
				}
				if f, ok := obj.(*types.Var); ok && f.Embedded() {
					maps.Copy(found, c.typeHomes(f.Type()))
				}
			}
		}
		return true
	})
	return found
}

// readIn returns the variables that are mentioned other than to set them.
func (c *listedCell) readIn(node ast.Node) map[home]bool {
	set := map[ast.Node]bool{}
	found := map[home]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				set[x] = true
			}
		case *ast.IncDecStmt:
			set[n.X] = true
		case *ast.Ident:
			if obj := c.info.Uses[n]; obj != nil && !set[n] {
				if h, ok := c.homes[obj]; ok {
					found[h] = true
				}
			}
		}
		return true
	})
	return found
}

// typeHomes returns the types of cells that are mentioned in t.
func (c *listedCell) typeHomes(t types.Type) map[home]bool {
	found := homesOfType{c, map[home]bool{}}
	_, _ = typeText(t, found) // an error is found again when the text is needed
	return found.homes
}

// homesOfType is a namer that collects the types of cells.
type homesOfType struct {
	c     *listedCell
	homes map[home]bool
}

func (f homesOfType) cellType(obj *types.TypeName) (string, bool) {
	h, ok := f.c.homes[obj]
	if ok {
		f.homes[h] = true
	}
	return obj.Name(), ok
}

func (f homesOfType) cellMember(name string) string { return name }
func (f homesOfType) embedded(name string) string   { return name }
func (f homesOfType) alias(string) string           { return "" }
