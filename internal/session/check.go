package session

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// checked is a cell after type checking, against the program so far.
type checked struct {
	*parsed
	*redefinition
	base    *program
	pkg     *types.Package
	info    *types.Info
	imports []*ast.ImportSpec      // the cell's own and added ones
	causes  map[string]types.Error // of the last check's problems, by their text
	asValue map[*chunk]bool        // calls that must be used as a value: conversions, len, …
	aparts  []*apart               // statements that stand before what they mention
}

// check type-checks a cell. The cell's statements stand in one function; what they declare
// at top level is declared at package level instead, so that the cell's functions and
// later cells see it.
//
// added are imports that the cell does not write itself, by name.
func check(p *parsed, base *program, importer types.Importer, added map[string]string) (*checked, error) {
	c := &checked{parsed: p, redefinition: newRedefinition(p, base, importer), base: base, asValue: map[*chunk]bool{}}
	if err := c.foreignReceiver(); err != nil {
		return c, err
	}
	c.plan()
	for {
		problems := c.try(importer, added)
		switch {
		case c.markValues(problems):
		case c.revise(c, problems):
			c.plan()
		default:
			return c, c.compileError(problems)
		}
	}
}

// try checks the cell once.
func (c *checked) try(importer types.Importer, added map[string]string) []types.Error {
	own, declared, problems := c.assemble(added)
	files := []*ast.File{own}
	for _, x := range c.aparts {
		files = append(files, x.file)
	}
	files = append(files, c.files(declared)...)
	for _, f := range files[:1+len(c.aparts)] {
		c.dotted[f] = c.base.dots
	}
	if c.cgo != nil {
		names := *c.cgo.types
		names.Decls = slices.Clone(names.Decls) // importEarlier adds to them
		files = append(files, &names)
	}
	importEarlier(files)
	c.pkg = types.NewPackage(mainPath, "main")
	c.info = &types.Info{
		Scopes: map[ast.Node]*types.Scope{},
		Types:  map[ast.Expr]types.TypeAndValue{},
		Defs:   map[*ast.Ident]types.Object{},
		Uses:   map[*ast.Ident]types.Object{},

		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	if large := c.tooLarge(files); len(large) > 0 {
		return large
	}
	conf := types.Config{
		Importer: &earlier{Importer: importer, insert: func(i int) {
			imported, mentioned, hidden := importedNames(files[i], importer), mentionedNames(files[i]), c.hiddenIn(files[i])
			insert := func(obj types.Object) {
				if name := obj.Name(); mentioned[name] && (!declared[name] || hidden[name]) && !imported[name] {
					c.info.Scopes[files[i]].Insert(obj)
				}
			}
			for _, e := range c.base.names {
				insert(e.obj)
			}
			for name := range hidden {
				if obj := types.Universe.Lookup(name); obj != nil {
					insert(obj)
				}
			}
			for _, path := range c.dotted[files[i]] {
				for _, obj := range exportedObjects(path, importer) {
					insert(obj) // what has the name already goes before it
				}
			}
		}},
		Sizes: types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) {
			var e types.Error
			if errors.As(err, &e) {
				problems = append(problems, e)
			}
		},
	}
	if c.cgo != nil {
		useC(&conf)
	}
	// Problems are collected by conf.Error.
	_ = types.NewChecker(&conf, c.fset, c.pkg, c.info).Files(files)
	none := false
	early := c.undeclared()
	problems = slices.DeleteFunc(problems, func(e types.Error) bool {
		// What begins with a tab goes on with the problem before.
		if !strings.HasPrefix(e.Msg, "\t") {
			none = c.isNone(e, c.info.Scopes[own], len(early) > 0)
		}
		return none
	})
	return append(problems, early...)
}

// mentionedNames lists the identifiers in a file or an expression. A long session has many names, and what a
// scope holds is kept for as long as anything of the cell.
func mentionedNames(n ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// importedNames lists the names of packages that a file imports.
func importedNames(f *ast.File, importer types.Importer) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.ImportSpec)
			path, _ := strconv.Unquote(spec.Path.Value)
			if spec.Name != nil && spec.Name.Name == "." {
				for _, obj := range exportedObjects(path, importer) {
					names[obj.Name()] = true
				}
			} else if spec.Name != nil {
				names[spec.Name.Name] = true
			} else if pkg, err := importer.Import(path); err == nil {
				names[pkg.Name()] = true
			}
		}
	}
	return names
}

// exportedObjects are those that a dot import brings.
func exportedObjects(path string, importer types.Importer) []types.Object {
	pkg, err := importer.Import(path)
	if err != nil {
		return nil
	}
	var all []types.Object
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); obj.Exported() {
			all = append(all, obj)
		}
	}
	return all
}

// earlier brings the names of earlier cells into the scopes of the files that are checked, where
// names of a dot import would stand. In the package's scope go/types takes them for names that
// the cell declares itself, and looks for their declarations. It happens on an import
// that each file has for it, because that comes between making the scope and using it.
type earlier struct {
	types.Importer
	insert func(file int)
}

const earlierPath = mainPath + "/earlier/"

func (e *earlier) Import(path string) (*types.Package, error) {
	number, ok := strings.CutPrefix(path, earlierPath)
	if !ok {
		return e.Importer.Import(path)
	}
	i, err := strconv.Atoi(number)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	e.insert(i)
	pkg := types.NewPackage(path, "earlier")
	pkg.MarkComplete()
	return pkg, nil
}

// importEarlier adds the import that earlier waits for to each file.
func importEarlier(files []*ast.File) {
	for i, f := range files {
		spec := &ast.ImportSpec{Name: ast.NewIdent("_"), Path: stringLit(earlierPath + strconv.Itoa(i))}
		f.Decls = slices.Insert(f.Decls, 0, ast.Decl(&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}}))
	}
}

// isNone drops what is an error in a package but not in a notebook. own is the scope of the
// cell's own file, and early says whether names are used before they are declared.
func (c *checked) isNone(e types.Error, own *types.Scope, early bool) bool {
	if strings.Contains(e.Msg, "imported and not used") || strings.Contains(e.Msg, "imported as ") && strings.HasSuffix(e.Msg, "and not used") {
		return true
	}
	// The packages that a declaration of an earlier cell uses are nothing to this cell.
	if name, _, ok := strings.Cut(e.Msg, " already declared through "); ok && c.isHidden(name) {
		return true
	}
	if name, _, ok := strings.Cut(e.Msg, " already declared through import of "); ok {
		_, imports := own.Lookup(name).(*types.PkgName)
		return !imports
	}
	// The types of earlier cells are of this package as far as users know. Where the
	// type is of a real other package, the compiler says so.
	if strings.Contains(e.Msg, "implicit assignment to unexported field") {
		return true
	}
	// Variables are set by statements in the order of the cell, not by initialisers. But one that is set to itself
	// has no type. That it is used too early has been said if it is.
	return strings.HasPrefix(e.Msg, "initialization cycle") && (early || !c.hasNoType(e.Pos))
}

// markValues notes the top-level calls whose value must be used, which become known as
// such only by checking. It says whether there are new ones.
func (c *checked) markValues(problems []types.Error) bool {
	marked := false
	for _, e := range problems {
		if !strings.HasSuffix(e.Msg, "is not used") {
			continue
		}
		for _, ch := range c.chunks {
			s, ok := ch.stmt.(*ast.ExprStmt)
			if !ok || c.asValue[ch] || e.Pos < s.X.Pos() || e.Pos >= s.X.End() {
				continue
			}
			if tv := c.info.Types[s.X.(*ast.CallExpr).Fun]; tv.IsType() || tv.IsBuiltin() {
				c.asValue[ch], marked = true, true
			}
		}
	}
	return marked
}

// hiddenFields matches what Go 1.27 says of fields of another package, which those of an earlier cell are not.
var hiddenFields = regexp.MustCompile(`(struct literal of type \w+) \(type has unexported fields[^()]*\)`)

// jargon is what messages have that says nothing to someone who does not know Go's specification.
var jargon = regexp.MustCompile(` \((?:neither addressable nor a map index expression|missing parentheses around composite literal\?)\)`)

var inMain = regexp.MustCompile(`\bmain\.(\pL)`)

// compileError says all problems in the cell's own terms.
func (c *checked) compileError(problems []types.Error) error {
	if len(problems) == 0 {
		return nil
	}
	list := &CompileError{}
	var missing []string // names
	c.causes = map[string]types.Error{}
	for _, e := range problems {
		pos, last := c.fset.Position(e.Pos), len(list.Problems)-1
		// A continuation of the problem before it begins with a tab.
		if strings.HasPrefix(e.Msg, "\t") {
			if strings.HasPrefix(e.Msg, "\tother declaration of") && last >= 0 && pos.IsValid() {
				list.Problems[last].Hint = fmt.Sprintf("the other one is in line %d", pos.Line)
			}
			continue
		}
		p := Problem{Pos: pos, Message: c.explain(e)}
		// Who has not declared a name must hear that once.
		if m := undefined.FindStringSubmatch(e.Msg); m != nil && slices.Contains(missing, e.Msg) {
			continue
		} else if m != nil {
			missing = append(missing, e.Msg)
		}
		// Text that stands twice in what is compiled, for a magic, has a problem once.
		if _, known := c.causes[p.String()]; !known {
			c.causes[p.String()] = e
			list.Problems = append(list.Problems, p)
		}
	}
	slices.SortStableFunc(list.Problems, func(a, b Problem) int { return a.Pos.Offset - b.Pos.Offset })
	slices.SortStableFunc(list.Problems, func(a, b Problem) int { return a.Pos.Line - b.Pos.Line })
	return list
}

// explain adds to a message what a notebook user needs to know.
func (c *checked) explain(e types.Error) string {
	msg := strings.Replace(inMain.ReplaceAllString(e.Msg, "$1"), " in assignment to _ identifier", "", 1)
	msg = hiddenFields.ReplaceAllString(msg, "$1")
	msg = jargon.ReplaceAllString(msg, "")
	if param := c.parameterAt(e); param != "" {
		msg = inArgument.ReplaceAllString(msg, "$0"+param)
	}
	if m := undefined.FindStringSubmatch(msg); m != nil {
		msg += c.lossOf(m[1])
		if m[1] == cgoPackage {
			msg += ` (C names mean something only in a cell with import "C")`
		}
	}
	if in := c.inEarlier(e.Pos); in != "" {
		msg += in
	}
	return msg
}

var inArgument = regexp.MustCompile(`in argument to [^\s:]+`)

// parameterAt names the parameter that an unsuitable argument was meant for. The kernels
// of CUDA cells have long lists of alike parameters.
func (c *checked) parameterAt(e types.Error) string {
	if !strings.Contains(e.Msg, "in argument to ") {
		return ""
	}
	found := ""
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sig, _ := c.info.TypeOf(call.Fun).(*types.Signature)
			for i, arg := range call.Args {
				if sig == nil || arg.Pos() > e.Pos || e.Pos >= arg.End() || i >= sig.Params().Len() {
					continue
				}
				if name := sig.Params().At(i).Name(); name != "" && name != "_" {
					found = " (parameter " + name + ")"
				}
			}
			return true
		})
	}
	return found
}

// declChunks are the declarations that are compiled as such: funcs, types and constants of
// the cell, and of earlier ones that are compiled again with it.
func (c *checked) declChunks() []*chunk {
	var all []*chunk
	for _, ch := range c.chunks {
		d, ok := ch.decl.(*ast.GenDecl)
		if ch.decl != nil && !ch.unchanged && (!ok || d.Tok == token.CONST || d.Tok == token.TYPE) {
			all = append(all, ch)
		}
	}
	for _, d := range c.units {
		for _, q := range d.parts {
			if q.carried {
				all = append(all, q.chunk)
			}
		}
	}
	return all
}

// hasMain says whether the cell has a func main, which runs after its statements.
func (p *parsed) hasMain() bool {
	return slices.ContainsFunc(p.chunks, func(ch *chunk) bool {
		f, ok := ch.decl.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "main"
	})
}

// initFuncs lists the cell's funcs whose names begin with init_. They run before its statements, as in GoNB, in
// whose notebooks each cell has its own.
func (p *parsed) initFuncs() []string {
	var names []string
	for _, ch := range p.chunks {
		f, ok := ch.decl.(*ast.FuncDecl)
		if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "init_") && f.Type.Params.NumFields()+f.Type.Results.NumFields()+f.Type.TypeParams.NumFields() == 0 {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// node is what the chunk holds.
func (c *chunk) node() ast.Node {
	if c.decl != nil {
		return c.decl
	}
	return c.stmt
}

func stringLit(s string) *ast.BasicLit {
	return &ast.BasicLit{Kind: token.STRING, Value: `"` + s + `"`}
}
