package session

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// An Outline is the declarations of a cell's text, for translators of Go code.
type Outline struct {
	Declarations []Declaration
	// Text is the whole cell: its declarations, those of variables included, and its statements.
	Text []Part
	// Importer imports the packages that cells can use. It may be used until the next cell runs.
	Importer types.Importer
	// Known is the session before the cell.
	Known *Knowledge

	dirs map[string]string // of packages of modules
	find func(name string, members []string) (path string, ok bool)
}

// FindImport returns the package that a name denotes in a node without an import, by what the node selects from it, and "" if there is none.
// The importer can import it.
func (o *Outline) FindImport(name string, in ast.Node) string {
	selected := map[string][]string{}
	addSelected(in, selected)
	path, _ := o.find(name, selected[name])
	return path
}

// SourceDir returns the directory of a package that the importer has imported.
func (o *Outline) SourceDir(path string) string {
	if dir := o.dirs[unversioned(path)]; dir != "" {
		return dir
	}
	return o.Known.SourceDir(path)
}

// Outline returns the funcs, types and constants that a cell's text declares, without running it.
func (s *Session) Outline(ctx context.Context, src Source, out Output) (*Outline, error) {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return nil, err
	}
	p, err := s.prepared(ctx, src, out)
	if err != nil {
		return nil, err
	}
	return s.outline(ctx, p, s.Knowledge()), nil
}

// prepared parses a cell and prepares the packages that it imports.
func (s *Session) prepared(ctx context.Context, src Source, out Output) (*parsed, error) {
	p, err := parse(src)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	own, err := s.ownImports(p)
	if err != nil {
		return nil, err
	}
	return p, s.resolve(ctx, s.imported(p, own), out)
}

// outline returns what a parsed cell declares after those that are known.
func (s *Session) outline(ctx context.Context, p *parsed, known *Knowledge) *Outline {
	all := &Outline{Importer: s.importer, Known: known, dirs: map[string]string{}}
	all.find = func(name string, members []string) (string, bool) { return s.findImport(ctx, name, members, nil) }
	for path, known := range s.modules.known {
		all.dirs[path] = known.Dir
	}
	imports := maps.Clone(s.program.imports)
	maps.Copy(imports, p.importNames(s.importer))
	for _, c := range p.chunks {
		all.Text = append(all.Text, Part{Text: c.keyword + c.text, Imports: imports, Pos: c.position()})
	}
	for _, d := range p.declarations() {
		known := Declaration{Names: d.names}
		for _, q := range d.parts {
			known.Parts = append(known.Parts, Part{Text: q.keyword + q.text, Imports: imports, Pos: q.position()})
		}
		all.Declarations = append(all.Declarations, known)
	}
	return all
}

// position returns where the chunk's text begins, and the keyword before it if that is not part of the cell.
func (c *chunk) position() token.Position {
	return token.Position{Filename: c.src.Name, Line: c.line, Column: c.col - len(c.keyword)}
}
