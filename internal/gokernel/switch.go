package gokernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// switchStmt translates a switch statement: to if and else, or with goto if a case falls through.
func (f *function) switchStmt(s *ast.SwitchStmt, label string) {
	g := &target{label: label}
	f.inTarget(g, func() {
		f.scoped(func() {
			if s.Init != nil {
				f.stmt(s.Init)
			}
			tag := ""
			if s.Tag != nil {
				f.hoisting(s.Tag)
				tag = f.temp()
				f.write("const %s = %s;", f.declare(s.Tag, defaultType(f.typeOf(s.Tag)), tag), bare(f.value(s.Tag, defaultType(f.typeOf(s.Tag)))))
			}
			f.cases(s, tag)
		})
	})
}

// cases translates the clauses: first the jumps to them, in Go's order, and then the clauses in the order of the text.
func (f *function) cases(s *ast.SwitchStmt, tag string) {
	name := f.temp()
	g := f.targets[len(f.targets)-1]
	g.breaks = true
	other := g.name + "_end"
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if c.List == nil {
			other = fmt.Sprintf("%s_case%d", name, i)
		}
		for _, e := range c.List {
			f.mark(e)
			f.hoisting(e)
			f.write("if (%s) goto %s_case%d;", f.matches(s, tag, e), name, i)
		}
	}
	f.write("goto %s;", other)
	for i, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		f.mark(c)
		f.write("%s_case%d: {", name, i)
		f.indent++
		f.list(c.Body)
		f.indent--
		f.write("}")
		if n := len(c.Body); n > 0 {
			if b, ok := c.Body[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				continue
			}
		}
		f.write("goto %s_end;", g.name)
	}
}

// matches returns the condition of a case.
func (f *function) matches(s *ast.SwitchStmt, tag string, e ast.Expr) string {
	if s.Tag == nil {
		return bare(f.expr(e))
	}
	return tag + " == " + strings.TrimSpace(f.value(e, defaultType(f.typeOf(s.Tag))))
}
