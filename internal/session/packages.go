package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a package in the output of go list.
type listed struct {
	ImportPath, Name, Dir, Export string
	Standard                      bool
	Module                        *module

	GoFiles, CgoFiles, CFiles, CXXFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles []string
	EmbedPatterns, EmbedFiles                                                               []string

	Imports   []string
	ImportMap map[string]string
}

type module struct {
	Path, Version, GoVersion string
	Main                     bool
	Replace                  *module
}

// version returns the module's version for messages.
func (m *module) version() string {
	switch {
	case m == nil:
		return ""
	case m.Replace != nil && m.Replace.Version != "":
		return m.Replace.Path + " " + m.Replace.Version
	case m.Replace != nil:
		return m.Replace.Path
	}
	return m.Version
}

// local reports whether the package's files can be edited.
func (p *listed) local() bool {
	return p.Module != nil && (p.Module.Main || p.Module.Replace != nil && p.Module.Replace.Version == "")
}

const listFields = "ImportPath,Name,Dir,Export,Standard,Module,GoFiles,CgoFiles,CFiles,CXXFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedPatterns,EmbedFiles,Imports,ImportMap"

// list compiles packages of modules, and their dependencies, for cells.
func (m *modules) list(ctx context.Context, paths []string, out Output) error {
	end := waitingFor("Compiling "+strings.Join(paths, ", "), out)
	defer end()
	text, err := m.run(ctx, out, append([]string{"list", "-mod=readonly", "-export", "-deps", "-buildmode=plugin", "-json=" + listFields, "--"}, paths...)...)
	if err != nil {
		return m.explain(err, "")
	}
	end()
	var all []*listed
	for p := range decoded[listed](text) {
		all = append(all, p)
	}
	for _, p := range all[max(0, len(all)-1):] {
		if slices.Contains(paths, p.ImportPath) && p.Name == "main" {
			return fmt.Errorf("%s is a program, not a package that can be imported", p.ImportPath)
		}
	}
	return m.merge(ctx, all)
}

// A merge is the new state of the known packages while packages that were listed again are added.
type merge struct {
	*modules
	ctx     context.Context
	known   map[string]*listed
	now     map[string]string
	made    map[string]string
	exports map[string]string
	fresh   bool // whether a package changed that had been read before
}

// merge adds packages that were listed, dependencies first. It changes nothing if it fails.
func (m *modules) merge(ctx context.Context, all []*listed) error {
	next := &merge{m, ctx, maps.Clone(m.known), maps.Clone(m.now), maps.Clone(m.made), maps.Clone(m.tools.exports), false}
	conflict := &conflictError{wanted: "the import"}
	for _, p := range all {
		if err := next.take(p, conflict); err != nil {
			return err
		}
	}
	if len(conflict.changes) > 0 {
		return conflict
	}
	m.known, m.now, m.made, m.tools.exports = next.known, next.now, next.made, next.exports
	if next.fresh {
		m.forgetUnheld()
	}
	for _, p := range all {
		if p.local() {
			m.stamps[p.Dir] = stamp(p)
		}
	}
	return nil
}

// take adds one package. A package that the process has loaded can't be replaced: a local package that was edited, and those
// that import it, are compiled under another path.
func (m *merge) take(p *listed, conflict *conflictError) error {
	if p.Export == "" || p.Standard || m.tools.carries(p.ImportPath) {
		if p.Export != "" && m.exports[p.ImportPath] == "" {
			m.exports[p.ImportPath] = p.Export
		}
		return nil
	}
	was := m.known[p.ImportPath]
	m.known[p.ImportPath] = p
	at := p.ImportPath
	if now, ok := m.now[at]; ok {
		at = now
	}
	moved := m.movedImports(p)
	inputs := p.Export + " " + strings.Join(moved, " ")
	switch {
	case m.made[at] == inputs:
		return nil
	case !m.loaded[at]:
	case !p.local() && len(moved) == 0:
		conflict.changes = append(conflict.changes, change{p.Module.Path, was.Module.version(), p.Module.version()})
		return nil
	default:
		at = m.nextPath(p.ImportPath)
	}
	m.fresh = m.fresh || m.made[at] != ""
	m.made[at] = inputs
	if at == p.ImportPath && len(moved) == 0 {
		m.exports[at] = p.Export
		return nil
	}
	file, err := m.compile(m.ctx, p, at, moved)
	if err != nil {
		return err
	}
	m.exports[at], m.now[p.ImportPath] = file, at
	return nil
}

// movedImports returns the imports of p that are compiled under another path, as importmap lines for the compiler.
func (m *merge) movedImports(p *listed) []string {
	var moved []string
	for _, path := range slices.Sorted(slices.Values(p.Imports)) {
		if real, ok := p.ImportMap[path]; ok {
			path = real
		}
		if now, ok := m.now[path]; ok && now != path {
			moved = append(moved, path+"="+now)
		}
	}
	return moved
}

// versionMark separates a package's path from the number of its version in this process. It is allowed in import paths, but rare.
const versionMark = "~"

// unversioned returns the path by which a cell imports a package.
func unversioned(path string) string {
	if i := strings.LastIndex(path, versionMark); i > 0 && strings.Trim(path[i+1:], "0123456789") == "" {
		return path[:i]
	}
	return path
}

// nextPath returns the next free path for a package that was edited.
func (m *merge) nextPath(path string) string {
	for i := 2; ; i++ {
		if at := fmt.Sprintf("%s%s%d", path, versionMark, i); m.made[at] == "" || !m.loaded[at] {
			return at
		}
	}
}

// compile compiles a package of Go files under the path at. moved are its movedImports.
func (m *merge) compile(ctx context.Context, p *listed, at string, moved []string) (string, error) {
	if len(p.CgoFiles)+len(p.CFiles)+len(p.CXXFiles)+len(p.FFiles)+len(p.SFiles)+len(p.SwigFiles)+len(p.SwigCXXFiles)+len(p.SysoFiles) > 0 {
		return "", fmt.Errorf("%s has changed, or something that it imports, but it has C or assembly code, which can't be loaded twice: %%reset starts a new session with it", p.ImportPath)
	}
	if err := os.MkdirAll(filepath.Join(m.dir, "packages"), 0o755); err != nil {
		return "", err
	}
	// File names are not reused, since other code caches the contents by name.
	m.compilations++
	base := filepath.Join(m.dir, "packages", fmt.Sprintf("p%d", m.compilations))
	var config strings.Builder
	for _, line := range moved {
		fmt.Fprintf(&config, "importmap %s\n", line)
	}
	for from, to := range p.ImportMap {
		fmt.Fprintf(&config, "importmap %s=%s\n", from, to)
	}
	for path, file := range m.exports {
		fmt.Fprintf(&config, "packagefile %s=%s\n", path, file)
	}
	if err := os.WriteFile(base+".cfg", []byte(config.String()), 0o644); err != nil {
		return "", err
	}
	t := m.tools
	args := []string{
		"-o", base + ".a", "-p", at, "-lang=go" + p.language(t.language()), "-complete", "-installsuffix", "dynlink",
		"-goversion", t.env.GOVERSION, "-c=2", "-dynlink", "-nolocalimports", "-importcfg", base + ".cfg", "-pack",
	}
	if len(p.EmbedFiles) > 0 {
		if err := p.writeEmbedConfig(base + ".embed"); err != nil {
			return "", fmt.Errorf("embed files into %s: %w", p.ImportPath, err)
		}
		args = append(args, "-embedcfg", base+".embed")
	}
	for _, f := range p.GoFiles {
		args = append(args, filepath.Join(p.Dir, f))
	}
	env := append(t.toolEnv(), lowMemory...)
	if _, err := t.command(ctx, p.Dir, env, filepath.Join(t.env.GOTOOLDIR, "compile"), args...); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return "", errors.New(strings.TrimSuffix(err.Error(), ": exit status 2"))
	}
	return base + ".a", nil
}

// haveCXX reports whether a package has C++ code.
func (m *modules) haveCXX() bool {
	for _, p := range m.known {
		if len(p.CXXFiles)+len(p.SwigCXXFiles) > 0 {
			return true
		}
	}
	return false
}

// language returns the version of Go that the package is written in. newest is that of packages without a go directive.
func (p *listed) language(newest string) string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return newest
	}
	parts := strings.SplitN(p.Module.GoVersion, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// writeEmbedConfig writes the compiler's list of the files that the package's patterns match.
func (p *listed) writeEmbedConfig(file string) error {
	config := struct {
		Patterns map[string][]string
		Files    map[string]string
	}{map[string][]string{}, map[string]string{}}
	for _, f := range p.EmbedFiles {
		config.Files[f] = filepath.Join(p.Dir, f)
		for _, pattern := range p.EmbedPatterns {
			glob, all := strings.CutPrefix(pattern, "all:")
			if embeds(glob, f, all) {
				config.Patterns[pattern] = append(config.Patterns[pattern], f)
			}
		}
	}
	data, err := json.Marshal(config)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// embeds reports whether a pattern embeds a file: directly, or in a directory that it matches. In directories it omits
// hidden files unless all is set.
func embeds(glob, file string, all bool) bool {
	for dir := file; dir != "."; dir = path.Dir(dir) {
		if ok, err := path.Match(glob, dir); err != nil || !ok {
			continue
		}
		for _, name := range strings.Split(strings.Trim(strings.TrimPrefix(file, dir), "/"), "/") {
			if !all && name != "" && (name[0] == '.' || name[0] == '_') {
				return false
			}
		}
		return true
	}
	return false
}

// compiled returns the path that a package is currently compiled under.
func (m *modules) compiled(path string) string {
	if m.known[path] == nil && m.made[path] != "" {
		path = unversioned(path) // a path that was recorded for an earlier version
	}
	if now, ok := m.now[path]; ok {
		return now
	}
	return path
}

// refresh compiles local packages whose files were changed. If that fails, it returns the error only for cells that use
// these packages.
func (m *modules) refresh(ctx context.Context, used []string, out Output) error {
	var changed []string
	for path, p := range m.known {
		if !p.local() {
			continue
		}
		if now := stamp(p); now != m.stamps[p.Dir] {
			m.stamps[p.Dir] = now
			changed = append(changed, path)
		}
	}
	if len(changed) > 0 {
		var paths []string
		for path, p := range m.known {
			// A package that was removed concerns only cells that still import it.
			if _, err := os.Stat(p.Dir); err == nil && m.reachesLocal(p, map[string]bool{}) {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		m.broken = nil
		if len(paths) > 0 {
			m.broken = m.list(ctx, paths, out)
		}
		if ctx.Err() != nil {
			for _, path := range changed {
				delete(m.stamps, m.known[path].Dir) // to be checked again
			}
			return ctx.Err()
		}
	}
	if m.broken == nil {
		return nil
	}
	for _, path := range used {
		if p := m.known[path]; p != nil && m.reachesLocal(p, map[string]bool{}) {
			return m.broken
		}
	}
	return nil
}

// reachesLocal reports whether p is a local package or imports one.
func (m *modules) reachesLocal(p *listed, seen map[string]bool) bool {
	if p.local() {
		return true
	}
	for _, path := range p.Imports {
		if q := m.known[path]; q != nil && !seen[path] {
			seen[path] = true
			if m.reachesLocal(q, seen) {
				return true
			}
		}
	}
	return false
}

// stamp returns a text that changes with the files of a local package.
func stamp(p *listed) string {
	var b strings.Builder
	add := func(name string) {
		if info, err := os.Stat(filepath.Join(p.Dir, name)); err == nil && !info.IsDir() {
			fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return err.Error()
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			add(e.Name())
		}
	}
	for _, f := range p.EmbedFiles {
		if strings.Contains(f, "/") {
			add(f)
		}
	}
	return b.String()
}

// load records that the process has loaded these packages and their dependencies.
func (m *modules) load(imports []string) {
	for _, at := range imports {
		if m.loaded[at] {
			continue
		}
		m.loaded[at] = true
		p := m.known[at]
		if p == nil {
			p = m.known[unversioned(at)]
		}
		if p == nil {
			continue
		}
		var next []string
		for _, path := range p.Imports {
			next = append(next, m.compiled(path))
		}
		m.load(next)
	}
}
