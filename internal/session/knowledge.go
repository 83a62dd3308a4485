package session

import (
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// A Knowledge is the state of a session at one moment. It is immutable, so editors can read it while cells run.
type Knowledge struct {
	ModuleDir string // directory of the session's go.mod
	GOROOT    string
	// Names are the objects that cells have declared, by name.
	Names map[string]Known
	// Declarations are the texts of the funcs, types and constants among them, sorted by name.
	Declarations []Declaration
	// Imports are the packages that names denote in all cells.
	Imports map[string]string
	// Exports are the archives that packages can be imported from, by path.
	Exports map[string]string

	tools *Toolchain
}

// A Known is the object that a name denotes.
type Known struct {
	Object types.Object
	Cell   string // the cell that declared it
}

// A Declaration is the text of a func, a group of constants, or a type with its methods.
type Declaration struct {
	Names []string
	Parts []Part
}

// A Part is a contiguous piece of a declaration in one cell.
type Part struct {
	Text    string            // with the comments before it
	Imports map[string]string // package name → path
	Dots    []string          // paths of dot imports
	Pos     token.Position    // of the text
}

// Candidates returns the packages that a name may denote without an import, the likeliest first.
func (k *Knowledge) Candidates(name string) []string { return k.tools.candidates(name) }

// Own returns the paths of this module's packages that cells can use without an import.
func (k *Knowledge) Own() []string { return k.tools.config.Packages }

// Std returns the paths of the standard library's packages that cells can import.
func (k *Knowledge) Std() []string { return k.tools.std }

// GoEnv returns environment variables, beside this process's, with which programs run the go command of the session.
func (k *Knowledge) GoEnv() []string {
	return k.tools.found.Environ(append(os.Environ(), k.tools.config.Env...))
}

// Env returns environment variables for programs that use this module's packages, beside those of the session process.
func (k *Knowledge) Env() []string { return slices.Clone(k.tools.config.Env) }

// SourceDir returns the directory of a package of this module or the standard library.
func (k *Knowledge) SourceDir(path string) string {
	if own, ok := strings.CutPrefix(path, ModulePath+"/"); ok {
		return filepath.Join(k.tools.srcDir(), own)
	}
	return filepath.Join(k.GOROOT, "src", path)
}

// Knowledge returns the state of the session when the last cell ended, or nil if it is not ready. It never waits for a cell.
func (s *Session) Knowledge() *Knowledge {
	if k := s.published.Load(); k != nil {
		return k.get()
	}
	return nil
}

// published has the data of a Knowledge, which is made when it is first requested.
type published struct {
	program *program
	exports map[string]string
	dir     string
	tools   *Toolchain
	made    atomic.Pointer[Knowledge]
}

// publish stores the session's state. s.running is held.
func (s *Session) publish() {
	if s.Ready() {
		s.publishFirst()
	}
}

// publishFirst is publish for open, when the session is not ready yet.
func (s *Session) publishFirst() {
	s.published.Store(&published{program: s.program, exports: s.tools.exports, dir: s.dir, tools: s.tools})
}

// get returns the Knowledge and makes it if necessary. Concurrent calls may each make one.
func (p *published) get() *Knowledge {
	if k := p.made.Load(); k != nil {
		return k
	}
	k := &Knowledge{
		ModuleDir: p.dir, GOROOT: p.tools.env.GOROOT, Imports: p.program.imports, Exports: p.exports,
		Names: map[string]Known{}, tools: p.tools,
	}
	seen := map[*decl]bool{}
	for _, name := range slices.Sorted(maps.Keys(p.program.names)) {
		e := p.program.names[name]
		k.Names[name] = Known{Object: e.obj, Cell: e.cell}
		if e.decl == nil || seen[e.decl] {
			continue
		}
		seen[e.decl] = true
		d := Declaration{Names: e.decl.names}
		for _, q := range e.decl.parts {
			d.Parts = append(d.Parts, Part{Text: q.keyword + q.text, Imports: q.imports, Dots: q.dots, Pos: q.position()})
		}
		k.Declarations = append(k.Declarations, d)
	}
	p.made.Store(k)
	return k
}
