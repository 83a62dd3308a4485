package session

import (
	"context"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"slices"
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
	aparts  []*apart               // statements before the declaration of a name that they mention
}

// check type-checks the cell with added imports: those of earlier cells, and packages that match undefined names. It prints what it fetches to
// out. Its error is a *CompileError.
func (s *Session) check(ctx context.Context, p *parsed, out Output) (*checked, error) {
	own := p.importNames(s.importer)
	base := p.skipUnchanged(s.withPredeclared(), s.importsNow(own))
	selected := p.selected()
	added := map[string]string{}
	for name := range selected {
		if path, ok := base.imports[name]; ok && base.names[name] == nil {
			added[name] = path
		}
	}
	for name := range own {
		delete(added, name)
	}
	for {
		c, err := typeCheck(p, base, s.importer, added)
		var list *CompileError
		if !errors.As(err, &list) {
			return c, err
		}
		more := false
		for _, problem := range list.Problems {
			m := undefined.FindStringSubmatch(problem.Message)
			if m == nil || added[m[1]] != "" || selected[m[1]] == nil || base.hadEnded(m[1]) {
				continue
			}
			if path, ok := s.findImport(ctx, m[1], selected[m[1]], out); ok {
				added[m[1]] = path
				more = true
			}
		}
		if !more {
			c.addHints(list, s.advice())
			return c, err
		}
	}
}

// predeclared is the cell of the predeclared functions.
const predeclared = "predeclared"

// withPredeclared returns the program with the functions must and Display, unless cells have declared others.
func (s *Session) withPredeclared() *program {
	base := s.program.clone()
	pkg, err := s.importer.Import(CellImport)
	if err != nil {
		return base
	}
	for name, in := range map[string]string{"must": "Must", "Display": "Display"} {
		if base.names[name] != nil {
			continue
		}
		original := pkg.Scope().Lookup(in).(*types.Func)
		f := types.NewFunc(original.Pos(), types.NewPackage(mainPath, "main"), name, original.Signature())
		base.names[name] = &entity{obj: f, cell: predeclared}
		base.homes[f] = home{CellImport, in}
	}
	return base
}

// typeCheck checks a cell. The cell's statements are in one function. Their top-level variables are declared at
// package level, where the cell's functions and later cells can use them. added are imports by name that the cell
// does not have itself.
func typeCheck(p *parsed, base *program, importer types.Importer, added map[string]string) (*checked, error) {
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
	files := c.checkedFiles(own, declared)
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
		Importer: &earlier{Importer: importer, insert: func(i int) { c.insertEarlier(files[i], declared, importer) }},
		Sizes:    types.SizesFor("gc", runtime.GOARCH),
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
	ignored := false
	early := c.undeclared()
	problems = slices.DeleteFunc(problems, func(e types.Error) bool {
		// A message that begins with a tab continues the one before.
		if !strings.HasPrefix(e.Msg, "\t") {
			ignored = c.ignorable(e, c.info.Scopes[own], len(early) > 0)
		}
		return ignored
	})
	return append(problems, early...)
}

// checkedFiles lists the files to check: the cell's own, the statements before declarations of names that they mention, the
// declarations that are compiled again, and the C names. It adds to the names that are declared.
func (c *checked) checkedFiles(own *ast.File, declared map[string]bool) []*ast.File {
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
	return files
}

// markValues records the top-level calls whose value must be used, which only the check finds. It reports whether
// there are new ones.
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

// declChunks returns the declarations that are compiled as such: funcs, types and constants of the cell, and of earlier
// cells that are compiled again with it.
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

// hasMain reports whether the cell has a func main, which runs after its statements.
func (p *parsed) hasMain() bool {
	return slices.ContainsFunc(p.chunks, func(ch *chunk) bool {
		f, ok := ch.decl.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "main"
	})
}

// initFuncs lists the cell's funcs whose names begin with init_. They run before its statements, after the variables
// declared above these are set, as in GoNB, in whose notebooks each cell has its own.
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

// node returns the declaration or statement of the chunk.
func (c *chunk) node() ast.Node {
	if c.decl != nil {
		return c.decl
	}
	return c.stmt
}

func stringLit(s string) *ast.BasicLit {
	return &ast.BasicLit{Kind: token.STRING, Value: `"` + s + `"`}
}
