package completion

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// A basic completes and describes without gopls, by go/types and the archives of the packages that the session has compiled.
// It has less information on packages that no cell has used.
type basic struct {
	sources *sources

	mu       sync.Mutex
	exports  map[string]string
	fset     *token.FileSet // of imported packages
	importer types.Importer
}

// A view is a program after type checking, with the cursor's position.
type view struct {
	k    *session.Knowledge
	c    *cell
	p    *program
	fset *token.FileSet
	file *ast.File // of the cell
	pos  token.Pos // of the cursor
	pkg  *types.Package
	info types.Info

	sources  *sources
	imported *token.FileSet
}

// view checks a program. Errors in it are ignored.
func (b *basic) view(k *session.Knowledge, c *cell, p *program) *view {
	b.mu.Lock() // an importer caches packages and is not safe for concurrent use
	defer b.mu.Unlock()
	v := &view{k: k, c: c, p: p, sources: b.sources, fset: token.NewFileSet(), info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{},
	}}
	var files []*ast.File
	for name, text := range p.files {
		f, _ := parser.ParseFile(v.fset, name, text, parser.SkipObjectResolution)
		if f == nil {
			continue
		}
		if name == cellFile {
			v.file = f
			v.pos = v.fset.File(f.Package).Pos(p.offset)
			f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool { return !c.keeps(d) })
		} else {
			withoutBodies(f)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: b.importerFor(k), Error: func(error) {}, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	v.imported = b.fset
	v.pkg, _ = conf.Check(mainPath, v.fset, files, &v.info)
	return v
}

// keeps reports whether the cell needs a declaration, after it has removed unused imports from it: reading packages takes time.
func (c *cell) keeps(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.IMPORT {
		return true
	}
	g.Specs = slices.DeleteFunc(g.Specs, func(spec ast.Spec) bool {
		name := spec.(*ast.ImportSpec).Name
		return name != nil && name.Name != "." && c.selected[name.Name] == nil
	})
	return len(g.Specs) > 0
}

func withoutBodies(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = nil
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				d.Specs = slices.DeleteFunc(d.Specs, func(spec ast.Spec) bool {
					name := spec.(*ast.ImportSpec).Name
					return name != nil && name.Name == "_"
				})
			}
		}
	}
}

// importerFor returns an importer, which is reused until a package has been compiled again.
func (b *basic) importerFor(k *session.Knowledge) types.Importer {
	for path, file := range b.exports {
		if k.Exports[path] != file {
			b.importer = nil // compiled again
			break
		}
	}
	b.exports = k.Exports
	if b.importer == nil {
		b.fset = token.NewFileSet()
		b.importer = importer.ForCompiler(b.fset, "gc", func(path string) (io.ReadCloser, error) {
			file, ok := b.exports[path]
			if !ok {
				return nil, errors.New("not compiled yet")
			}
			return os.Open(file)
		})
	}
	return b.importer
}

// forget frees the memory of imported packages.
func (b *basic) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.importer, b.fset = nil, nil
}

// complete returns the possible completions at the cursor.
func (b *basic) complete(k *session.Knowledge, c *cell, p *program) []Item {
	v := b.view(k, c, p)
	if x := v.selected(); x != nil {
		return v.members(x)
	}
	return append(v.keys(), v.visible()...)
}

// keys returns the fields that can be set at the cursor in the struct literal around it.
func (v *view) keys() []Item {
	var items []Item
	ast.Inspect(v.file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || v.pos <= lit.Lbrace || lit.Rbrace.IsValid() && v.pos > lit.Rbrace {
			return true
		}
		items = nil // of an enclosing literal
		t := v.info.Types[lit].Type
		if t == nil {
			return true
		}
		if p, ok := t.Underlying().(*types.Pointer); ok { // an element without its &T
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok || slices.ContainsFunc(lit.Elts, v.isValueOf) {
			return true
		}
		for f := range st.Fields() {
			if v.sees(f) {
				items = append(items, v.item(f))
			}
		}
		return true
	})
	return items
}

// isValueOf reports whether the cursor is in the value of an element with a key.
func (v *view) isValueOf(element ast.Expr) bool {
	kv, ok := element.(*ast.KeyValueExpr)
	return ok && kv.Colon < v.pos && v.pos <= kv.End()
}

// selected returns the X of the X.Sel whose Sel contains the cursor, or nil.
func (v *view) selected() ast.Expr {
	var found ast.Expr
	ast.Inspect(v.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() <= v.pos && v.pos <= sel.Sel.End() {
			found = sel.X
		}
		return true
	})
	return found
}

func (v *view) members(x ast.Expr) []Item {
	if id, ok := x.(*ast.Ident); ok {
		obj := v.info.Uses[id]
		if name, ok := obj.(*types.PkgName); ok && name.Imported().Complete() && len(name.Imported().Scope().Names()) > 0 {
			return v.exported(name.Imported())
		}
		if path := v.sources.importOf(v.k, id.Name, nil); path != "" && (obj == nil || isPackage(obj)) {
			var items []Item
			for _, m := range v.sources.of(v.k, path) {
				items = append(items, Item{Text: m.name, Kind: m.kind, Detail: m.detail})
			}
			return items
		}
	}
	tv := v.info.Types[x]
	if tv.Type == nil {
		return nil
	}
	var items []Item
	t := tv.Type
	if !tv.IsType() {
		items = v.fields(t, map[types.Type]bool{})
		if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
			t = types.NewPointer(t)
		}
	}
	for m := range types.NewMethodSet(t).Methods() {
		if obj := m.Obj(); v.sees(obj) {
			items = append(items, v.item(obj))
		}
	}
	return items
}

func isPackage(obj types.Object) bool {
	_, ok := obj.(*types.PkgName)
	return ok
}

// fields returns the fields of a struct, or of a pointer to one, including those of embedded structs.
func (v *view) fields(t types.Type, seen map[types.Type]bool) []Item {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || seen[t] {
		return nil
	}
	seen[t] = true
	var items []Item
	for f := range st.Fields() {
		if v.sees(f) {
			items = append(items, v.item(f))
		}
		if f.Embedded() {
			items = append(items, v.fields(f.Type(), seen)...)
		}
	}
	return items
}

func (v *view) exported(pkg *types.Package) []Item {
	var items []Item
	for _, name := range pkg.Scope().Names() {
		if ast.IsExported(name) {
			items = append(items, v.item(pkg.Scope().Lookup(name)))
		}
	}
	return items
}

// visible returns the names that are in scope at the cursor.
func (v *view) visible() []Item {
	var items []Item
	scope := v.pkg.Scope().Innermost(v.pos)
	if scope == nil {
		scope = v.pkg.Scope()
	}
	for ; scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() {
			if _, obj := scope.LookupParent(name, v.pos); obj != nil && obj.Parent() == scope && name != "_" {
				items = append(items, v.item(obj))
			}
		}
	}
	return items
}

// sees reports whether cells can name obj.
func (v *view) sees(obj types.Object) bool { return obj.Exported() || obj.Pkg() == v.pkg }

func (v *view) item(obj types.Object) Item {
	i := Item{Text: obj.Name(), Detail: types.TypeString(obj.Type(), v.qualifier)}
	switch obj := obj.(type) {
	case *types.Func:
		i.Kind = kindFunc
		if obj.Signature().Recv() != nil {
			i.Kind = kindMethod
		}
	case *types.Builtin:
		i.Kind, i.Detail = kindFunc, ""
	case *types.TypeName:
		i.Kind = kindType
		i.Detail = ""
	case *types.Const:
		i.Kind = kindConst
	case *types.PkgName:
		i.Kind, i.Detail = kindPackage, obj.Imported().Path()
	case *types.Var:
		i.Kind = kindVar
		if obj.IsField() {
			i.Kind = kindField
		}
	default:
		i.Kind, i.Detail = kindConst, ""
	}
	return i
}

func (v *view) qualifier(p *types.Package) string {
	if p == v.pkg {
		return ""
	}
	return p.Name()
}

// describe returns the description of the name at the cursor.
func (b *basic) describe(k *session.Knowledge, c *cell, p *program) (Description, bool) {
	v := b.view(k, c, p)
	obj := v.object()
	if obj == nil {
		return v.describeExported()
	}
	d := v.declaration(obj)
	return Description{Language: "go", Signature: v.signature(obj, d), Doc: d.doc, Source: d.source}, true
}

// describeExported returns the description of the name at the cursor if it is selected from a package that is not compiled yet.
func (v *view) describeExported() (Description, bool) {
	id, ok := v.selected().(*ast.Ident)
	if !ok {
		return Description{}, false
	}
	path := v.sources.importOf(v.k, id.Name, nil)
	_, name := v.c.name()
	if obj := v.info.Uses[id]; path == "" || obj != nil && !isPackage(obj) || !ast.IsExported(name) {
		return Description{}, false
	}
	d := exportedDeclaration(v.k, path, name)
	return Description{Language: "go", Signature: d.signature, Doc: d.doc, Source: d.source}, d.source != ""
}

// object returns the object that the name at the cursor denotes, or nil.
func (v *view) object() types.Object {
	var found types.Object
	ast.Inspect(v.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() <= v.pos && v.pos <= id.End() {
			found = cmp.Or(v.info.Uses[id], v.info.Defs[id])
		}
		return found == nil
	})
	return found
}

// signature returns the signature of obj. d is its declaration, if it is known.
func (v *view) signature(obj types.Object, d declaration) string {
	text := types.ObjectString(obj, v.qualifier)
	switch obj := obj.(type) {
	case *types.PkgName:
		return fmt.Sprintf("package %s (%q)", obj.Imported().Name(), obj.Imported().Path())
	case *types.Builtin:
		return cmp.Or(d.signature, text)
	case *types.Const:
		return text + " = " + obj.Val().String()
	case *types.TypeName:
		text = cmp.Or(d.signature, text)
		for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
			if method := m.Obj(); v.sees(method) && !types.IsInterface(obj.Type()) {
				text += "\n" + types.ObjectString(method, v.qualifier)
			}
		}
	}
	return text
}

// declaration returns the declaration of obj.
func (v *view) declaration(obj types.Object) declaration {
	if name, ok := obj.(*types.PkgName); ok {
		return declaration{doc: packageDoc(v.k.SourceDir(name.Imported().Path()))}
	}
	switch {
	case obj.Pkg() == nil:
		return declarationIn(filepath.Join(v.k.GOROOT, "src", "builtin", "builtin.go"), "", obj.Name(), 0)
	case obj.Pkg() == v.pkg:
		at := v.fset.Position(obj.Pos())
		return declarationIn(at.Filename, v.p.files[at.Filename], obj.Name(), at.Line)
	}
	at := v.imported.Position(obj.Pos())
	return declarationIn(strings.Replace(at.Filename, "$GOROOT", v.k.GOROOT, 1), "", obj.Name(), at.Line)
}
