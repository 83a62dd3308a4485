package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// CellImport is the package that the code of cells calls.
const CellImport = ModulePath + "/internal/cellruntime/cell"

// exitImport is the package whose functions stand for those that end a program.
const exitImport = ModulePath + "/internal/cellruntime/exit"

const (
	// packageName reads as main once the prefix is taken out. It is not main itself
	// because the linker lists the exports of every package main in each plugin.
	packageName = "main" + prefix
	// runName is the function that holds the cell's statements. No user's name begins
	// with two prefixes.
	runName = prefix + prefix + "cell"
)

// emitted is a cell as a package that can be compiled.
type emitted struct {
	number int
	text   string
	homes  map[types.Object]home
	// again is the same for cells that do the same and declare nothing: running one again
	// is as good as running the other. It is empty for a cell that declares something.
	again string
	name  string // of the source
	embed []*embedding
	cgo   *cCode // or nil
	notes string // for the reader of the cell
	// retypes says that types were compiled again, and values of theirs may be in interfaces.
	retypes bool
}

// An emitter writes one cell's package. The user's text stays as it is, lines included;
// names are replaced in it where they mean something of a cell.
type emitter struct {
	*checked
	number  int
	loaded  func(path string) bool // reports whether the session process has the package
	homes   map[types.Object]home
	aliases map[string]string // import path → alias
	fresh   []*types.Var      // variables that get storage in this package
	inits   int
	// funcBodies is what bodies has found.
	funcBodies map[types.Object]*ast.BlockStmt
	zeros      int
	zeroFuncs  strings.Builder // from which variables get their types
	embeds     []*embedding
	embedVars  strings.Builder // variables that they fill
	out        strings.Builder
}

// emit writes the cell as the package of the given number. loaded reports whether the session process has
// a package. If the cell is debugged, its funcs are part of it also where nothing calls them yet.
func emit(c *checked, number int, loaded func(path string) bool, debugged bool) (*emitted, error) {
	e := &emitter{checked: c, number: number, loaded: loaded, homes: maps.Clone(c.base.homes), aliases: map[string]string{}}
	e.alias(CellImport)
	e.settle()
	vars, err := e.variables()
	if err != nil {
		return nil, err
	}
	var decls, body strings.Builder
	for _, ch := range c.declChunks() {
		decls.WriteString(e.place(ch) + e.rewrite(ch, ch.start, ch.start+len(ch.text)))
	}
	statements, err := e.statements()
	if err != nil {
		return nil, err
	}
	for _, name := range c.initFuncs() {
		if f, ok := e.meaning(name).(*types.Func); ok {
			fmt.Fprintf(&body, "\n%s()", e.qualified(e.homes[f]))
		}
	}
	body.WriteString(statements)
	if main, ok := e.meaning("main").(*types.Func); ok && c.hasMain() {
		fmt.Fprintf(&body, "\n%s()", e.qualified(e.homes[main]))
	}
	body.WriteString("\n")

	same := e.retypings()
	fmt.Fprintf(&e.out, "package %s\n\n", packageName)
	if e.cgo != nil {
		e.out.WriteString(e.cgo.importC())
	}
	e.out.WriteString("import (\n")
	e.writeImports()
	fmt.Fprintf(&e.out, ")\n%s%s%s\nfunc %s() {%s}\n", vars, e.embedVars.String(), decls.String(), runName, body.String())
	out := &emitted{number: number, name: e.src.Name, notes: c.notes(), homes: e.homes, embed: e.embeds, cgo: e.cgo}
	if len(e.fresh) == 0 && decls.Len() == 0 && len(e.embeds) == 0 { // files may have changed
		out.again = strings.ReplaceAll(strings.Replace(e.out.String(), keepMaps, "", 1), e.src.Name, "")
	}
	fmt.Fprintf(&e.out, "\n//line %s:1\nfunc init() {\n%s.Register(%d, %s)\n", ownFile(number), e.alias(CellImport), number, runName)
	for _, v := range e.fresh {
		fmt.Fprintf(&e.out, "%s.Declare(%d, %q, &%[3]s)\n", e.alias(CellImport), number, exported(v.Name()))
	}
	if debugged {
		fmt.Fprintf(&e.out, "%s.Keep(%s)\n", e.alias(CellImport), strings.Join(e.funcs(), ", "))
	}
	e.out.WriteString(same + "}\n")
	out.text, out.retypes = e.out.String(), same != ""
	return out, nil
}

// funcs lists the funcs of the package that are no methods and have no type parameters.
func (e *emitter) funcs() []string {
	var all []string
	for _, ch := range e.chunks {
		d, ok := ch.decl.(*ast.FuncDecl)
		if !ok || ch.unchanged || d.Recv != nil || d.Type.TypeParams != nil || d.Name.Name == "_" || d.Name.Name == "init" {
			continue
		}
		if f, ok := e.meaning(d.Name.Name).(*types.Func); ok {
			all = append(all, e.qualified(e.homes[f]))
		}
	}
	return all
}

// ownFile names the file of what no cell has written. The name is long because the runtime takes a place for unknown
// if the number of its file is beyond the length of all the names of files in the plugin, in bytes. In other programs
// that can't be, as each file has a name of its own there; but packages that are linked without their code
// bring numbers and no names.
func ownFile(number int) string {
	return strings.Repeat("cell/", 200) + fmt.Sprintf("c%d.go", number)
}

// settle decides where each of the cell's package-level objects lives: a variable in the
// storage of an earlier one of the same name and type, all else in this package.
func (e *emitter) settle() {
	for _, name := range e.pkg.Scope().Names() {
		obj := e.pkg.Scope().Lookup(name)
		if _, old := e.homes[obj]; old {
			continue
		}
		if _, isType := obj.(*types.TypeName); e.fromC(obj) && !isType {
			continue // nothing but the cgo tool's output refers to it
		}
		if v, ok := obj.(*types.Var); ok {
			if old := e.base.names[name]; old != nil {
				if oldVar, ok := old.obj.(*types.Var); ok && types.Identical(v.Type(), oldVar.Type()) && !e.retyped[name] {
					e.homes[v] = e.homes[oldVar]
					continue
				}
			}
			e.fresh = append(e.fresh, v)
		}
		e.homes[obj] = home{cellPath(e.number), exported(name)}
	}
}

func (e *emitter) variables() (string, error) {
	var b strings.Builder
	for _, v := range e.fresh {
		text, err := e.typeText(v.Type())
		if err != nil && e.moved[v.Name()] == nil {
			var zero string
			if zero, err = e.inferred(v); err == nil {
				fmt.Fprintf(&b, "\nvar %s = %s", exported(v.Name()), zero)
				continue
			}
		}
		if err != nil {
			return "", problem(e.fset.Position(v.Pos()), "%s can't be kept for later cells: %v. Give it an interface type (var %s any = …), or use it inside a function", v.Name(), err, v.Name())
		}
		if old := e.moved[v.Name()]; old != nil {
			fmt.Fprintf(&b, "\nvar %s = *(*%s)(%s.Pointer(&%s))", exported(v.Name()), text, e.alias("unsafe"), e.qualified(e.homes[old]))
			continue
		}
		fmt.Fprintf(&b, "\nvar %s %s", exported(v.Name()), text)
	}
	return b.String() + e.zeroFuncs.String(), nil
}

// keepMaps is what a cell imports that brings packages. Go's linker leaves out what fills a large map of a
// package if nothing in the plugin reads the map, and later cells use the package as it was loaded. With this
// import it keeps all of that, as in programs that load plugins.
const keepMaps = "\t_ \"plugin\"\n"

// writeImports writes the imports of the emitted text. Names of packages have been replaced
// by aliases, since declarations from several cells may mean different packages by one name.
func (e *emitter) writeImports() {
	if e.brings() {
		e.out.WriteString(keepMaps)
	}
	if len(e.embeds) > 0 {
		fmt.Fprintf(&e.out, "\t_ \"embed\"\n")
	}
	for _, spec := range e.imports {
		if spec.Name != nil && spec.Name.Name == "_" {
			fmt.Fprintf(&e.out, "\t_ %s\n", spec.Path.Value)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(e.aliases)) {
		fmt.Fprintf(&e.out, "\t%s %q\n", e.aliases[path], path)
	}
}

// brings reports whether the cell imports a package that is not loaded yet.
func (e *emitter) brings() bool {
	for path := range e.aliases {
		if !e.loaded(path) {
			return true
		}
	}
	return slices.ContainsFunc(e.imports, func(spec *ast.ImportSpec) bool {
		path, err := strconv.Unquote(spec.Path.Value)
		return err == nil && !e.loaded(path)
	})
}

// alias is the name under which the file imports path for itself.
func (e *emitter) alias(path string) string {
	if a, ok := e.aliases[path]; ok {
		return a
	}
	// Two prefixes: no name of the user's begins so.
	a := fmt.Sprintf("%sp%d", prefix+prefix, len(e.aliases))
	e.aliases[path] = a
	return a
}

// qualified is the text that refers to what lives at h.
func (e *emitter) qualified(h home) string {
	if h.path == cellPath(e.number) {
		return h.name
	}
	return e.alias(h.path) + "." + h.name
}

// place is a line directive for the beginning of a chunk. What began a line in the cell
// begins one here, because a compiler directive such as noinline must.
func (e *emitter) place(ch *chunk) string {
	if ch.col == 1 {
		return fmt.Sprintf("\n//line %s:%d:1\n", ch.src.Name, ch.line)
	}
	return "\n" + ch.keyword + e.at(ch, ch.start)
}

// at is a line directive, within a line, for what stands at an offset of a chunk.
func (e *emitter) at(ch *chunk, offset int) string {
	line, col := advance(ch.line, ch.col, ch.src.Text[ch.start:offset])
	return fmt.Sprintf("/*line %s:%d:%d*/", ch.src.Name, line, col)
}

// statements is the text of what the cell does when it runs. Its init funcs are called before
// the first statement, but after variables that are declared above that, as in Go.
func (e *emitter) statements() (string, error) {
	var b strings.Builder
	var run []assignment // of var declarations with no statement between
	inits := e.inits
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
		if ran { // the cell may have failed meanwhile, in another goroutine
			fmt.Fprintf(&b, "\n%s.Poll()", e.alias(CellImport))
		}
		ran = true
		b.WriteString(e.statement(ch, i == len(e.chunks)-1))
	}
	err := assign()
	return b.String(), err
}

// statement is the text of a chunk as part of the cell's run.
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

// valueCall names the function of package cell that takes the value of a top-level
// expression, or none.
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

// prints says whether x calls one of fmt's printing functions: nobody wants to see how
// many bytes were printed.
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

// assignment is what a var declaration does when the cell runs: its variables take the values
// given, or become zero.
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

// An edit replaces the bytes from..to of the cell.
type edit struct {
	from, to int
	text     string
}

// rewrite is the cell's text between two offsets of a chunk, with names replaced and
// polls put into loops.
func (e *emitter) rewrite(ch *chunk, from, to int) string {
	var edits []edit
	insertAt := func(pos token.Pos, text string) {
		off := ch.offset(pos)
		edits = append(edits, edit{off, off, text})
	}
	insert := func(after token.Pos, text string) { insertAt(after+1, text) }
	members := map[*ast.Ident]bool{} // what follows a dot
	ast.Inspect(ch.node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if e.isC(n) {
				return false // this is for the cgo tool
			}
			members[n.Sel] = true
			if off := ch.offset(n.Pos()); e.exits(n) && from <= off && off < to {
				edits = append(edits, edit{off, ch.offset(n.End()), e.alias(exitImport) + "." + n.Sel.Name})
				return false // nothing else needs the package
			}
			if e.logger(n) {
				insertAt(n.X.Pos(), e.alias(exitImport)+".ExitLogger(")
				insertAt(n.X.End(), ")")
			}
		case *ast.Ident:
			off := ch.offset(n.Pos())
			if off < from || off >= to {
				return true // its package would be imported for nothing
			}
			text, ok := e.rename(n, members[n])
			if old, replaced := ch.written[n]; replaced {
				if !ok {
					text = n.Name
				}
				edits = append(edits, edit{off, off + len(old), text})
			} else if ok {
				edits = append(edits, edit{off, off + len(n.Name), text})
			}
		case *ast.ValueSpec:
			if ch.repeated[n] {
				for _, id := range n.Names {
					if text, ok := e.rename(id, false); ok {
						edits = append(edits, edit{ch.offset(id.Pos()), ch.offset(id.End()), text})
					}
				}
				insertAt(n.Names[len(n.Names)-1].End(), e.repetition(n))
				return false
			}
		case *ast.StructType:
			for _, id := range e.embeddedPredeclared(n) {
				off := ch.offset(id.Pos())
				edits = append(edits, edit{off, off, e.embedded("")})
			}
		case *ast.AssignStmt:
			if n == ch.stmt && n.Tok == token.DEFINE {
				off := ch.offset(n.TokPos)
				edits = append(edits, edit{off, off + len(":="), "="})
			}
		case *ast.FuncDecl:
			if e.mayRecur(n) {
				insert(n.Body.Lbrace, e.alias(CellImport)+".Nested();")
			}
		case *ast.ForStmt:
			if !e.runsBriefly(n, n.Body) {
				insert(n.Body.Lbrace, e.alias(CellImport)+".Poll();")
			}
		case *ast.RangeStmt:
			if !e.runsBriefly(n, n.Body) {
				insert(n.Body.Lbrace, e.alias(CellImport)+".Poll();")
			}
		case *ast.CallExpr:
			if arg := e.started(n); arg != nil {
				insertAt(arg.Pos(), e.alias(CellImport)+".Guarded(")
				insertAt(arg.End(), ")")
			}
		case *ast.GoStmt:
			if f, ok := n.Call.Fun.(*ast.FuncLit); ok {
				insert(f.Body.Lbrace, "defer "+e.alias(CellImport)+".Guard();")
				return true
			}
			if start, end := ch.offset(n.Pos()), ch.offset(n.End()); from <= start && end <= to {
				if text, ok := e.guarded(ch, n); ok {
					edits = append(edits, edit{start, end, text})
					return false
				}
			}
		}
		return true
	})
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := from
	for _, ed := range edits {
		if ed.from < at || ed.to > to {
			continue
		}
		b.WriteString(ch.src.Text[at:ed.from])
		b.WriteString(ed.text)
		at = ed.to
	}
	b.WriteString(ch.src.Text[at:to])
	return b.String()
}

// rename is the text for an identifier that means a package, or something declared in a cell
// or a package. A member is one that follows a dot.
func (e *emitter) rename(id *ast.Ident, member bool) (string, bool) {
	obj := e.info.Uses[id]
	if obj == nil {
		obj = e.info.Defs[id]
	}
	if obj == nil || id.Name == "_" {
		return "", false
	}
	if h, ok := e.homes[obj]; ok {
		return e.qualified(h), true
	}
	if pkg, ok := obj.(*types.PkgName); ok {
		return e.alias(pkg.Imported().Path()), true
	}
	if !fromCell(obj) {
		if pkg := obj.Pkg(); pkg != nil && obj.Parent() == pkg.Scope() && !member { // from a dot import
			return e.alias(pkg.Path()) + "." + id.Name, true
		}
		return "", false
	}
	switch obj := obj.(type) {
	case *types.Var:
		if obj.IsField() && !embedsLocal(obj) {
			return exported(id.Name), true
		}
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return exported(id.Name), true
		}
		if id.Name == "init" {
			e.inits++
			return initName(e.inits - 1), true
		}
	}
	return "", false
}
