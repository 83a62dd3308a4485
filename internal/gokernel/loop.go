package gokernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A target is a statement that break or continue can leave.
type target struct {
	label       string // of the user
	loop        bool
	name        string // begins the C++ labels
	breaks      bool   // whether goto leaves it
	continues   bool   // whether goto ends the turn
	plainBreak  bool   // whether C++'s break leaves it
	plainResume bool   // whether C++'s continue ends the turn
}

// inTarget translates the body of a statement that break can leave, and what follows it.
func (f *function) inTarget(g *target, translate func()) {
	g.name = f.temp()
	f.targets = append(f.targets, g)
	translate()
	f.targets = f.targets[:len(f.targets)-1]
	if g.breaks {
		f.write("%s_end:;", g.name)
	}
}

// turn translates the body of a loop.
func (f *function) turn(g *target, body *ast.BlockStmt) {
	lines := f.aside(func() { f.block(body) })
	if g.continues {
		f.write("{")
		f.put(lines)
		f.write("}")
		f.write("%s_next:;", g.name)
		return
	}
	f.put(lines)
}

// branch translates break, continue, goto and fallthrough.
func (f *function) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.GOTO:
		f.write("goto %s_label;", cName(s.Label.Name))
		return
	case token.FALLTHROUGH:
		return // cases does it
	}
	for i := len(f.targets) - 1; i >= 0; i-- {
		g := f.targets[i]
		if s.Label != nil && g.label != s.Label.Name || s.Label == nil && s.Tok == token.CONTINUE && !g.loop {
			continue
		}
		innermost := i == len(f.targets)-1
		switch {
		case s.Tok == token.BREAK && innermost && g.plainBreak:
			f.write("break;")
		case s.Tok == token.BREAK:
			g.breaks = true
			f.write("goto %s_end;", g.name)
		case g.plainResume && f.innermostLoop() == g:
			f.write("continue;")
		default:
			g.continues = true
			f.write("goto %s_next;", g.name)
		}
		return
	}
	refuse(s, "%s has no statement to leave", s.Tok)
}

func (f *function) innermostLoop() *target {
	for i := len(f.targets) - 1; i >= 0; i-- {
		if f.targets[i].loop {
			return f.targets[i]
		}
	}
	return nil
}

// labeled translates a label and its statement.
func (f *function) labeled(s *ast.LabeledStmt) {
	if f.isGotoTarget(s.Label) {
		f.write("%s_label:;", cName(s.Label.Name))
	}
	switch of := s.Stmt.(type) {
	case *ast.ForStmt:
		f.forStmt(of, s.Label.Name)
	case *ast.RangeStmt:
		f.rangeStmt(of, s.Label.Name)
	case *ast.SwitchStmt:
		f.switchStmt(of, s.Label.Name)
	default:
		f.stmt(s.Stmt)
	}
}

func (f *function) isGotoTarget(label *ast.Ident) bool {
	found := false
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO && b.Label.Name == label.Name {
			found = true
		}
		return !found
	})
	return found
}

// forStmt translates a for statement without range.
func (f *function) forStmt(s *ast.ForStmt, label string) {
	if s.Init == nil {
		f.forLoop(s, label)
		return
	}
	f.scoped(func() {
		f.stmt(s.Init)
		f.forLoop(s, label)
	})
}

// forLoop translates a for statement after its first clause. Conditions and steps that need statements of their own become such.
func (f *function) forLoop(s *ast.ForStmt, label string) {
	f.mark(s)
	cond, post := "", ""
	before := f.aside(func() {
		if s.Cond != nil {
			f.hoisting(s.Cond)
			cond = bare(f.expr(s.Cond))
		}
	})
	steps := ""
	if s.Post != nil {
		steps = f.aside(func() { post = f.step(s) })
	}
	g := &target{label: label, loop: true, plainBreak: true, plainResume: steps == ""}
	f.inTarget(g, func() {
		switch {
		case before != "":
			f.write("for (;; %s) {", post)
			f.put(before)
			f.write("if (!(%s)) break;", cond)
		default:
			f.write("for (; %s; %s) {", cond, post)
		}
		f.indent++
		f.turn(g, s.Body)
		f.put(steps)
		f.indent--
		f.mark(rbrace(s.Body.Rbrace))
		f.write("}")
	})
}

// step returns the third clause of a for statement as an expression, or writes it and returns "".
func (f *function) step(s *ast.ForStmt) string {
	switch post := s.Post.(type) {
	case *ast.IncDecStmt:
		if id, ok := post.X.(*ast.Ident); ok {
			if f.staysBelow(s.Cond, id, post.Tok) {
				return f.expr(id) + post.Tok.String()
			}
			return f.expr(id) + " = " + f.binary(post, post.Tok.String()[:1], f.typeOf(id), f.expr(id), f.constant(post, f.typeOf(id), one))
		}
	case *ast.AssignStmt:
		id, ok := post.Lhs[0].(*ast.Ident)
		if !ok || len(post.Lhs) > 1 || post.Tok == token.DEFINE || post.Tok == token.ASSIGN {
			break
		}
		if f.counts(s.Cond, id, post) {
			return f.expr(id) + " += " + bare(f.value(post.Rhs[0], f.typeOf(id)))
		}
		code := ""
		lines := f.aside(func() { code = f.compound(post, f.expr(id)) })
		if lines == "" {
			return f.expr(id) + " = " + code
		}
	}
	f.indent++
	f.stmt(s.Post)
	f.indent--
	return ""
}

// counts reports whether a loop such as for i := a; i < n; i += step of 64 bits counts. That i does not overflow then is taken for granted: n and
// step together would have to exceed 2^63. CUDA's compiler unrolls only loops that do not.
func (f *function) counts(cond ast.Expr, id *ast.Ident, post *ast.AssignStmt) bool {
	_, call := ast.Unparen(post.Rhs[0]).(*ast.CallExpr)
	simple := !call || f.gpuName(post.Rhs[0].(*ast.CallExpr).Fun) == "GlobalSize"
	return post.Tok == token.ADD_ASSIGN && simple && f.staysBelow(cond, id, token.INC) && f.cType(id, f.typeOf(id)) == "long long"
}

// staysBelow reports whether a condition such as i < n bounds i, so that i++ does not overflow.
func (f *function) staysBelow(cond ast.Expr, id *ast.Ident, tok token.Token) bool {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	x, ok := b.X.(*ast.Ident)
	if !ok || f.src.Info.ObjectOf(x) != f.src.Info.ObjectOf(id) {
		return false
	}
	if tok == token.INC {
		return b.Op == token.LSS
	}
	return b.Op == token.GTR
}

// rangeStmt translates range over an integer, a slice or an array. The loop counts in a variable of its own, since the body may change the
// user's.
func (f *function) rangeStmt(s *ast.RangeStmt, label string) {
	f.hoisting(s.X)
	typ := f.typeOf(s.X).Underlying()
	if p, ok := typ.(*types.Pointer); ok {
		typ = p.Elem().Underlying()
	}
	g := &target{label: label, loop: true, plainBreak: true, plainResume: true}
	f.inTarget(g, func() {
		f.scoped(func() {
			count, ctype, x := "", "long long", ""
			switch u := typ.(type) {
			case *types.Basic:
				if u.Info()&types.IsInteger == 0 {
					refuse(s.X, "%s", whyNotRange(typ))
				}
				of := f.typeOf(s.X)
				if s.Key != nil {
					of = f.typeOf(s.Key)
				}
				ctype = f.cType(s.X, of)
				count = f.temp()
				f.write("const %s %s = %s;", ctype, count, bare(f.value(s.X, of)))
			case *types.Slice:
				x, count = f.temp(), f.temp()
				f.write("const %s = %s;", f.declare(s.X, typ, x), bare(f.expr(s.X)))
				f.write("const long long %s = %s.n;", count, x)
			case *types.Array:
				count = fmt.Sprint(u.Len())
				x = f.rangedArray(s)
			default:
				refuse(s.X, "%s", whyNotRange(typ))
			}
			i := f.temp()
			f.mark(s)
			f.write("for (%s %s = 0; %[2]s < %s; %[2]s++) {", ctype, i, count)
			f.indent++
			f.rangeVars(s, i, x)
			f.turn(g, s.Body)
			f.indent--
			f.mark(rbrace(s.Body.Rbrace))
			f.write("}")
		})
	})
}

// rangedArray returns what a loop over an array indexes. As Go does, it copies the array if the loop has its values.
func (f *function) rangedArray(s *ast.RangeStmt) string {
	if s.Value == nil || isBlank(s.Value) {
		if calls(s.X) {
			f.write("(void)%s;", f.expr(s.X))
		}
		return ""
	}
	x := f.expr(s.X)
	if _, ok := f.typeOf(s.X).Underlying().(*types.Pointer); ok {
		return "(*" + x + ")"
	}
	name := f.temp()
	f.write("const %s = %s;", f.declare(s.X, f.typeOf(s.X), name), bare(x))
	return name
}

// rangeVars declares or sets the variables of a turn, in which i is the index. Operands of both variables are evaluated before one is set.
func (f *function) rangeVars(s *ast.RangeStmt, i, x string) {
	if s.Tok == token.ASSIGN && s.Value != nil && !isBlank(s.Key) && !isBlank(s.Value) {
		f.hoisting(s.Key, s.Value)
		key, value, v := f.once(s.Key), f.once(s.Value), f.temp()
		f.write("const %s = %s[%s];", f.declare(s.Value, f.typeOf(s.Value), v), x, i)
		f.write("%s = %s;", key, i)
		f.write("%s = %s;", value, v)
		return
	}
	f.rangeVar(s, s.Key, i)
	if s.Value != nil {
		f.rangeVar(s, s.Value, x+"["+i+"]")
	}
}

// rangeVar declares or sets the key or value of a turn.
func (f *function) rangeVar(s *ast.RangeStmt, e ast.Expr, value string) {
	if e == nil {
		return
	}
	if id, ok := e.(*ast.Ident); ok {
		if id.Name == "_" {
			return
		}
		if s.Tok == token.DEFINE {
			v := f.src.Info.Defs[id]
			f.write("%s = %s;", f.declare(id, v.Type(), f.local(v)), value)
			return
		}
	}
	f.write("%s = %s;", f.place(e), value)
}

func whyNotRange(typ types.Type) string {
	if _, ok := typ.(*types.Signature); ok {
		return "a kernel cannot range over a function: write the loop out"
	}
	return whyNot(typ)
}
