package session

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Ready reports whether cells can run at once: the toolchain is ready and the session
// process was started.
func (s *Session) Ready() bool {
	o := s.opening.Load()
	select {
	case <-o.done:
		return o.err == nil
	default:
		return false
	}
}

// Process returns the process ID of the session process, or 0 if there is none yet. It
// waits for a running cell.
func (s *Session) Process() int {
	s.running.Lock()
	defer s.running.Unlock()
	if !s.Ready() {
		return 0
	}
	return s.process.cmd.Process.Pid
}

// ModuleDir returns the directory of the session's go.mod.
func (s *Session) ModuleDir() string { return s.dir }

// HasVariable reports whether name is a variable or constant that cells have declared.
func (s *Session) HasVariable(name string) bool {
	k := s.Knowledge()
	if k == nil {
		return false
	}
	switch k.Names[name].Object.(type) {
	case *types.Var, *types.Const:
		return true
	}
	return false
}

// Knows reports whether name is defined in a cell: cells have declared it, or it is the
// name of a package that needs no import.
func (s *Session) Knows(name string) bool {
	k := s.Knowledge()
	return k != nil && (k.Names[name].Object != nil || k.Imports[name] != "" || len(k.Candidates(name)) > 0)
}

// A Declared is a name that cells have declared.
type Declared struct {
	Name string
	Kind string // "var", "func", "type" or "const"
	Type string // as Go text; for a func its signature
	Cell string // the cell that declared it
	// Source is the text of a func, a const declaration, or a type with its methods, with
	// the comments before them. It is empty for a variable: see SourceOfVariable.
	Source string
	// Variable identifies a variable's storage to the session process.
	Variable cell.Variable
}

// Declared returns the names that cells have declared, sorted by name. It waits
// for a running cell.
func (s *Session) Declared() []Declared {
	s.running.Lock()
	defer s.running.Unlock()
	return s.declared()
}

func (s *Session) declared() []Declared {
	var all []Declared
	for _, name := range slices.Sorted(maps.Keys(s.program.names)) {
		e := s.program.names[name]
		d := Declared{Name: name, Cell: e.cell, Type: types.TypeString(e.obj.Type(), shortQualifier)}
		switch e.obj.(type) {
		case *types.Var:
			d.Kind, d.Variable = "var", s.program.homes[e.obj].variable()
		case *types.Func:
			d.Kind = "func"
		case *types.TypeName:
			d.Kind = "type"
			d.Type = types.TypeString(e.obj.Type().Underlying(), shortQualifier)
		case *types.Const:
			d.Kind = "const"
		}
		if e.decl != nil {
			texts := make([]string, len(e.decl.parts))
			for i, p := range e.decl.parts {
				texts[i] = p.text
			}
			d.Source = strings.Join(texts, "\n\n")
		}
		all = append(all, d)
	}
	return all
}

// TryCall calls a registered handler in the session process with a request that is made
// from the declared names. It does not wait for a running cell: ok is false while one
// runs, or if there is no session.
func (s *Session) TryCall(ctx context.Context, name string, request func([]Declared) ([]byte, error)) (reply []byte, ok bool, err error) {
	if !s.Ready() || !s.running.TryLock() {
		return nil, false, nil
	}
	defer s.running.Unlock()
	if !s.process.alive() {
		return nil, false, nil
	}
	data, err := request(s.declared())
	if err != nil {
		return nil, false, err
	}
	reply, err = s.ask(ctx, name, data)
	return reply, err == nil, err
}

// shortQualifier returns the name of a package, and "" for that of the cells.
func shortQualifier(p *types.Package) string {
	if p.Path() == mainPath {
		return ""
	}
	return p.Name()
}

// Forget makes names undefined in later cells. Functions that refer to them still work.
func (s *Session) Forget(names ...string) {
	s.running.Lock()
	defer s.running.Unlock()
	defer s.publish()
	next := s.program.clone()
	for _, name := range names {
		delete(next.names, name)
	}
	s.program = next
}

// Reset kills the session process and starts a new program in a new one. Modules that
// were fetched are kept.
func (s *Session) Reset(ctx context.Context, out Output) error {
	s.mu.Lock()
	s.out = out
	s.mu.Unlock()
	if err := s.running.LockContext(ctx); err != nil {
		return err
	}
	defer s.running.Unlock()
	defer s.publish()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return err
	}
	// The process is killed, since one that exits by itself removes the
	// session's directory.
	if err := s.process.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end the session process: %w", err)
	}
	<-s.process.exited
	return s.restart(s.process.death(), "")
}

// SetDir sets the working directory of later session processes.
func (s *Session) SetDir(dir string) {
	s.running.Lock()
	defer s.running.Unlock()
	s.config.Dir = dir
}

// Setenv sets a variable for later session processes and for Go's commands. The session
// must be ready.
func (s *Session) Setenv(name, value string) {
	s.running.Lock()
	defer s.running.Unlock()
	s.config.Env = append(slices.Clone(s.config.Env), name+"="+value)
	s.tools.config.Env = s.config.Env
}

// SourceOfVariable returns the statement or declaration in a cell's text that declares a
// variable, or "".
func SourceOfVariable(text, name string) string {
	// Errors are ignored: the parts that parse may declare it.
	p, _ := parse(Source{Name: "cell", Text: text})
	for _, ch := range p.chunks {
		a := assembly{c: &checked{parsed: p}, declared: map[string]bool{}}
		if ch.decl != nil {
			a.decl(0, ch.decl)
		} else {
			a.stmt(0, ch)
		}
		if a.declared[name] {
			return ch.text
		}
	}
	return ""
}
