package completion

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	cellFile = "cell.go" // the cell that is being written
	cType    = "_Ctype_" // prefix of C types' names in Go
	mainPath = "main"    // the import path of cells in package session
)

// A program is the notebook as one package: the declarations of cells, and the cell that is being written. Its files are not
// on disk: their contents are sent to gopls.
type program struct {
	files  map[string]string
	offset int // of the cursor, in cellFile
}

// A writer makes programs. It keeps their imports: gopls takes long for an import that was added to a file or removed from it.
type writer struct {
	sources  *sources
	imported map[string]map[string]bool // file → paths
}

// common are the imports in the file of every cell.
var common = []string{
	"bufio", "bytes", "context", "encoding/json", "errors", "fmt", "io", "maps", "math", "math/rand/v2", "os", "path/filepath",
	"slices", "sort", "strconv", "strings", "sync", "time",
}

// must is a function that package session predeclares.
const must = `
// must returns v, or fails the cell with err.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
`

// program returns the program of a cell and earlier declarations.
func (w *writer) program(k *session.Knowledge, c *cell) *program {
	p := &program{files: map[string]string{}}
	for i, f := range declarations(k, c.declared) {
		name := fmt.Sprintf("earlier%d.go", i)
		p.files[name] = w.file(name, f.names, f.dots, nil, f.text.String())
	}
	names, dots := w.importNames(k, c)
	taken := func(name string) bool { return c.declared[name] || k.Names[name].Object != nil }
	paths := map[string]string{}
	for _, path := range slices.Concat(k.Own(), common) {
		if name := packageName(path); !taken(name) && names[name] == "" {
			paths[name] = path
		}
	}
	maps.Copy(paths, names)
	text, offset := c.source()
	unnamed := slices.DeleteFunc(slices.Sorted(maps.Keys(c.imports)), func(path string) bool { return c.imports[path] != "" })
	whole := w.file(cellFile, paths, dots, unnamed, text)
	p.files[cellFile] = whole
	p.offset = len(whole) - len(text) + offset
	return p
}

// importNames returns the packages that names denote in the cell, of those that it uses, and the paths of its dot imports.
// Imports without a name are omitted.
func (w *writer) importNames(k *session.Knowledge, c *cell) (names map[string]string, dots []string) {
	names = map[string]string{}
	for name, members := range c.selected {
		if c.declared[name] || k.Names[name].Object != nil {
			continue
		}
		if path := w.sources.importOf(k, name, members); path != "" {
			names[name] = path
		}
	}
	for path, name := range c.imports {
		switch name {
		case "":
			delete(names, packageName(path))
		case ".":
			dots = append(dots, path)
		case "_":
		default:
			names[name] = path
		}
	}
	slices.Sort(dots)
	return names, dots
}

// importOf returns the path of the package that a name denotes in a cell that does not import it, or "". members are the
// identifiers that the cell selects from it.
func (s *sources) importOf(k *session.Knowledge, name string, members []string) string {
	if path := k.Imports[name]; path != "" {
		return path
	}
	candidates := k.Candidates(name)
	if len(candidates) == 0 {
		return ""
	}
	if len(candidates) > 1 {
		for _, path := range candidates {
			if s.exports(k, path, members) {
				return path
			}
		}
	}
	return candidates[0]
}

// packageName returns a package's probable name by its path.
func packageName(p string) string {
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(p))
	}
	return base
}

// file returns a file's text. It also has the earlier imports of the file, as blank imports.
func (w *writer) file(name string, names map[string]string, dots, unnamed []string, body string) string {
	if w.imported[name] == nil {
		w.imported[name] = map[string]bool{}
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	now := map[string]bool{}
	add := func(as, path string) {
		if path == "C" {
			return // the cgo tool, which resolves it, was not run
		}
		fmt.Fprintf(&b, "\t%s %s\n", as, strconv.Quote(path))
		now[path] = true
	}
	for _, as := range slices.Sorted(maps.Keys(names)) {
		add(as, names[as])
	}
	for _, path := range dots {
		add(".", path)
	}
	for _, path := range unnamed {
		add("", path)
	}
	for _, path := range slices.Sorted(maps.Keys(w.imported[name])) {
		if !now[path] {
			add("_", path)
		}
	}
	maps.Copy(w.imported[name], now)
	return b.String() + ")\n" + body
}

// A declarationFile contains declarations whose imports do not conflict.
type declarationFile struct {
	names map[string]string // package name → path
	dots  []string
	text  strings.Builder
}

// declarations returns files with the session's declarations, except for the names in except.
func declarations(k *session.Knowledge, except map[string]bool) []*declarationFile {
	first := &declarationFile{names: map[string]string{}}
	files := []*declarationFile{first}
	if k.Names["must"].Object == nil && !except["must"] {
		first.text.WriteString(must)
	}
	for _, d := range k.Declarations {
		if slices.ContainsFunc(d.Names, func(name string) bool { return except[name] }) {
			continue
		}
		for _, part := range d.Parts {
			f := fitting(&files, part)
			fmt.Fprintf(&f.text, "\n%s\n", part.Text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.Names)) {
		v, ok := k.Names[name].Object.(*types.Var)
		if !ok || except[name] {
			continue
		}
		imports := map[string]string{}
		t := v.Type()
		if named, ok := t.(*types.Named); ok && strings.HasPrefix(named.Obj().Name(), cType) {
			t = t.Underlying()
		}
		text := types.TypeString(t, func(p *types.Package) string {
			if p.Path() == mainPath {
				return ""
			}
			imports[p.Name()] = p.Path()
			return p.Name()
		})
		f := fitting(&files, session.Part{Imports: imports})
		fmt.Fprintf(&f.text, "\nvar %s %s\n", name, text)
	}
	return files
}

// fitting returns the first of the files whose imports do not conflict with those of a part, after it has added the part's
// imports to it.
func fitting(files *[]*declarationFile, part session.Part) *declarationFile {
	for _, f := range *files {
		fits := slices.Equal(f.dots, part.Dots) || len(part.Dots) == 0 && len(f.dots) == 0
		for name, path := range part.Imports {
			fits = fits && (f.names[name] == "" || f.names[name] == path)
		}
		if fits {
			maps.Copy(f.names, part.Imports)
			return f
		}
	}
	f := &declarationFile{names: maps.Clone(part.Imports), dots: part.Dots}
	if f.names == nil {
		f.names = map[string]string{}
	}
	*files = append(*files, f)
	return f
}
