package session

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// guarded returns the text of a go statement whose goroutine has a guard, so that a panic
// in it fails the cell. The function and its arguments are evaluated at the statement, as
// without the guard. It returns false if that needs a type that can't be written.
func (e *emitter) guarded(ch *chunk, s *ast.GoStmt) (string, bool) {
	var names, values []string
	piece := func(x ast.Expr) string {
		from, to := ch.offset(x.Pos()), ch.offset(x.End())
		return e.at(ch, from) + e.rewrite(ch, from, to)
	}
	local := func() string {
		names = append(names, fmt.Sprintf("%sa%d", prefix+prefix, len(names)))
		return names[len(names)-1]
	}
	callee := piece(s.Call.Fun)
	if !e.info.Types[s.Call.Fun].IsBuiltin() && !e.isDeclared(s.Call.Fun) {
		values = append(values, callee)
		callee = local()
	}
	var args []string
	for _, arg := range s.Call.Args {
		value, tv := piece(arg), e.info.Types[arg]
		switch {
		case tv.Value != nil || tv.IsNil() || e.isDeclared(arg):
			// It needs no evaluation, and its type depends on the context.
			args = append(args, value)
			continue
		case mayBeUntyped(arg):
			text, err := e.typeText(tv.Type)
			if err != nil {
				return "", false
			}
			value = "(" + text + ")(" + value + ")"
		}
		values = append(values, value)
		n := 1
		if t, ok := tv.Type.(*types.Tuple); ok {
			n = t.Len()
		}
		for range n {
			args = append(args, local())
		}
	}
	if s.Call.Ellipsis.IsValid() {
		args[len(args)-1] += "..."
	}
	set := ""
	if len(names) > 0 {
		set = strings.Join(names, ", ") + " := " + strings.Join(values, ", ") + "; "
	}
	return fmt.Sprintf("go func() func() { %sreturn func() { defer %s.Guard(); %s(%s) } }()()%s",
		set, e.alias(CellImport), callee, strings.Join(args, ", "), e.at(ch, ch.offset(s.End()))), true
}

// started returns the argument of a call that the standard library runs in a goroutine of
// its own, or nil. It is guarded as well.
func (e *emitter) started(call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	f, ok := e.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return nil
	}
	switch {
	case f.FullName() == "(*sync.WaitGroup).Go" && len(call.Args) == 1:
		return call.Args[0]
	case f.FullName() == "time.AfterFunc" && len(call.Args) == 2:
		return call.Args[1]
	}
	return nil
}

// isDeclared reports whether x is a declared function. A generic one has no value.
func (e *emitter) isDeclared(x ast.Expr) bool {
	switch f := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		return e.isDeclared(f.X)
	case *ast.IndexListExpr:
		return e.isDeclared(f.X)
	case *ast.Ident:
		_, ok := e.info.Uses[f].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		fn, ok := e.info.Uses[f.Sel].(*types.Func)
		return ok && fn.Signature().Recv() == nil
	}
	return false
}

// mayBeUntyped reports whether x may be a comparison or shift that takes its type
// from the context.
func mayBeUntyped(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return mayBeUntyped(x.X)
	}
	return false
}
