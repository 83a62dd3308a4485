package session

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// An exportImporter reads packages from the archives that the toolchain has listed.
type exportImporter struct {
	tools *Toolchain
	now   func(path string) string // returns the path that a package is compiled under
	fset  *token.FileSet
	read  map[string]*types.Package // by compiled path; not all are complete
}

func newImporter(t *Toolchain) *exportImporter {
	i := &exportImporter{tools: t, now: func(path string) string { return path }}
	i.reset()
	return i
}

func (i *exportImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	path = i.now(path)
	if pkg := i.read[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	file, ok := i.tools.exports[path]
	if !ok {
		return nil, fmt.Errorf("package %s is not known", path)
	}
	data, err := exportData(file)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return gcexportdata.Read(data, i.fset, i.read, path)
}

// exportData returns the export data in the archive of a compiled package: the part of the first member from a line
// $$B to a line $$.
func exportData(file string) (io.Reader, error) {
	const magic, headerSize = "!<arch>\n", 60
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := make([]byte, len(magic)+headerSize)
	if _, err := io.ReadFull(f, start); err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(start[len(magic)+48 : len(magic)+58])))
	if err != nil || !bytes.HasPrefix(start, []byte(magic)) {
		return nil, fmt.Errorf("%s is no archive of a package", file)
	}
	member := make([]byte, size)
	if _, err := io.ReadFull(f, member); err != nil {
		return nil, err
	}
	_, data, ok := bytes.Cut(member, []byte("\n$$B\n"))
	if end := bytes.LastIndex(data, []byte("\n$$\n")); ok && end >= 0 {
		return bytes.NewReader(data[:end]), nil
	}
	return nil, fmt.Errorf("%s does not describe its package", file)
}

// reset removes all packages.
func (i *exportImporter) reset() {
	i.fset, i.read = token.NewFileSet(), map[string]*types.Package{}
}

// forget removes packages that were compiled again since they were read. No package that remains may import them.
func (i *exportImporter) forget(changed func(path string) bool) {
	maps.DeleteFunc(i.read, func(path string, _ *types.Package) bool { return changed(path) })
}

// ownImports returns the paths that the cell imports itself.
func (s *Session) ownImports(p *parsed) ([]string, error) {
	var paths []string
	for _, ch := range p.chunks {
		d, ok := ch.decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.ImportSpec)
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil || path == "" {
				return nil, problem(p.fset.Position(spec.Pos()), "invalid import path %s", spec.Path.Value)
			}
			if why := s.refused(path); why != "" && !(p.src.Made && path == CellImport) {
				return nil, problem(p.fset.Position(spec.Pos()), "%s", why)
			}
			if path == cgoPackage {
				paths = append(paths, cPaths...)
				continue
			}
			paths = append(paths, path)
		}
	}
	if p.embeds() {
		paths = append(paths, "embed")
	}
	return paths, nil
}

// refused returns why a cell can't import a path, or "".
func (s *Session) refused(path string) string {
	elements := strings.Split(path, "/")
	if strings.HasPrefix(path, ".") || strings.HasPrefix(path, "/") {
		return fmt.Sprintf("relative import path %s: packages are imported by their whole path, which begins with the module's, the first line of its go.mod", path)
	}
	// The code that magics generate imports CellImport.
	if slices.Contains(elements, "internal") && strings.HasPrefix(path, ModulePath+"/") && path != CellImport {
		return fmt.Sprintf("use of internal package %s not allowed: it is for gopherwarp alone", path)
	}
	if slices.Contains(elements, "internal") && !missing(filepath.Join(s.tools.env.GOROOT, "src", path)) {
		return fmt.Sprintf("use of internal package %s not allowed: it is for the standard library alone", path)
	}
	return ""
}

// selected returns the identifiers Sel in the cell's expressions X.Sel, by name X. X may be a package, a variable or
// anything else.
func (p *parsed) selected() map[string][]string {
	found := map[string][]string{}
	for _, ch := range p.chunks {
		addSelected(ch.node(), found)
	}
	return found
}

// addSelected adds the identifiers Sel in a node's expressions X.Sel, by name X.
func addSelected(in ast.Node, found map[string][]string) {
	ast.Inspect(in, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				found[x.Name] = append(found[x.Name], sel.Sel.Name)
			}
		}
		return true
	})
}

// declares returns the names that the cell declares at top level.
func (p *parsed) declares() map[string]bool {
	a := assembly{c: &checked{parsed: p}, declared: map[string]bool{}}
	for i, ch := range p.chunks {
		if ch.unchanged {
			continue
		}
		if ch.decl != nil {
			a.decl(i, ch.decl)
		} else {
			a.stmt(i, ch)
		}
	}
	return a.declared
}

// importNames returns the packages that the cell imports itself, by name.
func (p *parsed) importNames(importer types.Importer) map[string]string {
	names := map[string]string{}
	for _, ch := range p.chunks {
		d, ok := ch.decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, spec := range d.Specs {
			spec := spec.(*ast.ImportSpec)
			path, _ := strconv.Unquote(spec.Path.Value)
			if spec.Name != nil {
				names[spec.Name.Name] = path
			} else if pkg, err := importer.Import(path); err == nil {
				names[pkg.Name()] = path
			}
		}
	}
	return names
}

// candidates returns the packages that a name may denote, the likeliest first.
func (t *Toolchain) candidates(name string) []string {
	if name == "unsafe" {
		return []string{name} // go list does not return it as a package to compile
	}
	var found []string
	for _, p := range slices.Concat(t.config.Packages, t.std) {
		if packageBase(p) == name {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return rank(a) - rank(b) })
	return found
}

// rank orders packages of the same name: this module's first, then math/rand/v2, which is the only second version that
// goimports prefers, then those below text, math and go, then by the length of the path.
func rank(p string) int {
	switch {
	case strings.HasPrefix(p, ModulePath):
		return 0
	case p == "math/rand/v2":
		return 1
	case strings.HasPrefix(p, "text/"), strings.HasPrefix(p, "math/"), strings.HasPrefix(p, "go/"):
		return 2
	}
	return 3 + len(p)
}

// packageBase returns a package's probable name by its path.
func packageBase(p string) string {
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(p))
	}
	return base
}

// wellKnown are packages of modules that notebooks use without an import: GoNB, of whose examples this is, finds them among the modules that are
// on the machine.
var wellKnown = map[string]string{"constraints": "golang.org/x/exp/constraints"}

// findImport returns the package that name denotes, by the identifiers that the cell selects from it. Without out it fetches no module.
func (s *Session) findImport(ctx context.Context, name string, members []string, out Output) (string, bool) {
	fewest, best := len(members), ""
	paths := s.tools.candidates(name)
	if known := wellKnown[name]; known != "" && len(paths) == 0 && out != nil {
		paths = []string{known}
	}
	for _, path := range paths {
		if s.resolve(ctx, []string{path}, out) != nil {
			continue
		}
		pkg, err := s.importer.Import(path)
		if err != nil {
			continue
		}
		missing := func(member string) bool {
			obj := pkg.Scope().Lookup(member)
			return obj == nil || !obj.Exported()
		}
		n := len(slices.DeleteFunc(slices.Clone(members), func(m string) bool { return !missing(m) }))
		if n == 0 {
			return path, true
		}
		if best == "" || n < fewest {
			fewest, best = n, path
		}
	}
	// No package has all of them. With the likeliest one the error is about the undefined member.
	return best, best != ""
}
