package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// An assignment is one specification of a var declaration, which sets its variables when the cell runs.
type assignment struct {
	ch   *chunk
	spec *ast.ValueSpec
}

func assignmentsOf(ch *chunk) []assignment {
	d, ok := ch.decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR || ch.unchanged {
		return nil
	}
	var all []assignment
	for _, spec := range d.Specs {
		all = append(all, assignment{ch, spec.(*ast.ValueSpec)})
	}
	return all
}

// initOrder sorts the assignments of var declarations without statements between them, in the order in which Go initializes
// the variables of a package: those without a value first, and each of the others as soon as those are set that it refers
// to, directly or through a func. So code that is moved from a program into a cell has the same result.
func (e *emitter) initOrder(run []assignment) []assignment {
	var order, rest []assignment
	setBy := map[types.Object]int{} // index in rest
	for _, a := range run {
		if len(a.spec.Values) == 0 {
			order = append(order, a)
			continue
		}
		for _, id := range a.spec.Names {
			setBy[e.info.Defs[id]] = len(rest)
		}
		rest = append(rest, a)
	}
	done := make([]bool, len(rest))
	for range rest {
		next := slices.Index(done, false) // if all remaining ones depend on each other
		for i, a := range rest {
			waits := func(obj types.Object) bool {
				by, ok := setBy[obj]
				return ok && by != i && !done[by]
			}
			if !done[i] && !e.needs(a.spec.Values, waits) {
				next = i
				break
			}
		}
		done[next] = true
		order = append(order, rest[next])
	}
	return order
}

// needs reports whether one of the expressions refers to a wanted object, directly or through a func of the cell.
func (e *emitter) needs(exprs []ast.Expr, wanted func(types.Object) bool) bool {
	seen := map[types.Object]bool{}
	found := false
	var visit func(ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || found {
				return !found
			}
			obj := e.info.Uses[id]
			if f, ok := obj.(*types.Func); ok {
				obj = f.Origin()
			}
			found = obj != nil && wanted(obj)
			if body := e.bodies()[obj]; body != nil && !seen[obj] {
				seen[obj] = true
				visit(body)
			}
			return true
		})
	}
	for _, x := range exprs {
		visit(x)
	}
	return found
}

// bodies returns the bodies of the funcs and methods that are compiled with the cell.
func (e *emitter) bodies() map[types.Object]*ast.BlockStmt {
	if e.funcBodies == nil {
		e.funcBodies = map[types.Object]*ast.BlockStmt{}
		for _, ch := range e.declChunks() {
			if d, ok := ch.decl.(*ast.FuncDecl); ok && d.Body != nil {
				e.funcBodies[e.info.Defs[d.Name]] = d.Body
			}
		}
	}
	return e.funcBodies
}
