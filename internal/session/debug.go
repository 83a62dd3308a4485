package session

import (
	"go/types"
	"maps"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// A Debugger is told of cells that it can stop.
type Debugger interface {
	// Loaded is called when a cell is part of the session process and about to run. The
	// cell runs when it returns.
	Loaded(cell Loaded, out Output)
	// Ended is called when that cell has ended, or the process has. The process must not
	// be stopped when it returns.
	Ended()
	// Interrupted is called when the cell is interrupted, which it can't notice while
	// it is stopped. It must not wait.
	Interrupted()
}

// Loaded is a cell that is about to run.
type Loaded struct {
	Name    string // of the source
	PID     int    // of the session process
	Sources string // folder of the sources that are the session's own, not the user's
	// Variables are the session's variables, sorted by name, those of the cell included.
	Variables []Symbol
}

// A Symbol is where a variable lives.
type Symbol struct {
	Name          string
	Package, Full string // import path of the package, name of the variable in it
}

// SetDebugger makes the cells that begin from now on fit to be stopped: they are compiled
// without optimisation and linked with descriptions for a debugger, and d is told of
// them. Funcs that are declared again are compiled anew, also if their text is the same. A
// nil d ends that. It does not wait for a running cell.
func (s *Session) SetDebugger(d Debugger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextDebugger = d
}

// takeDebugger makes the debugger that was set last the one of the cell that begins. It is called by
// the one who holds s.running.
func (s *Session) takeDebugger() {
	s.mu.Lock()
	before := s.debugger
	s.debugger = s.nextDebugger
	s.mu.Unlock()
	if s.debugger == nil {
		if before != nil { // what is declared again is optimised again
			s.recompile(func(*decl) bool { return true })
		}
		return
	}
	// A func keeps the lines of the cell that it was compiled in, where nobody would look
	// for it once it stands in another one.
	s.recompile(func(d *decl) bool { return before == nil || !d.isType() })
}

// debugCell has the debugger prepare for a cell that waits to run.
func (s *Session) debugCell(d Debugger, p *process, id int, name string, next *program) {
	d.Loaded(Loaded{Name: name, PID: p.cmd.Process.Pid, Sources: s.tools.srcDir(), Variables: next.symbols()}, s.output())
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.write(proto.Request{ID: id, Op: proto.OpGo})
}

// symbols are where the program's variables live.
func (p *program) symbols() []Symbol {
	var all []Symbol
	for _, name := range slices.Sorted(maps.Keys(p.names)) {
		v, ok := p.names[name].obj.(*types.Var)
		if h := p.homes[v]; ok && h.path != "" {
			all = append(all, Symbol{Name: name, Package: h.path, Full: h.name})
		}
	}
	return all
}

// compilerFlags are the flags for the compiler of cells, and linkerFlags those for the linker.
func (s *Session) compilerFlags() []string {
	if s.debugger == nil {
		return s.compileFlags
	}
	return slices.Concat([]string{"-N", "-l"}, s.compileFlags)
}

func (s *Session) linkerFlags() []string {
	if s.debugger == nil {
		return []string{"-s", "-w"}
	}
	return []string{"-compressdwarf=false"} // which takes as long as the rest
}

// recompile makes what is declared again be compiled again even if its text is the same.
func (s *Session) recompile(which func(*decl) bool) {
	s.again = map[string]*emitted{}
	next := s.program.clone()
	next.stale = map[*decl]bool{}
	for _, e := range next.names {
		if e.decl != nil && which(e.decl) {
			next.stale[e.decl] = true
		}
	}
	s.program = next
}
