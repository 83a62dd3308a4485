package gokernel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// block translates the statements of a block, without its braces.
func (f *function) block(b *ast.BlockStmt) { f.list(b.List) }

func (f *function) list(list []ast.Stmt) {
	for _, s := range list {
		f.t.attempt(func() { f.stmt(s) })
	}
}

// braces translates a block with its braces.
func (f *function) braces(b *ast.BlockStmt) {
	f.write("{")
	f.indent++
	f.block(b)
	f.indent--
	f.mark(rbrace(b.Rbrace))
	f.write("}")
}

// scoped calls translate between braces.
func (f *function) scoped(translate func()) {
	f.write("{")
	f.indent++
	translate()
	f.indent--
	f.write("}")
}

// stmt translates a statement.
func (f *function) stmt(s ast.Stmt) {
	f.mark(s)
	switch s := s.(type) {
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.DeclStmt:
		f.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.IncDecStmt:
		f.incDec(s)
	case *ast.ExprStmt:
		f.exprStmt(s)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.forStmt(s, "")
	case *ast.RangeStmt:
		f.rangeStmt(s, "")
	case *ast.SwitchStmt:
		f.switchStmt(s, "")
	case *ast.BlockStmt:
		f.braces(s)
	case *ast.ReturnStmt:
		f.returnStmt(s)
	case *ast.BranchStmt:
		f.branch(s)
	case *ast.LabeledStmt:
		f.labeled(s)
	case *ast.EmptyStmt:
	default:
		refuse(s, "%s", statementRefusal(s))
	}
}

func statementRefusal(s ast.Stmt) string {
	switch s.(type) {
	case *ast.GoStmt:
		return "a kernel cannot start goroutines: its threads are those of the launch"
	case *ast.DeferStmt:
		return "a kernel cannot defer: call the function where it is needed"
	case *ast.SendStmt, *ast.SelectStmt:
		return whyNot(types.NewChan(types.SendRecv, nil))
	case *ast.TypeSwitchStmt:
		return whyNot(types.NewInterfaceType(nil, nil))
	}
	return "this statement is not there for kernels"
}

// declStmt translates var; constants and types have no code.
func (f *function) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		f.mark(spec)
		if len(spec.Values) > 0 {
			var lhs []ast.Expr
			for _, n := range spec.Names {
				lhs = append(lhs, n)
			}
			f.define(spec, lhs, spec.Values)
			continue
		}
		for _, n := range spec.Names {
			if n.Name == "_" {
				continue
			}
			v := f.src.Info.Defs[n]
			if p, ok := f.subst(v.Type()).Underlying().(*types.Pointer); ok {
				refuse(n, "a pointer variable needs a value: declare it with %s := &…, since %s cannot be changed later", n.Name, p)
			}
			f.write("%s = {};", f.declare(n, v.Type(), f.local(v)))
		}
	}
}

func (f *function) exprStmt(s *ast.ExprStmt) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		refuse(s, "%s", whyNot(types.NewChan(types.SendRecv, nil))) // a receive operation is the only other
	}
	f.hoisting(s.X)
	if code := f.call(call, true); code != "" {
		f.write("%s;", code)
	}
}

func (f *function) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		f.scoped(func() {
			f.stmt(s.Init)
			f.ifElse(s)
		})
		return
	}
	f.ifElse(s)
}

func (f *function) ifElse(s *ast.IfStmt) {
	if v := f.src.Info.Types[s.Cond].Value; v != nil && !hasLabel(s) {
		switch {
		case constant.BoolVal(v):
			f.braces(s.Body)
		case s.Else != nil:
			f.stmt(s.Else)
		}
		return
	}
	f.mark(s.Cond)
	f.hoisting(s.Cond)
	f.write("if (%s) {", bare(f.expr(s.Cond)))
	f.indent++
	f.block(s.Body)
	f.indent--
	if s.Else == nil {
		f.mark(rbrace(s.Body.Rbrace))
		f.write("}")
		return
	}
	f.mark(s.Else)
	f.write("} else {")
	f.indent++
	if b, ok := s.Else.(*ast.BlockStmt); ok {
		f.block(b)
		f.mark(rbrace(b.Rbrace))
	} else {
		f.stmt(s.Else)
	}
	f.indent--
	f.write("}")
}

// hasLabel reports whether a goto may lead into a statement.
func hasLabel(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		_, label := n.(*ast.LabeledStmt)
		found = found || label
		return !found
	})
	return found
}

func (f *function) returnStmt(s *ast.ReturnStmt) {
	f.hoisting(s.Results...)
	r := f.sig.Results()
	switch {
	case r.Len() == 0:
		f.write("return;")
	case len(s.Results) == 0 && r.Len() == 1:
		f.write("return %s;", f.named[0])
	case len(s.Results) == 0:
		f.write("return {%s};", strings.Join(f.named, ", "))
	case r.Len() == 1:
		f.write("return %s;", bare(f.value(s.Results[0], r.At(0).Type())))
	case len(s.Results) == 1: // a call with several results
		_, names := f.callResults(s.Results[0])
		f.write("return {%s};", strings.Join(names, ", "))
	default:
		var values []string
		for i, e := range s.Results {
			values = append(values, f.value(e, r.At(i).Type()))
		}
		f.write("return {%s};", strings.Join(values, ", "))
	}
}

// bare returns an expression without the parentheses around the whole.
func bare(code string) string {
	if !strings.HasPrefix(code, "(") || !strings.HasSuffix(code, ")") {
		return code
	}
	depth := 0
	for i, r := range code {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(code)-1 {
			return code
		}
	}
	// A cast such as (int)(x) has ended above.
	return code[1 : len(code)-1]
}
