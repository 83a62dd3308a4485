package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
)

// A decl is a func, a const declaration, or a type with its methods, kept so that it can be compiled again when a
// declaration that it refers to changes. It is immutable once it is part of a program.
type decl struct {
	names    []string // those that this decl still declares
	parts    []*part  // a type is followed by its methods
	keepsOld bool     // whether it could not be compiled again and still refers to the previous declarations
}

// A part is a contiguous piece of a decl in one cell.
type part struct {
	*chunk
	carried bool              // from an earlier cell
	uses    map[string]bool   // names of cells that it refers to
	imports map[string]string // package name → path
	dots    []string          // paths of dot imports of its cell and of earlier ones
}

func (d *decl) uses(name string) bool {
	return slices.ContainsFunc(d.parts, func(p *part) bool { return p.uses[name] })
}

// isType reports whether d declares a type, or methods of one.
func (d *decl) isType() bool {
	g, ok := d.parts[0].decl.(*ast.GenDecl)
	return d.parts[0].receiver() != "" || ok && g.Tok == token.TYPE
}

// declarations returns the cell's declarations that can be compiled again. Methods of types that the cell does not declare
// are decls of their own, whose first part is a method.
func (p *parsed) declarations() []*decl {
	var all []*decl
	byType := map[string]*decl{}
	for _, ch := range p.chunks {
		switch d := ch.decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" && d.Name.Name != "_" {
				all = append(all, &decl{names: []string{d.Name.Name}, parts: []*part{{chunk: ch}}})
			}
		case *ast.GenDecl:
			switch d.Tok {
			case token.TYPE:
				name := d.Specs[0].(*ast.TypeSpec).Name.Name
				if name == "_" {
					continue
				}
				byType[name] = &decl{names: []string{name}, parts: []*part{{chunk: ch}}}
				all = append(all, byType[name])
			case token.CONST:
				if names := constNames(d); len(names) > 0 {
					all = append(all, &decl{names: names, parts: []*part{{chunk: ch}}})
				}
			}
		}
	}
	for _, ch := range p.chunks {
		name := ch.receiver()
		if name == "" {
			continue
		}
		if byType[name] == nil {
			byType[name] = &decl{names: []string{name}}
			all = append(all, byType[name])
		}
		byType[name].parts = append(byType[name].parts, &part{chunk: ch})
	}
	return all
}

func constNames(d *ast.GenDecl) []string {
	var names []string
	for _, spec := range d.Specs {
		for _, id := range spec.(*ast.ValueSpec).Names {
			if id.Name != "_" {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// A definition declares variables at top level: a statement with :=, or a line of a var declaration.
type definition struct {
	names  []*ast.Ident
	values []ast.Expr
}

// definitions returns the definitions in the chunk.
func (c *chunk) definitions() []definition {
	if s, ok := c.stmt.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
		d := definition{values: s.Rhs}
		for _, x := range s.Lhs {
			id, ok := x.(*ast.Ident)
			if !ok { // the check reports it
				id = ast.NewIdent("_")
			}
			d.names = append(d.names, id)
		}
		return []definition{d}
	}
	var all []definition
	for _, a := range assignmentsOf(c) {
		all = append(all, definition{a.spec.Names, a.spec.Values})
	}
	return all
}

// receiver returns the name of the type that the chunk declares a method of, or "".
func (c *chunk) receiver() string {
	d, ok := c.decl.(*ast.FuncDecl)
	if !ok || d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	return baseName(d.Recv.List[0].Type)
}

// receiverName returns the type's identifier in the receiver of a method on a type T or *T, or nil.
func receiverName(d ast.Decl) *ast.Ident {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || len(f.Recv.List) == 0 {
		return nil
	}
	x := ast.Unparen(f.Recv.List[0].Type)
	if star, ok := x.(*ast.StarExpr); ok {
		x = ast.Unparen(star.X)
	}
	id, _ := x.(*ast.Ident)
	return id
}

// resolveReceivers replaces aliases in the receivers of methods by the type's name: its declaration may be in another cell,
// which the type checker would not allow.
func (p *parsed) resolveReceivers(base *program) {
	aliases := p.aliases()
	for _, ch := range p.chunks {
		id := receiverName(ch.decl)
		if id == nil {
			continue
		}
		name := id.Name
		for range len(aliases) + 1 {
			if next, ok := aliases[name].(*ast.Ident); ok {
				name = next.Name
			} else if aliases[name] == nil && base.names[name] != nil {
				name = base.names[name].aliased(base)
			}
		}
		if name != id.Name {
			ch.recv = name
			ch.replace(id, name)
		}
	}
}

// aliases returns the types that the cell declares aliases of, by the alias.
func (p *parsed) aliases() map[string]ast.Expr {
	found := map[string]ast.Expr{}
	for _, ch := range p.chunks {
		if g, ok := ch.decl.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			if spec := g.Specs[0].(*ast.TypeSpec); spec.Assign.IsValid() && spec.TypeParams == nil {
				found[spec.Name.Name] = spec.Type
			}
		}
	}
	return found
}

// aliased returns the name of the type that e is an alias of, if a cell has declared that type and it still has that name,
// or else e's own name.
func (e *entity) aliased(p *program) string {
	alias, ok := e.obj.Type().(*types.Alias)
	if _, isType := e.obj.(*types.TypeName); !ok || !isType {
		return e.obj.Name()
	}
	named, ok := types.Unalias(alias).(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 || p.names[named.Obj().Name()] == nil || p.names[named.Obj().Name()].obj != named.Obj() {
		return e.obj.Name()
	}
	return named.Obj().Name()
}

// baseName returns the name of the type that x is, or points to, without type arguments, or "".
func baseName(x ast.Expr) string {
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// method returns the name of the method that the chunk declares, or "".
func (c *chunk) method() string {
	if c.receiver() == "" {
		return ""
	}
	return c.decl.(*ast.FuncDecl).Name.Name
}

// skipUnchanged marks the declarations that are in the program with the same text as unchanged: when a cell is run again,
// its variables keep their types. It returns the program with these declarations at their new positions, for errors in them.
// imports are the packages that names denote in the cell, as far as they are known.
func (p *parsed) skipUnchanged(base *program, imports map[string]string) *program {
	p.resolveReceivers(base)
	declared, all := p.declares(), p.declarations()
	here := map[*decl]*decl{}
	seen := map[string]bool{}
	for _, d := range all {
		if old := base.declOf(d.names); old != nil && !old.keepsOld && !base.stale[old] && !seen[d.names[0]] {
			here[d] = old.at(d, func(q *part) bool { return base.meansTheSame(q, declared, imports) })
		}
		seen[d.names[0]] = true
		d.setUnchanged(here[d] != nil)
	}
	next := base.clone()
	rest := p.declares()
	for _, d := range all {
		switch {
		case here[d] == nil:
		case slices.ContainsFunc(d.names, func(name string) bool { return rest[name] }):
			d.setUnchanged(false) // it is in the cell twice, which the check reports
		default:
			for _, name := range d.names {
				next.names[name] = &entity{obj: base.names[name].obj, cell: p.src.Name, decl: here[d]}
			}
		}
	}
	return next
}

func (d *decl) setUnchanged(unchanged bool) {
	for _, q := range d.parts {
		q.unchanged = unchanged
	}
}

// meansTheSame reports whether q, which is part of the program, would mean the same in a cell that declares and
// imports these names.
func (p *program) meansTheSame(q *part, declared map[string]bool, imports map[string]string) bool {
	if q.imports[cgoPackage] != "" {
		return false // the C code may have changed
	}
	for name, path := range q.imports {
		if now, ok := imports[name]; ok && now != path || declared[name] {
			return false
		}
	}
	for name := range q.uses {
		if p.names[name] == nil && !declared[name] {
			return false
		}
	}
	return true
}

// at returns d with the positions of own, which a cell declares, or nil if own has another text.
func (d *decl) at(own *decl, same func(*part) bool) *decl {
	moved := *d
	moved.parts = slices.Clone(d.parts)
	found := map[int]bool{}
	for _, q := range own.parts {
		i := slices.IndexFunc(d.parts, func(old *part) bool { return old.sameAs(q.chunk) })
		if i < 0 || found[i] || !same(d.parts[i]) {
			return nil
		}
		found[i] = true
		here := *d.parts[i]
		here.chunk = q.stripped()
		moved.parts[i] = &here
	}
	// Methods that were in the cell of their type are removed if they are not in this cell.
	for i, q := range d.parts {
		if own.parts[0].receiver() == "" && !found[i] && q.src == d.parts[0].src {
			return nil
		}
	}
	return &moved
}

// declOf returns the decl that declares exactly these names, or nil.
func (p *program) declOf(names []string) *decl {
	e := p.names[names[0]]
	if e == nil || e.decl == nil || !slices.Equal(e.decl.names, names) {
		return nil
	}
	for _, name := range names {
		if other := p.names[name]; other == nil || other.decl != e.decl {
			return nil
		}
	}
	return e.decl
}

// sameAs reports whether other has the same text.
func (c *chunk) sameAs(other *chunk) bool {
	return c.keyword+c.text == other.keyword+other.text && c.recv == other.recv
}

// stripped returns the chunk without the result of parsing.
func (c *chunk) stripped() *chunk {
	return &chunk{src: c.src, text: c.text, start: c.start, line: c.line, col: c.col, keyword: c.keyword, recv: c.recv}
}

// again parses a part of an earlier cell.
func (p *parsed) again(q *part) *part {
	fresh := *q
	fresh.chunk = q.stripped()
	fresh.carried = true
	// It was parsed before.
	if err := p.parseText(fresh.chunk); err != nil {
		panic("a declaration does not parse again: " + err.Error())
	}
	return &fresh
}

// meaning returns the object that a name denotes at the top level of the cell, or nil.
func (c *checked) meaning(name string) types.Object {
	if obj := c.pkg.Scope().Lookup(name); obj != nil {
		return obj
	}
	if e := c.base.names[name]; e != nil {
		return e.obj
	}
	return nil
}

// dots returns the packages that the cell or an earlier one imports with a dot.
func (c *checked) dots() []string {
	paths := slices.Clone(c.base.dots)
	for _, spec := range c.imports {
		if path, _ := strconv.Unquote(spec.Path.Value); spec.Name != nil && spec.Name.Name == "." && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// specs returns the imports that the part needs, without dot imports.
func (q *part) specs() []ast.Spec {
	var specs []ast.Spec
	for _, name := range slices.Sorted(maps.Keys(q.imports)) {
		specs = append(specs, &ast.ImportSpec{Name: ast.NewIdent(name), Path: stringLit(q.imports[name])})
	}
	return specs
}
