package session

import (
	"fmt"
	"go/ast"
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
	err        error           // of rewriting the cell's text
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
	if e.err != nil {
		return nil, fmt.Errorf("%s: write what is compiled: %w (report this as an error of gopherwarp)", e.src.Name, e.err)
	}

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
