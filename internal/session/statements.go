package session

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// statements returns the text of the cell's statements. Its init funcs are called before
// the first statement, but after the variables declared above it are set, as in Go.
func (e *emitter) statements() (string, error) {
	var b strings.Builder
	var run []assignment // of var declarations without statements between them
	inits, named := e.inits, e.initFuncs()
	assign := func() error {
		for _, a := range e.initOrder(run) {
			text, err := e.assignment(a)
			if err != nil {
				return err
			}
			b.WriteString(text)
		}
		run = nil
		for ; inits > 0; inits-- {
			fmt.Fprintf(&b, "\n%s()", initName(e.inits-inits))
		}
		for _, name := range named {
			if f, ok := e.meaning(name).(*types.Func); ok {
				fmt.Fprintf(&b, "\n%s()", e.qualified(e.homes[f]))
			}
		}
		named = nil
		return nil
	}
	ran := false
	for i, ch := range e.chunks {
		if ch.stmt == nil {
			run = append(run, assignmentsOf(ch)...)
			continue
		}
		if err := assign(); err != nil {
			return "", err
		}
		if ran { // the cell may have failed in another goroutine
			fmt.Fprintf(&b, "\n%s.Poll()", e.alias(CellImport))
		}
		ran = true
		b.WriteString(e.statement(ch, i == len(e.chunks)-1))
	}
	err := assign()
	return b.String(), err
}

// statement returns the emitted text of a chunk.
func (e *emitter) statement(ch *chunk, last bool) string {
	whole := func() string { return e.rewrite(ch, ch.start, ch.start+len(ch.text)) }
	if s, ok := ch.stmt.(*ast.ExprStmt); ok {
		if call := e.valueCall(s.X, last && !ch.quiet); call != "" {
			from, to := ch.offset(s.X.Pos()), ch.offset(s.X.End())
			at := e.at(ch, from)
			return fmt.Sprintf("\n%s%s.%s(%s%s)", at, e.alias(CellImport), call, at, e.rewrite(ch, from, to))
		}
		if _, call := s.X.(*ast.CallExpr); !call || e.asValue[ch] {
			from, to := ch.offset(s.X.Pos()), ch.offset(s.X.End())
			return e.place(ch) + "_ = " + e.at(ch, from) + e.rewrite(ch, from, to)
		}
	}
	return e.place(ch) + whole()
}

// valueCall returns the name of the function of package cell that is called with the
// value of a top-level expression, or "".
func (e *emitter) valueCall(x ast.Expr, show bool) string {
	fails, values := false, true
	switch t := e.info.TypeOf(x).(type) {
	case *types.Tuple:
		values = t.Len() > 0
		fails = values && isError(t.At(t.Len()-1).Type())
	case nil:
		values = false
	default:
		values = !isVoid(t)
		_, call := x.(*ast.CallExpr)
		fails = call && isError(t)
	}
	if e.prints(x) {
		return ""
	}
	switch {
	case values && show && fails:
		return "ShowChecked"
	case values && show:
		return "Show"
	case fails:
		return "Check"
	}
	return ""
}

// prints reports whether x calls one of fmt's printing functions, whose result, the
// number of bytes, is not displayed.
func (e *emitter) prints(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := e.info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" &&
		(strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// assignment returns the text that sets the variables of a var declaration to their
// values, or to zero.
func (e *emitter) assignment(a assignment) (string, error) {
	ch, spec := a.ch, a.spec
	var b strings.Builder
	names := make([]string, len(spec.Names))
	for i, id := range spec.Names {
		names[i] = id.Name
		if obj := e.info.Defs[id]; obj != nil && id.Name != "_" {
			names[i] = e.qualified(e.homes[obj])
		}
	}
	directives, err := ch.embeddings(ch.decl.(*ast.GenDecl))
	if err != nil {
		return "", err
	}
	if d := directives[spec]; d != nil {
		filled, err := e.embeddedVar(spec, d)
		return fmt.Sprintf("\n%s = %s", names[0], filled), err
	}
	if len(spec.Values) > 0 {
		from, to := ch.offset(spec.Values[0].Pos()), ch.offset(spec.Values[len(spec.Values)-1].End())
		return fmt.Sprintf("%s%s = %s%s", e.place(ch), strings.Join(names, ", "), e.at(ch, from), e.rewrite(ch, from, to)), nil
	}
	for i, id := range spec.Names {
		if id.Name == "_" {
			continue
		}
		text, err := e.typeText(e.info.Defs[id].Type())
		if err != nil {
			return "", problem(e.fset.Position(id.Pos()), "%s: %v", id.Name, err)
		}
		fmt.Fprintf(&b, "\n%s = *new(%s)", names[i], text)
	}
	return b.String(), nil
}
