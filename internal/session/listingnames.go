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

// A naming has the names of the objects and packages in a listing. An object keeps its name if it is the only one of that name at package
// level and the name is free there; a number is added to those of the others.
type naming struct {
	taken   map[string]bool // names at package level, and everything that is mentioned in cells
	given   map[home]string
	imports map[string]string // path → name
	blank   map[string]bool   // paths that are imported for their effects
	inits   map[*ast.FuncDecl]string
}

func newNaming(g *Listing) *naming {
	n := &naming{
		taken: map[string]bool{"main": true, "init": true}, given: map[home]string{}, imports: map[string]string{}, blank: map[string]bool{},
		inits: map[*ast.FuncDecl]string{},
	}
	reserved := n.survey(g)
	n.nameImports(g)
	for _, name := range n.imports {
		reserved[name] = true
	}
	for _, name := range types.Universe.Names() {
		if _, isType := types.Universe.Lookup(name).(*types.TypeName); isType {
			reserved[name] = true
		}
	}
	for _, name := range []string{"main", "init", HelperMust, HelperDisplay} {
		reserved[name] = true
	}
	n.nameObjects(g, reserved)
	return n
}

// survey adds all names that cells mention to those that are taken. It returns the predeclared ones that they use as such.
func (n *naming) survey(g *Listing) map[string]bool {
	predeclared := map[string]bool{}
	g.everywhere(func(c *listedCell, id *ast.Ident) {
		n.taken[id.Name] = true
		if obj := c.info.Uses[id]; obj != nil && obj.Parent() == types.Universe {
			predeclared[id.Name] = true
		}
	})
	return predeclared
}

// everywhere calls f with each identifier of the program.
func (g *Listing) everywhere(f func(*listedCell, *ast.Ident)) {
	visit := func(c *listedCell, ch *chunk) {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				f(c, id)
			}
			return true
		})
	}
	for _, u := range g.needs.units {
		if u.needed {
			visit(u.cell, u.ch)
		}
	}
	for _, c := range g.cells {
		for _, ch := range c.bodyChunks() {
			visit(c, ch)
		}
	}
}

// nameImports names the packages that the cells mention: as all cells do, or else by their own name if it is not mentioned.
func (n *naming) nameImports(g *Listing) {
	var paths []string
	spelled := map[string]map[string]bool{}
	own := map[string]string{}
	g.everywhere(func(c *listedCell, id *ast.Ident) {
		obj := c.info.Uses[id]
		var pkg *types.Package
		as := ""
		if name, ok := obj.(*types.PkgName); ok {
			pkg, as = name.Imported(), id.Name
		} else if obj != nil && !fromCell(obj) && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			pkg = obj.Pkg() // after a dot, which has its package before it, or from a dot import
		}
		if pkg == nil || c.homes[obj] != (home{}) {
			return
		}
		path := unversioned(pkg.Path())
		if spelled[path] == nil {
			spelled[path] = map[string]bool{}
			paths = append(paths, path)
		}
		own[path] = pkg.Name()
		if as != "" {
			spelled[path][as] = true
		}
	})
	used := map[string]bool{}
	for _, path := range paths {
		names := slices.Sorted(maps.Keys(spelled[path]))
		name := own[path]
		if len(names) == 1 {
			name = names[0]
		}
		if used[name] || len(names) != 1 && n.taken[name] {
			name = n.Fresh(name)
		}
		used[name], n.taken[name] = true, true
		n.imports[path] = name
	}
	for _, c := range g.cells {
		for _, spec := range c.checked.imports {
			if spec.Name != nil && spec.Name.Name == "_" {
				n.blank[strings.Trim(spec.Path.Value, "`\"")] = true
			}
		}
	}
}

// nameObjects names the objects at package level. Of those with one name the last type keeps it, as programs can print the names of types, or
// else the first object.
func (n *naming) nameObjects(g *Listing, reserved map[string]bool) {
	var order []home
	isType := map[home]bool{}
	for _, c := range g.cells {
		for _, name := range c.pkg.Scope().Names() {
			obj := c.pkg.Scope().Lookup(name)
			h, ok := c.homes[obj]
			if !ok || !g.needs.homes[h] || g.local[h] || isType[h] || slices.Contains(order, h) {
				continue
			}
			order = append(order, h)
			_, isType[h] = obj.(*types.TypeName)
		}
	}
	keeps := map[string]home{}
	for _, h := range order {
		base := h.base()
		if _, found := keeps[base]; !found || isType[h] {
			keeps[base] = h
		}
	}
	for _, h := range order {
		base := h.base()
		if keeps[base] == h && !reserved[base] {
			n.given[h] = base
			n.taken[base] = true
		}
	}
	for _, h := range order {
		if n.given[h] == "" {
			n.given[h] = n.Fresh(h.base())
		}
	}
}

// base returns the name in the cell.
func (h home) base() string { return strings.TrimPrefix(h.name, prefix) }

// Fresh returns the name, or the name with a number if it is taken, and takes it.
func (n *naming) Fresh(name string) string {
	fresh := name
	for i := 2; n.taken[fresh] || types.Universe.Lookup(fresh) != nil || token.IsKeyword(fresh); i++ {
		fresh = fmt.Sprintf("%s%d", name, i)
	}
	n.taken[fresh] = true
	return fresh
}

// Import returns the name under which the program imports a package. base is the package's own name.
func (n *naming) Import(path, base string) string {
	if n.imports[path] == "" {
		n.imports[path] = n.Fresh(base)
	}
	return n.imports[path]
}

// Imports reports whether the program imports the package, or one whose path begins with it and a slash.
func (n *naming) Imports(path string) bool {
	for p := range n.imports {
		if p == path || strings.HasPrefix(p, path+"/") {
			return true
		}
	}
	return false
}

// ImportDeclarations returns the specifications of the imports, those of the standard library first.
func (n *naming) ImportDeclarations() string {
	var std, others []string
	add := func(line, path string) {
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	for path, name := range n.imports {
		line := fmt.Sprintf("%q", path)
		if name != packageBase(path) {
			line = name + " " + line
		}
		add(line, path)
	}
	for path := range n.blank {
		if n.imports[path] == "" {
			add(fmt.Sprintf("_ %q", path), path)
		}
	}
	byPath := func(a, b string) int { return strings.Compare(a[strings.Index(a, `"`):], b[strings.Index(b, `"`):]) }
	slices.SortFunc(std, byPath)
	slices.SortFunc(others, byPath)
	return strings.Join(std, "\n") + "\n\n" + strings.Join(others, "\n") + "\n"
}
