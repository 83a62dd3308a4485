package session

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
	"github.com/gopherwarp/gopherwarp/internal/intact"
	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// A session process has few packages at first. The plugins of cells add others in part: functions that no cell has called are
// missing, and are linked into the plugin of the next cell that calls one. For net/http, which has a hundred dependencies,
// that took seconds with each new function. So net/http is linked once for each toolchain, with everything that it and its
// dependencies export, into a plugin of its own. A session process loads it before the first cell that needs it.

// bundled is the package, and bundleUsers are those of the standard library that need all or much of it.
const bundled = "net/http"

var bundleUsers = []string{
	"crypto/tls", "crypto/x509", "expvar", bundled, "net/http/cgi", "net/http/cookiejar", "net/http/fcgi", "net/http/httptest",
	"net/http/httptrace", "net/http/httputil", "net/http/pprof", "net/rpc", "net/rpc/jsonrpc", "net/smtp",
}

// bundleImport is another package in the bundle.
const bundleImport = ModulePath + "/internal/cellruntime/registered/muxhost"

// A bundle is that plugin.
type bundle struct {
	Plugin  string
	Slimmed map[string]string        // slim archives of its packages, by the path of the whole one
	Files   map[string]intact.Record // of all of these files

	symbols *slim.Symbols
}

func (t *Toolchain) bundleDir() string { return filepath.Join(t.dir, "bundle") }

// useBundle makes the session process load the bundle with a cell that needs it. Without a bundle cells are linked alone, which
// only takes longer.
func (s *Session) useBundle(ctx context.Context, c *emitted, out Output) {
	if s.bundle != nil || s.noBundle || !slices.ContainsFunc(c.imports(), s.modules.needsBundle) {
		return
	}
	defer waitingFor("Preparing "+bundled+" for cells", out)()
	b, err := s.tools.openBundle(ctx, func(step string) { tell(out, step+" …") })
	if err != nil {
		s.noBundle = ctx.Err() == nil
		return
	}
	s.bundle = b
	s.archives.addBundle(b)
}

// needsBundle reports whether a package, or one that it imports, is in bundleUsers.
func (m *modules) needsBundle(path string) bool { return m.needs(path, map[string]bool{}) }

func (m *modules) needs(path string, seen map[string]bool) bool {
	if slices.Contains(bundleUsers, path) {
		return true
	}
	p := m.known[unversioned(path)]
	if p == nil || seen[path] {
		return false
	}
	seen[path] = true
	return slices.ContainsFunc(p.Imports, func(path string) bool { return m.needs(path, seen) })
}

// openBundle returns the bundle and builds it if necessary.
func (t *Toolchain) openBundle(ctx context.Context, progress func(string)) (*bundle, error) {
	if b, err := t.readBundle(false); err == nil {
		return b, nil
	}
	unlock, err := dirlock.Lock(t.dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if b, err := t.readBundle(false); err == nil { // another session has built it in the meantime
		return b, nil
	}
	progress("Preparing " + bundled + " for cells (once for each version of Go)")
	b, err := t.buildBundle(ctx)
	if err != nil {
		return nil, fmt.Errorf("prepare %s for cells: %w", bundled, err)
	}
	return b, nil
}

func (t *Toolchain) bundleFile() string { return filepath.Join(t.bundleDir(), "bundle.json") }

// readBundle returns the bundle. Its error is fs.ErrNotExist if there is none, or names a damaged file. If full is set, the
// contents of all files are checked.
func (t *Toolchain) readBundle(full bool) (*bundle, error) {
	data, err := os.ReadFile(t.bundleFile())
	if err != nil {
		return nil, err
	}
	if err := intact.Sealed(t.bundleFile(), true); err != nil {
		return nil, err
	}
	b := &bundle{}
	if err := json.Unmarshal(data, b); err != nil {
		return nil, fmt.Errorf("read %s: %w", t.bundleFile(), err)
	}
	for file, record := range b.Files {
		if err := record.Check(file, full); err != nil {
			return nil, damageOf(file, err)
		}
	}
	symbols, err := os.ReadFile(filepath.Join(t.bundleDir(), "symbols"))
	if err != nil {
		return nil, err
	}
	b.symbols = slim.DecodeSymbols(symbols)
	return b, nil
}

// buildBundle builds the bundle. The directory's lock is held.
func (t *Toolchain) buildBundle(ctx context.Context) (*bundle, error) {
	dir := t.bundleDir()
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	packages, err := t.bundlePackages(ctx)
	if err != nil {
		return nil, err
	}
	file := func(ext string) string { return filepath.Join(dir, "bundle"+ext) }
	if err := writeFile(file(".go"), t.bundleText(packages)); err != nil {
		return nil, err
	}
	if err := writePackages(file(".cfg"), t.exports); err != nil {
		return nil, err
	}
	const path = "main/bundle"
	args := slices.Concat(t.compileArgs(path, file), []string{"-complete", file(".go")})
	if _, err := t.tool(ctx, "compile", args...); err != nil {
		return nil, err
	}
	a := t.newArchives(filepath.Join(dir, "work"))
	for _, p := range packages {
		a.keepMethods(t.exports[p]) // else link would link twice
	}
	if err := a.link(ctx, linking{path: path, archive: file(".a"), plugin: file(".so"), packages: t.exports, flags: []string{"-s", "-w"}}); err != nil {
		return nil, err
	}
	b := &bundle{Plugin: file(".so"), Slimmed: map[string]string{}, Files: map[string]intact.Record{}}
	if b.symbols, err = slim.ReadSymbols(b.Plugin); err != nil {
		return nil, err
	}
	a.have.Join(b.symbols)
	for _, p := range packages {
		if b.Slimmed[t.exports[p]], err = rewriteFile(t.exports[p], filepath.Join(dir, "slim"), slimmer(a.have)); err != nil {
			return nil, err
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "work")); err != nil {
		return nil, err
	}
	return b, b.write(dir)
}

func (b *bundle) write(dir string) error {
	symbols := filepath.Join(dir, "symbols")
	if err := writeFile(symbols, b.symbols.Encode()); err != nil {
		return err
	}
	for _, file := range append(slices.Collect(maps.Values(b.Slimmed)), b.Plugin, symbols) {
		record, err := intact.RecordOf(file)
		if err != nil {
			return err
		}
		b.Files[file] = record
	}
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "bundle.json"), data); err != nil {
		return err
	}
	return intact.Seal(filepath.Join(dir, "bundle.json"))
}

// bundlePackages lists the bundle's packages: the dependencies that the session program does not have.
func (t *Toolchain) bundlePackages(ctx context.Context) ([]string, error) {
	if err := t.list(ctx, t.hostDir(), []string{bundled, bundleImport}); err != nil {
		return nil, err
	}
	out, err := t.run(ctx, t.hostDir(), "list", "-mod=readonly", "-deps", "--", bundled, bundleImport)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(p string) bool {
		_, inProgram := t.slimmed[t.exports[p]]
		return inProgram || t.exports[p] == ""
	}), nil
}

// bundleText returns the source of a package that refers to all funcs and types of packages that cells can name.
func (t *Toolchain) bundleText(packages []string) []byte {
	var imports, keep strings.Builder
	importer := newImporter(t)
	for i, path := range packages {
		pkg, err := importer.Import(path)
		if err != nil || path == bundleImport || strings.HasPrefix(path, "vendor/") || slices.Contains(strings.Split(path, "/"), "internal") {
			continue // it is linked because others import it
		}
		before := keep.Len()
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			switch obj := obj.(type) {
			case *types.Func:
				if obj.Exported() && obj.Signature().TypeParams().Len() == 0 {
					fmt.Fprintf(&keep, "\tcell.Keep(p%d.%s)\n", i, name)
				}
			case *types.TypeName:
				if obj.Exported() && (obj.IsAlias() || !isGeneric(obj)) {
					fmt.Fprintf(&keep, "\tcell.Keep((*p%d.%s)(nil))\n", i, name)
				}
			}
		}
		if keep.Len() > before {
			fmt.Fprintf(&imports, "\tp%d %q\n", i, path)
		}
	}
	return fmt.Appendf(nil, "package %s\n\nimport (\n%s\tcell %q\n\t_ %q\n%s)\n\nfunc init() {\n%s}\n", packageName, keepMaps, CellImport, bundleImport, imports.String(), keep.String())
}

// addBundle adds the symbols and slim archives of a bundle, which the session process loads before the next cell.
func (a *slimArchives) addBundle(b *bundle) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.have.Join(b.symbols)
	maps.Copy(a.slimmed, b.Slimmed)
}
