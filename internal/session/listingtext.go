package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// typeNames writes types with the names of the listing.
type typeNames struct{ *lister }

func (t typeNames) cellType(obj *types.TypeName) (string, bool) {
	h, ok := t.c.homes[obj]
	if !ok {
		return "", false
	}
	return t.name(h), true
}

func (t typeNames) cellMember(name string) string { return name }
func (t typeNames) embedded(name string) string   { return name }
func (t typeNames) alias(path string) string {
	path = unversioned(path)
	return t.Import(path, packageBase(path))
}

// name returns the name of the object at h.
func (w *lister) name(h home) string {
	switch {
	case h == home{CellImport, "Must"}:
		return w.Helper(HelperMust)
	case h == home{CellImport, "Display"}:
		return w.Helper(HelperDisplay)
	case w.local[h]:
		return h.base()
	}
	return w.given[h]
}

// identifier returns the text of an identifier. A member is one after a dot.
func (w *lister) identifier(id *ast.Ident, member bool) string {
	obj := w.c.objectOf(id)
	if obj == nil || id.Name == "_" {
		return id.Name
	}
	if h, ok := w.c.homes[obj]; ok {
		return w.name(h)
	}
	switch obj := obj.(type) {
	case *types.PkgName:
		return w.imports[unversioned(obj.Imported().Path())]
	case *types.Var:
		if !obj.Embedded() {
			break
		}
		t := obj.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(interface{ Obj() *types.TypeName }); ok {
			if h, ok := w.c.homes[named.Obj()]; ok {
				return w.name(h)
			}
		}
	}
	if pkg := obj.Pkg(); !fromCell(obj) && pkg != nil && obj.Parent() == pkg.Scope() && !member { // from a dot import
		return w.imports[unversioned(pkg.Path())] + "." + id.Name
	}
	return id.Name
}

// text returns the bytes from..to of a chunk's cell, with the names of the listing.
func (w *lister) text(ch *chunk, from, to int) string {
	var edits editList
	members := map[*ast.Ident]bool{}
	replace := func(id *ast.Ident) {
		at := ch.offset(id.Pos())
		if written, text := ch.writtenName(id), w.identifier(id, members[id]); text != written {
			edits.replace(at, at+len(written), text)
		}
	}
	ast.Inspect(ch.node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			members[n.Sel] = true
		case *ast.FuncDecl:
			if name := w.inits[n]; name != "" {
				at := ch.offset(n.Name.Pos())
				edits.replace(at, at+len("init"), name)
			}
		case *ast.ValueSpec:
			if ch.repeated[n] {
				for _, id := range n.Names {
					replace(id)
				}
				last := n.Names[len(n.Names)-1]
				edits.insert(ch.offset(last.Pos())+len(ch.writtenName(last)), repetition(n, w.identifier))
				return false
			}
		case *ast.AssignStmt:
			if n == ch.stmt && n.Tok == token.DEFINE && !w.definesLocals(ch) {
				at := ch.offset(n.TokPos)
				edits.replace(at, at+len(":="), "=")
			}
		case *ast.Ident:
			replace(n)
		}
		return true
	})
	text, err := edits.apply(ch.src.Text, from, to)
	if err != nil {
		panic("the text of a cell: " + err.Error()) // names do not overlap
	}
	return text
}

// definesLocals reports whether the chunk declares variables that are local to the cell's statements.
func (w *lister) definesLocals(ch *chunk) bool {
	for _, d := range ch.definitions() {
		for _, id := range d.names {
			if h, ok := w.c.homes[w.c.objectOf(id)]; ok && w.local[h] {
				return true
			}
		}
	}
	return false
}

// statements returns the cell's statements, with the calls of its init functions and of main.
func (w *lister) statements() (string, error) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(w.c.moved)) {
		w.move(&b, name)
	}
	var run []assignment
	inits := w.initNames()
	for _, name := range w.c.initFuncs() {
		if f, ok := w.c.meaning(name).(*types.Func); ok {
			inits = append(inits, w.name(w.c.homes[f]))
		}
	}
	endRun := func() error {
		for _, a := range w.c.initOrder(run) {
			if err := w.assign(&b, a); err != nil {
				return err
			}
		}
		run = nil
		for _, name := range inits {
			b.WriteString(name + "()\n")
		}
		inits = nil
		return nil
	}
	for i, ch := range w.c.chunks {
		if ch.stmt == nil {
			run = append(run, assignmentsOf(ch)...)
			continue
		}
		if err := endRun(); err != nil {
			return "", err
		}
		w.statement(&b, ch, i == len(w.c.chunks)-1)
	}
	if err := endRun(); err != nil {
		return "", err
	}
	if main, ok := w.c.meaning("main").(*types.Func); ok && w.c.hasMain() {
		b.WriteString(w.name(w.c.homes[main]) + "()\n")
	}
	return b.String(), nil
}

// move writes the statement that gives a variable whose type is declared again its value.
func (w *lister) move(b *strings.Builder, name string) {
	v, ok := w.c.pkg.Scope().Lookup(name).(*types.Var)
	if !ok || !w.needs.homes[w.c.homes[v]] {
		return
	}
	text, err := typeText(v.Type(), typeNames{w})
	if err == nil {
		fmt.Fprintf(b, "%s = *(*%s)(%s.Pointer(&%s))\n", w.name(w.c.homes[v]), text, w.Import("unsafe", "unsafe"), w.name(w.c.homes[w.c.moved[name]]))
	}
}

// initNames names the cell's init functions, in their order.
func (w *lister) initNames() []string {
	var names []string
	for _, ch := range w.c.chunks {
		if d, ok := ch.decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" && !ch.unchanged {
			if w.inits[d] == "" {
				w.inits[d] = w.Fresh("initialise")
			}
			names = append(names, w.inits[d])
		}
	}
	return names
}

// assign writes a line of a var declaration: as it is for local variables, or else as the assignment of its values.
func (w *lister) assign(b *strings.Builder, a assignment) error {
	ch, spec := a.ch, a.spec
	decl := ch.decl.(*ast.GenDecl)
	if len(spec.Names) == 1 && w.c.files[spec.Names[0].Name] != "" {
		return nil
	}
	from, to := ch.ownText()
	if from < ch.offset(decl.Pos()) && spec == decl.Specs[0] {
		b.WriteString(ch.src.Text[from:ch.offset(decl.Pos())])
	}
	if w.definesLocals(ch) {
		from, end := ch.offset(spec.Pos()), ch.offset(spec.End())
		b.WriteString("var " + w.text(ch, from, end))
	} else if len(spec.Values) > 0 {
		var names []string
		for _, id := range spec.Names {
			names = append(names, w.identifier(id, false))
		}
		first, last := ch.offset(spec.Values[0].Pos()), ch.offset(spec.Values[len(spec.Values)-1].End())
		b.WriteString(strings.Join(names, ", ") + " = " + w.text(ch, first, last))
	} else if err := w.zero(b, spec); err != nil {
		return err
	}
	if spec == decl.Specs[len(decl.Specs)-1] && to > ch.start+len(ch.text) {
		b.WriteString(ch.src.Text[ch.start+len(ch.text) : to])
	}
	b.WriteString("\n")
	return nil
}

// zero sets variables to zero that an earlier cell has declared.
func (w *lister) zero(b *strings.Builder, spec *ast.ValueSpec) error {
	for _, id := range spec.Names {
		v, ok := w.c.info.Defs[id].(*types.Var)
		if !ok || slices.Contains(w.c.fresh, v) {
			continue
		}
		text, err := typeText(v.Type(), typeNames{w})
		if err != nil {
			return problem(w.c.fset.Position(id.Pos()), "%s can't be set to zero in a program: %v", id.Name, err)
		}
		fmt.Fprintf(b, "%s = *new(%s)\n", w.identifier(id, false), text)
	}
	return nil
}

// statement writes a statement, with the empty line and the comments above it.
func (w *lister) statement(b *strings.Builder, ch *chunk, last bool) {
	from, to := ch.ownText()
	end := ch.start + len(ch.text)
	if above := ch.src.Text[:ch.start]; b.Len() > 0 && strings.Count(above[len(strings.TrimRight(above, " \t\r\n")):], "\n") > 1 {
		b.WriteString("\n")
	}
	s, isExpr := ch.stmt.(*ast.ExprStmt)
	before, after := "", ""
	if isExpr {
		before, after = w.around(ch, s, last)
	}
	if before == "" {
		b.WriteString(w.text(ch, from, end))
	} else {
		x, xEnd := ch.offset(s.X.Pos()), ch.offset(s.X.End())
		b.WriteString(ch.src.Text[min(from, x):x] + before + w.text(ch, x, xEnd) + after + ch.src.Text[xEnd:end])
	}
	b.WriteString(ch.src.Text[end:to] + "\n")
}

// around returns what is written around an expression at top level, whose value is shown, or fails the cell, or is not used.
func (w *lister) around(ch *chunk, s *ast.ExprStmt, last bool) (before, after string) {
	switch w.c.valueCall(s.X, last && !ch.quiet) {
	case "ShowChecked":
		return w.Helper(HelperShowChecked) + "(", ")"
	case "Show":
		return w.Import(displayImport, "display") + ".Print(", ")"
	case "Check":
		return w.Helper(HelperCheck) + "(", ")"
	}
	if _, call := s.X.(*ast.CallExpr); !call || w.c.asValue[ch] {
		return "_ = ", ""
	}
	return "", ""
}
