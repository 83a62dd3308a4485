package session

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// An exportImporter reads packages from the object files that the toolchain has listed.
type exportImporter struct {
	gc types.Importer
}

func newImporter(t *Toolchain) *exportImporter {
	lookup := func(path string) (io.ReadCloser, error) {
		file, ok := t.exports[path]
		if !ok {
			return nil, fmt.Errorf("package %s is not known", path)
		}
		return os.Open(file)
	}
	return &exportImporter{gc: importer.ForCompiler(token.NewFileSet(), "gc", lookup)}
}

func (i *exportImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return i.gc.Import(path)
}

// ownImports lists the paths that the cell imports itself.
func (p *parsed) ownImports() ([]string, error) {
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
			if path == "C" {
				return nil, problem(p.fset.Position(spec.Pos()), `import "C" is not supported in cells: put the C code into a package with cgo and import that, or use a %%%%cuda cell for device code`)
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// selected lists what the cell takes from each name X in expressions X.Sel. The names may
// be packages, or variables, or anything.
func (p *parsed) selected() map[string][]string {
	found := map[string][]string{}
	for _, ch := range p.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					found[x.Name] = append(found[x.Name], sel.Sel.Name)
				}
			}
			return true
		})
	}
	return found
}

// declares lists the names that the cell declares at top level.
func (p *parsed) declares() map[string]bool {
	a := assembly{c: &checked{parsed: p}, declared: map[string]bool{}}
	for _, ch := range p.chunks {
		if ch.unchanged {
			continue
		}
		if ch.decl != nil {
			a.decl(ch.decl)
		} else {
			a.stmt(ch)
		}
	}
	return a.declared
}

// importNames lists the packages that the cell imports itself by name.
func (s *Session) importNames(p *parsed) map[string]string {
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
			} else if pkg, err := s.importer.Import(path); err == nil {
				names[pkg.Name()] = path
			}
		}
	}
	return names
}

// candidates lists the packages that a name may mean, the likeliest first.
func (t *Toolchain) candidates(name string) []string {
	var found []string
	for _, p := range slices.Concat(t.config.Packages, t.std) {
		if packageBase(p) == name {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return rank(a) - rank(b) })
	return found
}

// rank orders packages of the same name: those of this module, then newer versions, then
// by how basic they are.
func rank(p string) int {
	switch {
	case strings.HasPrefix(p, ModulePath):
		return 0
	case strings.HasSuffix(p, "/v2"):
		return 1
	case strings.HasPrefix(p, "text/"), strings.HasPrefix(p, "math/"), strings.HasPrefix(p, "go/"):
		return 2
	}
	return 3 + len(p)
}

// packageBase guesses a package's name from its path.
func packageBase(p string) string {
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(p))
	}
	return base
}

// findImport looks for the package that name means, from what the cell takes from it.
func (s *Session) findImport(ctx context.Context, name string, members []string) (string, bool) {
	for _, path := range s.tools.candidates(name) {
		if s.resolve(ctx, []string{path}, nil) != nil {
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
		if !slices.ContainsFunc(members, missing) {
			return path, true
		}
	}
	return "", false
}

// resolve makes packages known that cells are about to import, fetching modules where
// need be. What it does that takes time is told to out, which may be nil.
func (s *Session) resolve(ctx context.Context, paths []string, out Output) error {
	var missing []string
	for _, p := range paths {
		if _, known := s.tools.exports[p]; !known && p != "unsafe" {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	err := s.tools.list(ctx, s.dir, missing)
	if err == nil || ctx.Err() != nil {
		return err
	}
	var fetch []string
	for _, p := range missing {
		if !build.IsLocalImport(p) && strings.Contains(strings.Split(p, "/")[0], ".") {
			fetch = append(fetch, p)
		}
	}
	if len(fetch) == 0 {
		return err
	}
	if out != nil {
		out.Stream("stdout", "Fetching "+strings.Join(fetch, ", ")+" …\n")
	}
	if err := s.get(ctx, fetch, out); err != nil {
		return err
	}
	return s.tools.list(ctx, s.dir, missing)
}

// get adds modules to the session's go.mod.
func (s *Session) get(ctx context.Context, paths []string, out Output) error {
	if _, err := s.tools.run(ctx, s.dir, "go", append([]string{"get"}, paths...)...); err != nil {
		return fmt.Errorf("fetch %s: %w", strings.Join(paths, ", "), err)
	}
	if out != nil {
		args := append([]string{"list", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", "--"}, paths...)
		if got, err := s.tools.run(ctx, s.dir, "go", args...); err == nil {
			out.Stream("stdout", string(got))
		}
	}
	return nil
}
