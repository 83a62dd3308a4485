package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Variables declared by := and var at top level are in scope in the cell's funcs, which may be called later, but not in the
// statements above, nor in the expression that they are set to: in x := x + 1 the right x is that of an earlier cell, as it
// would be that of the enclosing block in Go. Such statements are checked in files of their own, in which the name denotes
// what it denoted before.

// firstSeen returns for each variable that the cell declares the index of the first chunk in which it is in scope. var
// declarations without statements between them can refer to each other, as in a package.
func (p *parsed) firstSeen() map[string]int {
	from := map[string]int{}
	known := 0 // index of the chunk after the last statement
	for i, ch := range p.chunks {
		if ch.decl == nil {
			known = i + 1
		}
		for _, d := range ch.definitions() {
			for _, id := range d.names {
				if _, seen := from[id.Name]; !seen && id.Name != "_" {
					from[id.Name] = known
				}
			}
		}
	}
	for _, ch := range p.chunks {
		for _, name := range ch.orderless() {
			delete(from, name)
		}
	}
	return from
}

// orderless returns the names that a declaration declares for the whole cell.
func (c *chunk) orderless() []string {
	switch d := c.decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			return []string{d.Specs[0].(*ast.TypeSpec).Name.Name}
		case token.CONST:
			return constNames(d)
		}
	}
	return nil
}

// An apart is a statement, or the values of a var declaration, before the declaration of names that it mentions.
type apart struct {
	file   *ast.File
	nodes  []ast.Expr // the expressions that mention the names; none for a whole statement
	stmt   ast.Stmt
	hidden map[string]bool // the names
}

// imports returns the added imports of names that denote packages in the statement and variables in the rest of the cell.
func (x *apart) imports(added map[string]string) []ast.Decl {
	var all []ast.Decl
	for name := range x.hidden {
		if path, ok := added[name]; ok {
			spec := &ast.ImportSpec{Name: ast.NewIdent(name), Path: stringLit(path)}
			all = append(all, &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}})
		}
	}
	return all
}

// hides returns the names that are mentioned in chunk i and not yet in scope there.
func hides[N ast.Node](from map[string]int, i int, nodes []N) map[string]bool {
	hidden := map[string]bool{}
	for _, n := range nodes {
		for name := range mentionedNames(n) {
			if from[name] > i {
				hidden[name] = true
			}
		}
	}
	return hidden
}

// wasKnown reports whether a name is defined without the cell.
func (p *program) wasKnown(name string) bool {
	return p.names[name] != nil || types.Universe.Lookup(name) != nil
}

// apartFile makes the file of a statement in which names are not yet in scope.
func (a *assembly) apartFile(x *apart, decls []ast.Decl, body ...ast.Stmt) {
	x.file = &ast.File{Name: ast.NewIdent("main"), Package: a.file.Package, Decls: decls}
	if len(body) > 0 {
		x.file.Decls = append(x.file.Decls, a.function(body))
	}
	a.c.aparts = append(a.c.aparts, x)
}

// splitVars moves those variables of a declaration into files of their own whose values mention names that are not yet in
// scope, and returns the declaration of the others.
func (a *assembly) splitVars(i int, d *ast.GenDecl) ast.Decl {
	rest := *d
	rest.Specs = nil
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		hidden := hides(a.from, i, v.Values)
		mentioned := hides(map[string]int{}, -1, v.Values)
		for _, id := range v.Names {
			if mentioned[id.Name] && a.c.base.wasKnown(id.Name) {
				hidden[id.Name] = true
			}
		}
		if len(hidden) == 0 {
			rest.Specs = append(rest.Specs, spec)
			continue
		}
		one := *d
		one.Specs = []ast.Spec{spec}
		a.apartFile(&apart{nodes: v.Values, hidden: hidden}, []ast.Decl{&one})
	}
	if len(rest.Specs) == 0 {
		return nil
	}
	return &rest
}

// undeclared returns errors for names that are used before the cell declares them and that were undefined before.
func (c *checked) undeclared() []types.Error {
	var problems []types.Error
	for _, x := range c.aparts {
		find := func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || !x.hidden[id.Name] {
				return true
			}
			if obj := c.info.Uses[id]; obj != nil && obj.Parent() == c.pkg.Scope() {
				problems = append(problems, types.Error{Fset: c.fset, Pos: id.Pos(), Msg: "undefined: " + id.Name})
			}
			return true
		}
		for _, n := range x.nodes {
			ast.Inspect(n, find)
		}
		if x.stmt != nil {
			ast.Inspect(x.stmt, find)
		}
	}
	return problems
}

// hiddenIn returns the names that denote in a file what they denoted before the cell.
func (c *checked) hiddenIn(f *ast.File) map[string]bool {
	for _, x := range c.aparts {
		if x.file == f {
			return x.hidden
		}
	}
	return nil
}

// isHidden reports whether a name denotes in some statement what it denoted before the cell.
func (c *checked) isHidden(name string) bool {
	return slices.ContainsFunc(c.aparts, func(x *apart) bool { return x.hidden[name] })
}

// hasNoType reports whether the variable that is declared at pos has no type because it is set to itself.
func (c *checked) hasNoType(pos token.Pos) bool {
	for id, obj := range c.info.Defs {
		if v, ok := obj.(*types.Var); ok && id.Pos() == pos {
			return v.Type() == types.Typ[types.Invalid]
		}
	}
	return false
}

// laterHint returns a hint at the declaration of a name that was used too early, or "".
func (c *checked) laterHint(pos token.Pos, name string) string {
	obj := c.pkg.Scope().Lookup(name)
	if obj == nil || !c.isHidden(name) {
		return ""
	}
	at, declared := c.fset.Position(pos), c.fset.Position(obj.Pos())
	if at.Line == declared.Line {
		return fmt.Sprintf("this is what declares %s, so it has no value yet", name)
	}
	return fmt.Sprintf("%s is declared in line %d: statements run in their order", name, declared.Line)
}

// keepsItself returns the variables that the cell sets to a value with a func in which their name denotes what it denoted
// before: in h := func() { h() } the inner h is that of an earlier cell.
func (p *parsed) keepsItself() []string {
	var names []string
	for _, ch := range p.chunks {
		for _, d := range ch.definitions() {
			inFuncs := namesInFuncs(d.values)
			for _, id := range d.names {
				if inFuncs[id.Name] {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// namesInFuncs returns the identifiers in the function literals of expressions.
func namesInFuncs(exprs []ast.Expr) map[string]bool {
	names := map[string]bool{}
	for _, x := range exprs {
		ast.Inspect(x, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncLit); ok {
				maps.Copy(names, mentionedNames(f))
			}
			return true
		})
	}
	return names
}
