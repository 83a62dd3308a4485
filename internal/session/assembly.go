package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// assemble returns the file to check, the names that it declares, and problems found on the way.
func (c *checked) assemble(added map[string]string) (*ast.File, map[string]bool, []types.Error) {
	a := assembly{c: c, declared: map[string]bool{}, from: c.firstSeen(), file: &ast.File{Name: ast.NewIdent("main")}}
	c.imports, c.aparts = nil, nil
	if len(c.chunks) > 0 {
		a.file.Package = token.Pos(c.chunks[0].file.Base())
	}
	for i, ch := range c.chunks {
		if ch.decl != nil && !ch.unchanged {
			a.decl(i, ch.decl)
		}
	}
	for i, ch := range c.chunks {
		if ch.stmt != nil {
			a.stmt(i, ch)
		}
	}
	for name, path := range added {
		if !a.declared[name] {
			a.addImport(&ast.ImportSpec{Name: ast.NewIdent(name), Path: stringLit(path)})
		}
	}
	for _, x := range c.aparts {
		x.file.Decls = slices.Concat(a.importDecls, x.imports(added), x.file.Decls)
	}
	a.file.Decls = append(append(a.importDecls, a.decls...), a.function(a.body))
	return a.file, a.declared, a.problems
}

type assembly struct {
	c           *checked
	file        *ast.File
	importDecls []ast.Decl
	decls       []ast.Decl
	body        []ast.Stmt
	declared    map[string]bool
	from        map[string]int // index of the first chunk in which a name has the cell's meaning
	problems    []types.Error
}

// function returns a func that holds statements of the cell.
func (a *assembly) function(body []ast.Stmt) *ast.FuncDecl {
	f := &ast.FuncDecl{Name: ast.NewIdent("_"), Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{List: body}}
	if n := len(a.c.chunks); n > 0 {
		last := a.c.chunks[n-1].file
		f.Body.Lbrace, f.Body.Rbrace = a.file.Package, token.Pos(last.Base()+last.Size())
	}
	return f
}

// addImport adds an import, unless the cell has the same one already, as a file that was pasted with its test does.
func (a *assembly) addImport(spec *ast.ImportSpec) {
	same := func(other *ast.ImportSpec) bool {
		return other.Path.Value == spec.Path.Value && (other.Name == nil) == (spec.Name == nil) && (spec.Name == nil || spec.Name.Name == other.Name.Name)
	}
	if slices.ContainsFunc(a.c.imports, same) {
		return
	}
	a.c.imports = append(a.c.imports, spec)
	a.importDecls = append(a.importDecls, &ast.GenDecl{Tok: token.IMPORT, TokPos: spec.Path.ValuePos, Specs: []ast.Spec{spec}})
}

func (a *assembly) decl(i int, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			a.declared[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ImportSpec:
				a.addImport(spec)
			case *ast.TypeSpec:
				a.declared[spec.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					a.declared[name.Name] = true
				}
			}
		}
		if d.Tok == token.IMPORT {
			return
		}
		if d.Tok == token.VAR && a.file != nil {
			if rest := a.splitVars(i, d); rest != nil {
				a.decls = append(a.decls, rest)
			}
			return
		}
	}
	a.decls = append(a.decls, d)
}

// stmt adds a top-level statement. A short variable declaration becomes a declaration of those of its variables that the
// cell has not declared yet, and an assignment if there are others.
func (a *assembly) stmt(i int, ch *chunk) {
	stmt := ch.stmt
	switch s := ch.stmt.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			a.define(i, s)
			return
		}
	case *ast.ExprStmt:
		if _, call := s.X.(*ast.CallExpr); !call || a.c.asValue[ch] {
			stmt = &ast.AssignStmt{Lhs: []ast.Expr{ast.NewIdent("_")}, TokPos: s.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{s.X}}
		}
	}
	if hidden := hides(a.from, i, []ast.Stmt{ch.stmt}); len(hidden) > 0 {
		a.apartFile(&apart{stmt: ch.stmt, hidden: hidden}, nil, stmt)
		return
	}
	a.body = append(a.body, stmt)
}

func (a *assembly) define(i int, s *ast.AssignStmt) {
	spec := &ast.ValueSpec{Values: s.Rhs}
	known := false
	for _, lhs := range s.Lhs {
		id, ok := lhs.(*ast.Ident)
		switch {
		case !ok:
			if x, ok := lhs.(*ast.BinaryExpr); ok && x.Op == token.SUB {
				a.report(lhs.Pos(), "a name has no - in it: write myName, or my_name")
				return
			}
			a.report(lhs.Pos(), "only a name can stand on the left of := ; use = to assign to an element or a field")
			return
		case id.Name == "_":
			spec.Names = append(spec.Names, id)
		case a.declared[id.Name]:
			known = true
			spec.Names = append(spec.Names, &ast.Ident{NamePos: id.NamePos, Name: "_"})
		default:
			spec.Names = append(spec.Names, id)
		}
	}
	fresh := 0
	for _, name := range spec.Names {
		if name.Name != "_" {
			a.declared[name.Name] = true
			fresh++
		}
	}
	if onlyBlank := !known && fresh == 0; onlyBlank {
		a.report(s.TokPos, "no new variables on left side of := (_ is none; write = to drop a value)")
		return
	}
	if fresh == 0 {
		a.report(s.TokPos, "no new variables on left side of := (this cell has declared them already; use = to assign)")
		return
	}
	decl := &ast.GenDecl{Tok: token.VAR, TokPos: s.Pos(), Specs: []ast.Spec{spec}}
	set := &ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: token.ASSIGN, Rhs: s.Rhs}
	if hidden := hides(a.from, i, s.Rhs); len(hidden) > 0 {
		var body []ast.Stmt
		if known {
			set.Lhs = slices.Clone(s.Lhs)
			for j, name := range spec.Names {
				if name.Name != "_" {
					set.Lhs[j] = &ast.Ident{NamePos: name.NamePos, Name: "_"}
				}
			}
			body = []ast.Stmt{set}
		}
		a.apartFile(&apart{nodes: s.Rhs, hidden: hidden}, []ast.Decl{decl}, body...)
		return
	}
	a.decls = append(a.decls, decl)
	if known {
		a.body = append(a.body, set)
	}
}

func (a *assembly) report(pos token.Pos, msg string) {
	a.problems = append(a.problems, types.Error{Fset: a.c.fset, Pos: pos, Msg: msg})
}
