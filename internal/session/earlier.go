package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// mentionedNames returns the identifiers in a file or an expression. Only these are inserted into scopes: a long session has
// many names, and a scope is kept as long as any object of the cell.
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

// importedNames returns the names of packages that a file imports.
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

// exportedObjects returns the objects that a dot import adds.
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

// earlier is an importer that inserts the names of earlier cells into the scopes of the files that are checked, like the
// names of a dot import. In the package's scope go/types would regard them as declared by the cell and look for their
// declarations. It inserts them when a special import of each file is resolved, which is after the scope was created and
// before it is used.
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

// importEarlier adds the import that earlier intercepts to each file.
func importEarlier(files []*ast.File) {
	for i, f := range files {
		spec := &ast.ImportSpec{Name: ast.NewIdent("_"), Path: stringLit(earlierPath + strconv.Itoa(i))}
		f.Decls = slices.Insert(f.Decls, 0, ast.Decl(&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}}))
	}
}

// insertEarlier inserts the names into the scope of a file that it mentions, and that neither the cell declares nor
// the file imports.
func (c *checked) insertEarlier(f *ast.File, declared map[string]bool, importer types.Importer) {
	imported, mentioned, hidden := importedNames(f, importer), mentionedNames(f), c.hiddenIn(f)
	insert := func(obj types.Object) {
		if name := obj.Name(); mentioned[name] && (!declared[name] || hidden[name]) && !imported[name] {
			c.info.Scopes[f].Insert(obj)
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
	for _, path := range c.dotted[f] {
		for _, obj := range exportedObjects(path, importer) {
			insert(obj) // names that are there take precedence
		}
	}
}
