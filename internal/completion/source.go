package completion

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
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// A member is a name that a package exports.
type member struct {
	name, kind, detail string
}

// sources reads the sources of packages, and caches the names that they export.
type sources struct {
	mu      sync.Mutex
	members map[string][]member // by directory
}

// of returns the names that a package of this module or of the standard library exports.
func (s *sources) of(k *session.Knowledge, path string) []member {
	dir := k.SourceDir(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.members[dir]; ok {
		return known
	}
	var all []member
	for _, f := range parsed(packageFiles(dir), parser.SkipObjectResolution) {
		for _, d := range f.Decls {
			all = append(all, exportedBy(d)...)
		}
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.name, b.name) })
	if s.members == nil {
		s.members = map[string][]member{}
	}
	s.members[dir] = all
	return all
}

// exports reports whether a package exports all names.
func (s *sources) exports(k *session.Knowledge, path string, names []string) bool {
	all := s.of(k, path)
	return !slices.ContainsFunc(names, func(name string) bool {
		return name != "" && !slices.ContainsFunc(all, func(m member) bool { return m.name == name })
	})
}

// packageFiles returns the files of a package that are compiled on this machine.
func packageFiles(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var files []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, name); err == nil && ok {
			files = append(files, filepath.Join(dir, name))
		}
	}
	return files
}

func parsed(files []string, mode parser.Mode) []*ast.File {
	var all []*ast.File
	for _, file := range files {
		if f, err := parser.ParseFile(token.NewFileSet(), file, nil, mode); err == nil {
			all = append(all, f)
		}
	}
	return all
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

// packageDoc returns the doc comment of the package in dir.
func packageDoc(dir string) string {
	for _, f := range parsed(packageFiles(dir), parser.ParseComments|parser.PackageClauseOnly) {
		if doc := f.Doc.Text(); doc != "" {
			return doc
		}
	}
	return ""
}

// A declaration is the declaration of a name in a file.
type declaration struct {
	doc       string // the doc comment
	signature string // the source without the body of a func
	source    string
}

// declarationIn returns the declaration of name in a Go file. line is the name's line, or 0 if it is declared at top level.
// text is the content of the file; if it is "", the file is read.
func declarationIn(file, text, name string, line int) declaration {
	if text == "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return declaration{}
		}
		text = string(data)
	}
	f := declarationFinder{fset: token.NewFileSet(), text: text, name: name, line: line}
	parsed, _ := parser.ParseFile(f.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if parsed == nil {
		return declaration{}
	}
	ast.Inspect(parsed, f.visit)
	return f.declaration
}

// A declarationFinder finds the declaration of a name in a file.
type declarationFinder struct {
	fset  *token.FileSet
	text  string // of the file
	name  string
	line  int          // the name's line, or 0 if it is declared at top level
	group *ast.GenDecl // the declaration of the specs that are visited
	declaration
}

// visit visits a node and reports whether its children should be visited.
func (f *declarationFinder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if f.is(n.Name) && (f.line > 0 || n.Recv == nil) {
			f.found(n, "", n.Doc)
			f.signature = f.slice(n.Pos(), n.Type.End())
		}
		return f.line > 0 && f.source == ""
	case *ast.GenDecl:
		f.group = n
	case *ast.TypeSpec:
		if f.is(n.Name) {
			f.found(n, "type ", n.Doc, f.group.Doc)
		}
	case *ast.ValueSpec:
		if slices.ContainsFunc(n.Names, f.is) {
			f.found(n, f.group.Tok.String()+" ", n.Doc, n.Comment, f.group.Doc)
			if !strings.Contains(f.source, "\n") { // its columns may be aligned by spaces
				f.signature = strings.Join(strings.Fields(f.source), " ")
			}
		}
	case *ast.Field:
		if f.line > 0 && slices.ContainsFunc(n.Names, f.is) {
			f.found(n, "", n.Doc, n.Comment)
		}
	}
	return f.source == ""
}

// is reports whether an identifier is the declared one.
func (f *declarationFinder) is(id *ast.Ident) bool {
	return id != nil && id.Name == f.name && (f.line == 0 || f.fset.Position(id.Pos()).Line == f.line)
}

// found sets the declaration: a node with a keyword before it, and the first of the comments.
func (f *declarationFinder) found(n ast.Node, keyword string, comments ...*ast.CommentGroup) {
	for _, c := range comments {
		if f.doc == "" {
			f.doc = c.Text()
		}
	}
	f.source = keyword + f.slice(n.Pos(), n.End())
	f.signature = f.source
}

func (f *declarationFinder) slice(from, to token.Pos) string {
	return f.text[f.fset.Position(from).Offset:f.fset.Position(to).Offset]
}

// exportedDeclaration returns the declaration of a name that a package of this module or of the standard library exports.
func exportedDeclaration(k *session.Knowledge, path, name string) declaration {
	dir := k.SourceDir(path)
	for _, file := range packageFiles(dir) {
		if d := declarationIn(file, "", name, 0); d.source != "" {
			return d
		}
	}
	return declaration{}
}

// nodeText returns a node in gofmt's format.
func nodeText(node ast.Node) string {
	var b strings.Builder
	// Nodes from the parser can be printed.
	_ = printer.Fprint(&b, token.NewFileSet(), node)
	return b.String()
}
