package session

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// A Debugger can stop cells.
type Debugger interface {
	// Loaded is called when a cell is loaded into the session process and about to run. The cell runs after it returns.
	Loaded(cell Loaded, out Output)
	// Ended is called when that cell has ended, or the process has exited. The process must not be stopped when it returns.
	Ended()
	// Interrupted is called when the cell is interrupted, which has no effect while the cell is stopped. It must not wait.
	Interrupted()
}

// Loaded is a cell that is about to run.
type Loaded struct {
	Name    string // of the source
	PID     int    // of the session process
	Sources string // directory of the session's generated sources
	// Variables are the session's variables, sorted by name, those of the cell included.
	Variables []Symbol
}

// A Symbol is the linker symbol of a variable.
type Symbol struct {
	Name          string
	Package, Full string // import path of the package, name of the variable in it
}

// SetDebugger sets the debugger of the cells that begin after it. They are compiled without optimization and linked with
// debugging information. Funcs that are declared again are compiled again, even if their text is the same. A nil d ends
// that. It does not wait for a running cell.
func (s *Session) SetDebugger(d Debugger) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextDebugger = d
}

// takeDebugger makes the debugger that was set last the one of the cell that begins. s.running is held.
func (s *Session) takeDebugger() {
	s.mu.Lock()
	before := s.debugger
	s.debugger = s.nextDebugger
	s.mu.Unlock()
	if s.debugger == nil {
		if before != nil { // declarations are optimized again when they are run again
			s.recompile(func(*decl) bool { return true })
		}
		return
	}
	// A func keeps the lines of the cell that it was compiled in, so it is compiled again with the cell that has it.
	s.recompile(func(d *decl) bool { return before == nil || !d.isType() })
}

// debugCell makes the debugger prepare for a loaded cell, and then starts it.
func (s *Session) debugCell(d Debugger, p *process, id int, name string, next *program) {
	d.Loaded(Loaded{Name: name, PID: p.cmd.Process.Pid, Sources: s.tools.srcDir(), Variables: next.symbols()}, s.output())
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.write(proto.Request{ID: id, Op: proto.OpGo})
}

// symbols returns the symbols of the program's variables.
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

// compilerFlags returns the flags for the compiler of cells.
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
	return []string{"-compressdwarf=false"} // compression takes as long as the rest of linking
}

// describe gives debugging information to the archives of earlier cells, so that the debugger can step into their functions. Cells are
// compiled without it, which takes a quarter less time, unless a debugger is there. packages are the archives by import path.
func (s *Session) describe(ctx context.Context, packages map[string]string) error {
	for _, number := range slices.Sorted(maps.Keys(s.undescribed)) {
		archive := packages[cellPath(number)]
		if archive != "" { // otherwise the cell failed
			if err := s.describeCell(ctx, archive, s.undescribed[number], packages); err != nil {
				return fmt.Errorf("compile cell %d for the debugger: %w", number, err)
			}
		}
		delete(s.undescribed, number)
	}
	return nil
}

// describeCell compiles a cell's archive again. args are the compiler's arguments.
func (s *Session) describeCell(ctx context.Context, archive string, args []string, packages map[string]string) error {
	before, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	list := strings.TrimSuffix(archive, ".a") + ".cfg"
	if err := writePackages(list, packages); err != nil {
		return err
	}
	defer os.Remove(list)
	fresh := archive + ".described"
	defer os.Remove(fresh)
	if _, err := s.tools.tool(ctx, "compile", slices.Concat(args[:len(args)-1], []string{"-o", fresh}, args[len(args)-1:])...); err != nil {
		return err
	}
	after, err := os.ReadFile(fresh)
	if err != nil {
		return err
	}
	if !slim.SameExports(before, after) {
		return nil // later cells refer to what this one exports by numbers, which would be others
	}
	if err := os.Rename(fresh, archive); err != nil {
		return err
	}
	s.archives.renewed(archive)
	return nil
}

// recompile makes declarations be compiled again when they are run again, even if their text is the same.
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
