package gokernel

import (
	"go/ast"
	"go/token"
	"go/types"
)

// assign translates = and := and the operators such as +=.
func (f *function) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.DEFINE:
		f.define(s, s.Lhs, s.Rhs)
	case token.ASSIGN:
		f.set(s)
	default:
		f.hoisting(s.Lhs[0], s.Rhs[0])
		at := f.once(s.Lhs[0])
		f.write("%s = %s;", at, bare(f.compound(s, at)))
	}
}

// compound returns the new value of a variable for an operator such as +=. at is the variable's code.
func (f *function) compound(s *ast.AssignStmt, at string) string {
	op := s.Tok.String()
	op = op[:len(op)-1]
	typ := f.typeOf(s.Lhs[0])
	if op == "<<" || op == ">>" {
		return f.shift(s, op, typ, at, s.Rhs[0])
	}
	return f.arithmetic(s, op, typ, at, s.Rhs[0], f.value(s.Rhs[0], typ))
}

func (f *function) incDec(s *ast.IncDecStmt) {
	f.hoisting(s.X)
	at := f.once(s.X)
	typ := f.typeOf(s.X)
	noHalf(s, s.Tok.String(), typ)
	f.write("%s = %s;", at, bare(f.binary(s, s.Tok.String()[:1], typ, at, f.constant(s, typ, one))))
}

// once returns the code of a variable that is read and written: one that is evaluated only once.
func (f *function) once(e ast.Expr) string {
	at := f.place(e)
	if _, ok := ast.Unparen(e).(*ast.Ident); ok {
		return at
	}
	name := f.temp()
	f.write("%s &%s = %s;", f.cType(e, f.typeOf(e)), name, at)
	return name
}

// define translates := and var with values. Variables that := only sets get their value after the new ones have theirs.
func (f *function) define(at ast.Node, lhs, rhs []ast.Expr) {
	f.hoisting(rhs...)
	if len(lhs) == 1 && len(rhs) == 1 && f.sharedVar(lhs[0], rhs[0]) {
		return
	}
	values := make([]string, len(lhs))
	fresh := f.fresh(lhs)
	if len(rhs) < len(lhs) {
		_, values = f.callResults(rhs[0])
	} else {
		for i, e := range rhs {
			if f.closure(lhs[i], e) {
				values[i] = ""
				continue
			}
			values[i] = bare(f.value(e, f.variableType(lhs[i], e)))
			switch {
			case fresh:
				v := f.src.Info.Defs[lhs[i].(*ast.Ident)]
				f.write("%s = %s;", f.declare(lhs[i], v.Type(), f.local(v)), values[i])
				values[i] = ""
			case len(lhs) > 1:
				name := f.temp()
				f.write("%s = %s;", f.declare(e, f.variableType(lhs[i], e), name), values[i])
				values[i] = name
			}
		}
	}
	for i, e := range lhs {
		id := e.(*ast.Ident)
		if values[i] == "" {
			continue
		}
		if id.Name == "_" {
			f.write("(void)(%s);", values[i])
			continue
		}
		if v := f.src.Info.Defs[id]; v != nil {
			f.write("%s = %s;", f.declare(id, v.Type(), f.local(v)), values[i])
			continue
		}
		f.noPointer(id)
		f.write("%s = %s;", f.expr(id), values[i])
	}
}

// fresh reports whether all variables are new ones, of which no value can be that of another.
func (f *function) fresh(lhs []ast.Expr) bool {
	for _, e := range lhs {
		if id, ok := e.(*ast.Ident); !ok || id.Name == "_" || f.src.Info.Defs[id] == nil {
			return false
		}
	}
	return true
}

// variableType returns the type of a variable that gets the value.
func (f *function) variableType(lhs, value ast.Expr) types.Type {
	if id, ok := lhs.(*ast.Ident); ok && id.Name != "_" {
		return f.subst(f.src.Info.ObjectOf(id).Type())
	}
	if id, ok := lhs.(*ast.Ident); ok && id.Name == "_" {
		return defaultType(f.typeOf(value))
	}
	return f.typeOf(lhs)
}

// set translates =. With several variables, and with calls on both sides, all operands are evaluated before any variable is set.
func (f *function) set(s *ast.AssignStmt) {
	f.hoisting(append(append([]ast.Expr{}, s.Lhs...), s.Rhs...)...)
	for _, e := range s.Lhs {
		f.noPointer(e)
	}
	if len(s.Lhs) == 1 && !(f.several && calls(s.Lhs[0])) {
		value := bare(f.value(s.Rhs[0], f.variableType(s.Lhs[0], s.Rhs[0])))
		if isBlank(s.Lhs[0]) {
			f.write("(void)(%s);", value)
			return
		}
		f.write("%s = %s;", f.place(s.Lhs[0]), value)
		return
	}
	f.scoped(func() {
		places := make([]string, len(s.Lhs))
		for i, e := range s.Lhs {
			if !isBlank(e) {
				places[i] = f.once(e)
			}
		}
		var values []string
		if len(s.Rhs) < len(s.Lhs) {
			_, values = f.callResults(s.Rhs[0])
		} else {
			for i, e := range s.Rhs {
				typ := f.variableType(s.Lhs[i], e)
				name := f.temp()
				f.write("const %s = %s;", f.declare(e, typ, name), bare(f.value(e, typ)))
				values = append(values, name)
			}
		}
		for i, at := range places {
			if at != "" {
				f.write("%s = %s;", at, values[i])
			}
		}
	})
}

// calls reports whether an expression has calls.
func calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return !found
	})
	return found
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// noPointer refuses to change a variable with the address of memory: that memory might end before the variable does.
func (f *function) noPointer(e ast.Expr) {
	if isBlank(e) {
		return
	}
	switch f.typeOf(e).Underlying().(type) {
	case *types.Pointer:
		refuse(e, "a kernel cannot change a pointer variable: declare another one with :=")
	}
}
