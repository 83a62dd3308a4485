package foreign_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// splitProgram splits a program into cells. The rules:
//
//   - All imports are the first cell.
//   - Every other top-level declaration is a cell of its own, with its comments, which may be
//     directives. A type's methods go with it. A group in parentheses is one declaration.
//   - Declarations that refer to each other in a cycle share a cell.
//   - A cell comes after those that it refers to; variables are in the order in which Go initializes
//     them, the others in that of the file. Funcs called init come after that, as in Go.
//   - Text stays on its line where possible: some programs check the lines of their calls.
//   - The body of main is the last cell. If it declares a name that the file also has at top level,
//     main stays a func, which runs at the end of its cell: in the cell's own scope it would
//     redefine that name for the others.
func splitProgram(src string) ([]string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "program.go", src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s := &splitter{src: src, fset: fset, owner: map[types.Object]*section{}}
	s.check(f)
	var imports []piece
	var inits, cells []string
	var mainDecl *ast.FuncDecl
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				imports = append(imports, s.piece(d, d.Doc))
				continue
			}
			s.add(d, d.Doc)
		case *ast.FuncDecl:
			switch {
			case d.Recv == nil && d.Name.Name == "main":
				mainDecl = d
			case d.Recv == nil && d.Name.Name == "init":
				inits = append(inits, joined(s.piece(d, d.Doc)))
			default:
				s.add(d, d.Doc)
			}
		}
	}
	if mainDecl == nil {
		return nil, errors.New("no func main")
	}
	if len(imports) > 0 {
		cells = append(cells, joined(imports...))
	}
	cells = append(cells, s.ordered()...)
	cells = append(cells, inits...)
	if s.shadows(mainDecl.Body, f) {
		return append(cells, joined(s.piece(mainDecl, mainDecl.Doc))), nil
	}
	from, to := fset.Position(mainDecl.Body.Lbrace), fset.Position(mainDecl.Body.Rbrace)
	return append(cells, joined(piece{src[from.Offset+1 : to.Offset], from.Line})), nil
}

// A piece is a part of the program's text, with the line where it begins.
type piece struct {
	text string
	line int
}

// joined returns the text of a cell. Each piece is on the same line as in the program, if those before it end above that line.
func joined(pieces ...piece) string {
	var b strings.Builder
	line := 1
	for _, p := range pieces {
		text := strings.Repeat("\n", max(min(1, b.Len()), p.line-line)) + p.text
		line += strings.Count(text, "\n")
		b.WriteString(text)
	}
	return b.String()
}

// A section is the text of one cell.
type section struct {
	pieces []piece
	first  int // index of its first declaration in the file
	nodes  []ast.Node
	after  map[*section]bool
	vars   bool // whether it has variables

	// These are for finding cycles.
	index, low int
	stacked    bool
}

type splitter struct {
	src      string
	fset     *token.FileSet
	info     types.Info
	sections []*section
	owner    map[types.Object]*section
}

// check resolves names. Packages are not loaded: their names are unknown, but those of the file are resolved.
func (s *splitter) check(f *ast.File) {
	s.info = types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	_, _ = conf.Check("main", s.fset, []*ast.File{f}, &s.info)
}

type emptyPackages struct{}

func (emptyPackages) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	pkg := types.NewPackage(p, path.Base(p))
	pkg.MarkComplete()
	return pkg, nil
}

func (s *splitter) piece(n ast.Node, doc *ast.CommentGroup) piece {
	from := s.fset.Position(n.Pos())
	if doc != nil {
		from = s.fset.Position(doc.Pos())
	}
	return piece{s.src[from.Offset:s.fset.Position(n.End()).Offset], from.Line}
}

// add makes a section of a declaration, or adds it to that of its receiver's type.
func (s *splitter) add(d ast.Decl, doc *ast.CommentGroup) {
	sec := &section{first: len(s.sections), after: map[*section]bool{}}
	var objects []types.Object
	switch d := d.(type) {
	case *ast.FuncDecl:
		objects = append(objects, s.info.Defs[d.Name])
	case *ast.GenDecl:
		sec.vars = d.Tok == token.VAR
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				objects = append(objects, s.info.Defs[spec.Name])
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					objects = append(objects, s.info.Defs[id])
				}
			}
		}
	}
	sec.nodes, sec.pieces = []ast.Node{d}, []piece{s.piece(d, doc)}
	for _, obj := range objects {
		if obj != nil {
			s.owner[obj] = sec
		}
	}
	s.sections = append(s.sections, sec)
}

// ordered returns the cells in an order in which they can run.
func (s *splitter) ordered() []string {
	// A method is in the section of its type.
	for _, sec := range slices.Clone(s.sections) {
		d, ok := sec.nodes[0].(*ast.FuncDecl)
		if !ok || d.Recv == nil {
			continue
		}
		if home := s.typeOf(d.Recv.List[0].Type); home != nil {
			home.nodes, home.pieces = append(home.nodes, sec.nodes...), append(home.pieces, sec.pieces...)
			s.owner[s.info.Defs[d.Name]] = home
			s.sections = slices.DeleteFunc(s.sections, func(other *section) bool { return other == sec })
		}
	}
	for _, sec := range s.sections {
		for _, n := range sec.nodes {
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if other := s.owner[s.origin(id)]; other != nil && other != sec {
						sec.after[other] = true
					}
				}
				return true
			})
		}
	}
	s.joinRings()
	var cells []string
	done := map[*section]bool{}
	var emit func(*section)
	emit = func(sec *section) {
		done[sec] = true
		for _, other := range s.sections {
			if sec.after[other] && !done[other] {
				emit(other)
			}
		}
		cells = append(cells, joined(sec.pieces...))
	}
	for len(done) < len(s.sections) {
		i := slices.IndexFunc(s.sections, func(sec *section) bool {
			return !done[sec] && s.ready(sec, done, map[*section]bool{})
		})
		emit(s.sections[i])
	}
	return cells
}

// ready reports whether all variables that the section depends on, directly or through a func, are set.
func (s *splitter) ready(sec *section, done, seen map[*section]bool) bool {
	for other := range sec.after {
		if done[other] || seen[other] {
			continue
		}
		seen[other] = true
		if other.vars || !s.ready(other, done, seen) {
			return false
		}
	}
	return true
}

// origin returns the object that id denotes, or its generic origin.
func (s *splitter) origin(id *ast.Ident) types.Object {
	switch obj := s.info.Uses[id].(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	default:
		return obj
	}
}

func (s *splitter) typeOf(recv ast.Expr) *section {
	var home *section
	ast.Inspect(recv, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && home == nil {
			home = s.owner[s.info.Uses[id]]
		}
		return home == nil
	})
	return home
}

// joinRings combines sections that refer to each other, by Tarjan's algorithm.
func (s *splitter) joinRings() {
	var stack, joined []*section
	next := 0
	into := map[*section]*section{}
	var visit func(*section)
	visit = func(v *section) {
		next++
		v.index, v.low, v.stacked = next, next, true
		stack = append(stack, v)
		for _, w := range s.sections { // in the order of the file
			if !v.after[w] {
				continue
			}
			if w.index == 0 {
				visit(w)
				v.low = min(v.low, w.low)
			} else if w.stacked {
				v.low = min(v.low, w.index)
			}
		}
		if v.low != v.index {
			return
		}
		var ring []*section
		for {
			w := stack[len(stack)-1]
			stack, w.stacked = stack[:len(stack)-1], false
			ring = append(ring, w)
			if w == v {
				break
			}
		}
		slices.SortFunc(ring, func(a, b *section) int { return a.first - b.first })
		one := &section{first: ring[0].first, after: map[*section]bool{}}
		for _, w := range ring {
			one.pieces = append(one.pieces, w.pieces...)
			one.vars = one.vars || w.vars
			into[w] = one
		}
		joined = append(joined, one)
	}
	for _, v := range s.sections {
		if v.index == 0 {
			visit(v)
		}
	}
	for _, v := range s.sections {
		for w := range v.after {
			if into[w] != into[v] {
				into[v].after[into[w]] = true
			}
		}
	}
	slices.SortFunc(joined, func(a, b *section) int { return a.first - b.first })
	s.sections = joined
}

// shadows reports whether the block declares a name, not within an inner block, that the file
// has at top level or imports.
func (s *splitter) shadows(body *ast.BlockStmt, f *ast.File) bool {
	taken := map[string]bool{}
	for obj := range s.owner {
		if fn, ok := obj.(*types.Func); !ok || fn.Signature().Recv() == nil {
			taken[obj.Name()] = true
		}
	}
	for _, spec := range f.Imports {
		if spec.Name != nil {
			taken[spec.Name.Name] = true
		} else {
			taken[path.Base(strings.Trim(spec.Path.Value, `"`))] = true
		}
	}
	var names []string
	for _, stmt := range body.List {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if stmt.Tok == token.DEFINE {
				for _, x := range stmt.Lhs {
					names = append(names, fmt.Sprint(x))
				}
			}
		case *ast.DeclStmt:
			for _, spec := range stmt.Decl.(*ast.GenDecl).Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						names = append(names, id.Name)
					}
				}
			}
		}
	}
	return slices.ContainsFunc(names, func(name string) bool { return taken[name] })
}
