package session

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
)

// A Lister translates the cells of a notebook to the parts of one program, without running them. It checks them as a session
// does, so that names mean the same.
type Lister struct {
	s     *Session
	cells []*listedCell
}

// A listedCell is a cell of the program. The homes of its emitter tell objects apart that have one name.
type listedCell struct {
	*emitter
	files  map[string]string // variables with the content of a file → the file's name
	merged map[*chunk]bool   // declarations that are those of an earlier cell
}

// NewLister returns a lister. progress is called with each step that takes long.
func NewLister(ctx context.Context, config Config, progress func(step string)) (*Lister, error) {
	s, err := newSession(config)
	if err != nil {
		return nil, err
	}
	o := s.opening.Load()
	if s.tools, o.err = OpenToolchain(ctx, config, progress); o.err == nil {
		o.err = s.prepare()
	}
	close(o.done)
	if o.err != nil {
		return nil, errors.Join(o.err, s.Close())
	}
	return &Lister{s: s}, nil
}

// Close removes the lister's files.
func (l *Lister) Close() error { return l.s.Close() }

// HasVariable reports whether a cell so far has declared a variable of the name.
func (l *Lister) HasVariable(name string) bool {
	e := l.s.program.names[name]
	return e != nil && e.decl == nil
}

// Knows reports whether the name has a meaning in the next cell.
func (l *Lister) Knows(name string) bool {
	return l.s.program.names[name] != nil || l.s.program.imports[name] != "" || len(l.s.tools.candidates(name)) > 0
}

// Add checks the next cell. A variable that files names has the content of that file, which lies beside the program. Without an error the cell is
// part of the program. Progress is written to out.
func (l *Lister) Add(ctx context.Context, src Source, files map[string]string, out Output) error {
	s := l.s
	p, err := parse(src)
	if err != nil {
		return syntaxError(src, err)
	}
	if err := p.onlyListed(); err != nil {
		return err
	}
	own, err := s.ownImports(p)
	if err != nil {
		return err
	}
	if err := s.resolve(ctx, append(s.imported(p, own), CellImport), out); err != nil {
		return p.importError(err)
	}
	c, err := s.check(ctx, p, out)
	if err != nil {
		return err
	}
	s.number++
	e := &emitter{checked: c, number: s.number, homes: maps.Clone(c.base.homes), aliases: map[string]string{}}
	e.settle()
	s.program = s.grown(c, &emitted{homes: e.homes})
	l.cells = append(l.cells, &listedCell{emitter: e, files: files})
	return nil
}

// Outline returns the funcs, types and constants that a text declares, without adding it. Progress is written to out.
func (l *Lister) Outline(ctx context.Context, src Source, out Output) (*Outline, error) {
	s := l.s
	p, err := s.prepared(ctx, src, out)
	if err != nil {
		return nil, err
	}
	known := &published{program: s.program, exports: s.tools.exports, dir: s.dir, tools: s.tools}
	return s.outline(ctx, p, known.get()), nil
}

// onlyListed returns an error for what a lister does not translate.
func (p *parsed) onlyListed() error {
	for _, ch := range p.chunks {
		d, ok := ch.decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		at := p.fset.Position(d.Pos())
		if d.Tok == token.VAR {
			if found, err := ch.embeddings(d); err != nil || len(found) > 0 {
				return problem(at, "variables of go:embed are not exported: read the file with os.ReadFile")
			}
		}
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.ImportSpec); ok && spec.Path.Value == `"C"` {
				return problem(at, "C code of a cell is not exported: put it into a package of its own, which the cell imports")
			}
		}
	}
	return nil
}

// Modules returns the go.mod and go.sum of the modules that the cells use besides this one. go.sum may be empty.
func (l *Lister) Modules() (mod, sum []byte, err error) {
	if mod, err = os.ReadFile(filepath.Join(l.s.dir, "go.mod")); err != nil {
		return nil, nil, fmt.Errorf("read the versions of modules: %w", err)
	}
	sum, err = os.ReadFile(filepath.Join(l.s.dir, "go.sum"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return mod, sum, err
}
