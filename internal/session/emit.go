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

// exitImport is the package of the functions that replace those that end a program.
const exitImport = ModulePath + "/internal/cellruntime/exit"

const (
	// packageName is displayed as main, since the prefix is removed from output. It is not main itself because the linker
	// lists the exports of every package main in each plugin.
	packageName = "main" + prefix
	// runName is the function that holds the cell's statements. No user's name begins with two prefixes.
	runName = prefix + prefix + "cell"
)

// emitted is the source of a cell's package.
type emitted struct {
	number int
	text   string
	homes  map[types.Object]home
	// again is the text without the cell's name, which is equal for cells that do the same, so that one can be run again
	// instead of the other. It is empty for a cell that declares something.
	again string
	name  string // of the source
	embed []*embedding
	cgo   *cCode // or nil
	notes string // printed below the cell
	// retypes is whether types were compiled again whose values may be in interfaces.
	retypes bool
}

// An emitter writes one cell's package. The user's text and its lines stay as they are, except that names are replaced which
// denote objects of cells.
type emitter struct {
	*checked
	number  int
	loaded  func(path string) bool // reports whether the session process has the package
	homes   map[types.Object]home
	aliases map[string]string // import path → alias
	fresh   []*types.Var      // variables that get storage in this package
	inits   int
	// funcBodies is the result of bodies.
	funcBodies map[types.Object]*ast.BlockStmt
	zeros      int
	zeroFuncs  strings.Builder // funcs for variables whose types can't be written: see inferred
	embeds     []*embedding
	embedVars  strings.Builder // variables that the compiler sets for embeds
	err        error           // of rewriting the cell's text
	out        strings.Builder
}

// emit returns the cell as the package of the given number. loaded reports whether the session process has a package. If
// debugged is set, the package keeps the cell's funcs even if nothing calls them.
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
	body.WriteString(statements)
	if main, ok := e.meaning("main").(*types.Func); ok && c.hasMain() {
		fmt.Fprintf(&body, "\n%s()", e.qualified(e.homes[main]))
	}
	body.WriteString("\n")
	if e.err != nil {
		return nil, fmt.Errorf("%s: write the package: %w (report this as an error of gopherwarp)", e.src.Name, e.err)
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
	if len(e.fresh) == 0 && decls.Len() == 0 && len(e.embeds) == 0 { // embedded files may have changed
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

// funcs returns the funcs of the package, without methods and generic ones.
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

// ownFile returns the name of the file for generated code. The name is long because the runtime regards a position as
// unknown if the number of its file is greater than the total length of all file names in the plugin, in bytes. In other
// programs that is impossible, as each file has a name of its own there; but packages that are linked without their code add
// numbers without names.
func ownFile(number int) string {
	return strings.Repeat("cell/", 200) + fmt.Sprintf("c%d.go", number)
}

// settle decides the home of each of the cell's package-level objects: for a variable the storage of an earlier one with the
// same name and type, otherwise this package.
func (e *emitter) settle() {
	for _, name := range e.pkg.Scope().Names() {
		obj := e.pkg.Scope().Lookup(name)
		if _, old := e.homes[obj]; old {
			continue
		}
		if _, isType := obj.(*types.TypeName); e.fromC(obj) && !isType {
			continue // only the cgo tool's output refers to it
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

// keepMaps is an import of cells that add packages. Go's linker omits the initialization of a package's large maps if
// nothing in the plugin reads them, and later cells use the package as it was loaded. With this import it keeps all of it,
// as in programs that load plugins.
const keepMaps = "\t_ \"plugin\"\n"

// writeImports writes the imports of the emitted text. Names of packages have been replaced by aliases, since declarations
// from several cells may use one name for different packages.
func (e *emitter) writeImports() {
	if e.addsPackages() {
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

// addsPackages reports whether the cell imports a package that is not loaded.
func (e *emitter) addsPackages() bool {
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

// alias returns the name under which the file imports path for itself.
func (e *emitter) alias(path string) string {
	if a, ok := e.aliases[path]; ok {
		return a
	}
	// No user's name begins with two prefixes.
	a := fmt.Sprintf("%sp%d", prefix+prefix, len(e.aliases))
	e.aliases[path] = a
	return a
}

// qualified returns the text that refers to the object at h.
func (e *emitter) qualified(h home) string {
	if h.path == cellPath(e.number) {
		return h.name
	}
	return e.alias(h.path) + "." + h.name
}

// place returns a line directive for the beginning of a chunk. A chunk at the beginning of a line stays there, as compiler
// directives such as noinline require.
func (e *emitter) place(ch *chunk) string {
	if ch.col == 1 {
		return fmt.Sprintf("\n//line %s:%d:1\n", ch.src.Name, ch.line)
	}
	return "\n" + ch.keyword + e.at(ch, ch.start)
}

// at returns a line directive, within a line, for an offset of a chunk.
func (e *emitter) at(ch *chunk, offset int) string {
	line, col := advance(ch.line, ch.col, ch.src.Text[ch.start:offset])
	return fmt.Sprintf("/*line %s:%d:%d*/", ch.src.Name, line, col)
}
