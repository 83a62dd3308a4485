package editing

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/session"
)

// A member is something that a package exports.
type member struct {
	name, kind, detail string
}

// packageMembers lists what a package of this module or of the standard library exports, from its
// sources.
func packageMembers(k *session.Knowledge, path string) []member {
	var all []member
	for _, f := range packageFiles(k.SourceDir(path), parser.SkipObjectResolution) {
		for _, d := range f.Decls {
			all = append(all, exportedBy(d)...)
		}
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return all
}

func exportedNames(k *session.Knowledge, path string) []string {
	var names []string
	for _, m := range packageMembers(k, path) {
		names = append(names, m.name)
	}
	return names
}

// packageFiles parses the files that a package consists of on this machine.
func packageFiles(dir string, mode parser.Mode) []*ast.File {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var files []*ast.File
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, mode); err == nil {
			files = append(files, f)
		}
	}
	return files
}

func exportedBy(d ast.Decl) []member {
	var all []member
	add := func(id *ast.Ident, kind, detail string) {
		if id.IsExported() {
			all = append(all, member{id.Name, kind, detail})
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add(d.Name, kindFunc, nodeText(d.Type))
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name, kindType, "")
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					add(id, map[token.Token]string{token.CONST: kindConst, token.VAR: kindVar}[d.Tok], "")
				}
			}
		}
	}
	return all
}

// packageDoc is the comment of the package in dir.
func packageDoc(dir string) string {
	for _, f := range packageFiles(dir, parser.ParseComments|parser.PackageClauseOnly) {
		if doc := f.Doc.Text(); doc != "" {
			return doc
		}
	}
	return ""
}

// documentation is the comment and the text of what a Go file declares as name. line is where, or
// 0 if there is one of that name. text is what the file holds, or "" to read it.
func documentation(file, text, name string, line int) (doc, source string) {
	if text == "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", ""
		}
		text = string(data)
	}
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		return "", ""
	}
	is := func(id *ast.Ident) bool {
		return id != nil && id.Name == name && (line == 0 || fset.Position(id.Pos()).Line == line)
	}
	found := func(n ast.Node, keyword string, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if doc == "" {
				doc = c.Text()
			}
		}
		source = keyword + text[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset]
	}
	var group *ast.GenDecl
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if is(n.Name) {
				found(n, "", n.Doc)
			}
		case *ast.GenDecl:
			group = n
		case *ast.TypeSpec:
			if is(n.Name) {
				found(n, "type ", n.Doc, group.Doc)
			}
		case *ast.ValueSpec:
			if slices.ContainsFunc(n.Names, is) {
				found(n, group.Tok.String()+" ", n.Doc, n.Comment, group.Doc)
			}
		case *ast.Field:
			if slices.ContainsFunc(n.Names, is) {
				found(n, "", n.Doc, n.Comment)
			}
		}
		return source == ""
	})
	return doc, source
}

// nodeText is a node as gofmt writes it.
func nodeText(node ast.Node) string {
	var b strings.Builder
	// A node that came from a parser can be printed.
	_ = printer.Fprint(&b, token.NewFileSet(), node)
	return b.String()
}
