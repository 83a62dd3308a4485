package session

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
)

// Ready says whether cells can run at once: the toolchain is there and the session process
// was started.
func (s *Session) Ready() bool {
	select {
	case <-s.opened:
		return s.openErr == nil
	default:
		return false
	}
}

// ModuleDir is the folder of the session's go.mod.
func (s *Session) ModuleDir() string { return s.dir }

// HasVariable says whether name is a variable or constant that cells have declared. It
// waits for a running cell.
func (s *Session) HasVariable(name string) bool {
	s.running.Lock()
	defer s.running.Unlock()
	e := s.program.names[name]
	if e == nil {
		return false
	}
	switch e.obj.(type) {
	case *types.Var, *types.Const:
		return true
	}
	return false
}

// Knows says whether name means something in a cell: cells have declared it, or it is the
// name of a package that needs no import. It waits for a running cell.
func (s *Session) Knows(name string) bool {
	s.running.Lock()
	defer s.running.Unlock()
	return s.program.names[name] != nil || s.program.imports[name] != "" || s.Ready() && len(s.tools.candidates(name)) > 0
}

// A Declared is a name that cells have declared.
type Declared struct {
	Name string
	Kind string // "var", "func", "type" or "const"
	Type string // as Go text; for a func its signature
	Cell string // the cell that declared it
}

// Declared lists what cells have declared, sorted by name. It waits for a running cell.
func (s *Session) Declared() []Declared {
	s.running.Lock()
	defer s.running.Unlock()
	var all []Declared
	for _, name := range slices.Sorted(maps.Keys(s.program.names)) {
		e := s.program.names[name]
		d := Declared{Name: name, Cell: e.cell, Type: types.TypeString(e.obj.Type(), shortQualifier)}
		switch e.obj.(type) {
		case *types.Var:
			d.Kind = "var"
		case *types.Func:
			d.Kind = "func"
		case *types.TypeName:
			d.Kind = "type"
			d.Type = types.TypeString(e.obj.Type().Underlying(), shortQualifier)
		case *types.Const:
			d.Kind = "const"
		}
		all = append(all, d)
	}
	return all
}

// shortQualifier names packages as their users do, and that of the cells not at all.
func shortQualifier(p *types.Package) string {
	if p.Path() == mainPath {
		return ""
	}
	return p.Name()
}

// Forget makes names undefined for the cells to come. Functions that refer to them still
// work.
func (s *Session) Forget(names ...string) {
	s.running.Lock()
	defer s.running.Unlock()
	next := s.program.clone()
	for _, name := range names {
		delete(next.names, name)
	}
	s.program = next
}

// Reset ends the session process and begins a new program in a new one. The modules that
// were fetched stay.
func (s *Session) Reset(ctx context.Context, out Output) error {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return err
	}
	// By force: a process that ends by itself removes the session's folder.
	if err := s.process.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end the session process: %w", err)
	}
	<-s.process.exited
	return s.restart(s.process.death())
}

// SetDir sets the working folder of session processes to come.
func (s *Session) SetDir(dir string) {
	s.running.Lock()
	defer s.running.Unlock()
	s.config.Dir = dir
}

// Setenv sets a variable for session processes to come and for Go's commands. The session
// must be ready.
func (s *Session) Setenv(name, value string) {
	s.running.Lock()
	defer s.running.Unlock()
	s.config.Env = append(slices.Clone(s.config.Env), name+"="+value)
	s.tools.config.Env = s.config.Env
}

// SourceOf is what of a cell's text declares name: a declaration or statement, with the
// comment before it, and for a type its methods. It is empty if the cell does not.
func SourceOf(text, name string) string {
	// What does not parse declares nothing; the rest may.
	p, _ := parse(Source{Name: "cell", Text: text})
	var found []string
	for _, ch := range p.chunks {
		a := assembly{c: &checked{parsed: p}, declared: map[string]bool{}}
		if f, ok := ch.decl.(*ast.FuncDecl); ok && f.Recv != nil {
			a.declared[receiver(f)] = true
		} else if ch.decl != nil {
			a.decl(ch.decl)
		} else {
			a.stmt(ch)
		}
		if a.declared[name] {
			found = append(found, ch.text)
		}
	}
	return strings.Join(found, "\n\n")
}

// receiver is the name of the type that a method belongs to.
func receiver(f *ast.FuncDecl) string {
	name := ""
	if len(f.Recv.List) == 1 {
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && name == "" {
				name = id.Name
			}
			return name == ""
		})
	}
	return name
}
