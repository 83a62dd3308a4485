package session

import (
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// A Knowledge is what a session knows at one moment. Nothing in it changes any more, so
// that editors can look at it while cells run.
type Knowledge struct {
	ModuleDir string // folder of the session's go.mod
	GOROOT    string
	// Names are the things that cells have declared, by name.
	Names map[string]Known
	// Declarations are the texts of the funcs, types and constants among them. They are sorted
	// by name.
	Declarations []Declaration
	// Imports are the packages that names mean in all cells.
	Imports map[string]string
	// Exports are object files that packages can be imported from, by path.
	Exports map[string]string

	tools *Toolchain
}

// A Known is what a name means.
type Known struct {
	Object types.Object
	Cell   string // the cell that declared it
}

// A Declaration is the text of a func, a group of constants, or a type with its methods.
type Declaration struct {
	Names []string
	Parts []Part
}

// A Part is a piece of a declaration that stands in one place of one cell.
type Part struct {
	Text    string            // with the comments before it
	Imports map[string]string // package name → path
	Dots    []string          // paths of dot imports
}

// Candidates lists the packages that a name may mean without an import, the likeliest first.
func (k *Knowledge) Candidates(name string) []string { return k.tools.candidates(name) }

// Own lists the paths of this module's packages that cells can import by their name alone.
func (k *Knowledge) Own() []string { return k.tools.config.Packages }

// Std lists the paths of the standard library's packages that cells can import.
func (k *Knowledge) Std() []string { return k.tools.std }

// GoEnv is what programs that call the go command need in their environment, beside this process's, so that it is the
// session's.
func (k *Knowledge) GoEnv() []string {
	return k.tools.found.Environ(append(os.Environ(), k.tools.config.Env...))
}

// SourceDir is the folder of a package of this module or the standard library.
func (k *Knowledge) SourceDir(path string) string {
	if own, ok := strings.CutPrefix(path, ModulePath+"/"); ok {
		return filepath.Join(k.tools.srcDir(), own)
	}
	return filepath.Join(k.GOROOT, "src", path)
}

// Knowledge is what the session knew when the last cell ended, or nil if it is not ready.
// It never waits for a cell.
func (s *Session) Knowledge() *Knowledge {
	if k := s.published.Load(); k != nil {
		return k.get()
	}
	return nil
}

// published is what a Knowledge is made of, which is only done when somebody asks.
type published struct {
	program *program
	exports map[string]string
	dir     string
	tools   *Toolchain
	made    atomic.Pointer[Knowledge]
}

// publish notes what the session knows now. It is called by the one who holds s.running.
func (s *Session) publish() {
	if s.Ready() {
		s.publishFirst()
	}
}

// publishFirst is publish for the one who opens the session.
func (s *Session) publishFirst() {
	s.published.Store(&published{program: s.program, exports: s.tools.exports, dir: s.dir, tools: s.tools})
}

// get makes the Knowledge, or returns the one that it made. Two that ask at once may both
// make one.
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
			d.Parts = append(d.Parts, Part{Text: q.keyword + q.text, Imports: q.imports, Dots: q.dots})
		}
		k.Declarations = append(k.Declarations, d)
	}
	p.made.Store(k)
	return k
}
