package session

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
)

// modules are the packages of a session that are neither of the standard library nor of this module, and the versions that
// the session process has loaded.
type modules struct {
	tools *Toolchain
	types *exportImporter
	dir   string // of the session's go.mod
	home  string // directory of the notebook

	noFetch bool
	known   map[string]*listed // by import path, as they were last listed
	now     map[string]string  // import path → the path that it is compiled under, if another
	made    map[string]string  // compiled path → archive and moved imports that it was made of
	loaded  map[string]bool    // compiled paths that the process has loaded
	stamps  map[string]string  // directory of a local package → its files when it was listed
	broken  error              // why edited local packages can't be used, or nil
	base    map[string]string  // archives that every session has
	waiting *pins              // go.mod and go.sum of the next process
	work    []byte             // the go.work that was last written, or nil
	added   *modfile.WorkFile  // what a go.work that the user has written in dir adds, or nil

	compilations int // of packages under another path
}

// newModules returns the modules of a session whose toolchain is ready.
func newModules(t *Toolchain, dir, home string) (*modules, error) {
	if home == "" {
		var err error
		if home, err = os.Getwd(); err != nil {
			return nil, fmt.Errorf("find the notebook's directory: %w", err)
		}
	}
	m := &modules{tools: t, types: newImporter(t), dir: dir, home: home, base: t.exports}
	m.types.now = func(path string) string { return m.compiled(path) }
	return m, m.restart()
}

// restart resets the modules for a new process, with the versions that the old one could not load.
func (m *modules) restart() error {
	m.known, m.now, m.made = map[string]*listed{}, map[string]string{}, map[string]string{}
	m.loaded, m.stamps, m.broken = map[string]bool{}, map[string]string{}, nil
	m.types.reset()
	kept := maps.Clone(m.base)
	for path, file := range m.tools.exports {
		if m.tools.carries(path) {
			kept[path] = file
		}
	}
	m.tools.exports = kept
	next := m.waiting
	m.waiting = nil
	return next.write(m.dir)
}

// pins are the contents of go.mod and go.sum.
type pins struct{ mod, sum []byte }

func readPins(dir string) (*pins, error) {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &pins{mod, sum}, nil
}

func (p *pins) write(dir string) error {
	if p == nil {
		return nil
	}
	if err := writeFile(filepath.Join(dir, "go.mod"), p.mod); err != nil {
		return fmt.Errorf("write the session's go.mod: %w", err)
	}
	if err := writeFile(filepath.Join(dir, "go.sum"), p.sum); err != nil {
		return fmt.Errorf("write the session's go.sum: %w", err)
	}
	return nil
}

// carries reports whether a package needs no other module: it is of the standard library or of this module.
func (t *Toolchain) carries(path string) bool {
	_, isStd := slices.BinarySearch(t.std, path)
	return isStd || strings.HasPrefix(path, ModulePath+"/") && !t.optional(path) || strings.HasPrefix(path, "vendor/") || path == "unsafe" || path == "runtime/cgo" ||
		!strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && slices.Contains(strings.Split(path, "/"), "internal")
}

// resolve prepares packages that cells are about to import: it fetches modules if necessary and compiles changed local ones.
// It prints slow steps to out, which may be nil.
func (s *Session) resolve(ctx context.Context, paths []string, out Output) error {
	if err := s.modules.refresh(ctx, paths, out); err != nil {
		return err
	}
	var carried, others []string
	for _, p := range paths {
		if _, known := s.tools.exports[s.modules.compiled(p)]; known || p == "unsafe" {
			continue
		}
		if s.tools.carries(p) {
			carried = append(carried, p)
		} else {
			others = append(others, p)
		}
	}
	if len(carried) > 0 {
		if err := s.tools.list(ctx, s.tools.hostDir(), carried); err != nil {
			return err
		}
	}
	if len(others) == 0 {
		return nil
	}
	return s.modules.add(ctx, others, out)
}

// imported returns the packages that a cell imports itself, and those of earlier cells' imports that it mentions.
func (s *Session) imported(p *parsed, own []string) []string {
	paths := slices.Clone(own)
	for name := range p.selected() {
		if path := s.program.imports[name]; path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// importsNow returns the packages that names denote in a cell with these imports, by the paths that they are compiled under.
func (s *Session) importsNow(own map[string]string) map[string]string {
	imports := maps.Clone(s.program.imports)
	maps.Copy(imports, own)
	for name, path := range imports {
		imports[name] = s.modules.compiled(path)
	}
	return imports
}

// imports returns the packages that a compiled cell imports.
func (c *emitted) imports() []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", c.text, parser.ImportsOnly)
	if err != nil {
		return nil // it was compiled, so it parses
	}
	var paths []string
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// notFetched matches errors of the go command about modules that are not in go.mod.
var notFetched = regexp.MustCompile(`no required module provides package|cannot find module providing package|missing go.sum entry|updates to go.mod needed|is not in std`)

// add lists packages for cells and fetches their modules if necessary.
func (m *modules) add(ctx context.Context, paths []string, out Output) error {
	err := m.list(ctx, paths, out)
	if err == nil || ctx.Err() != nil || !notFetched.MatchString(err.Error()) {
		return err
	}
	before, err := readPins(m.dir)
	if err != nil {
		return fmt.Errorf("read the session's go.mod: %w", err)
	}
	var named []string
	for _, p := range paths {
		if !strings.Contains(strings.Split(p, "/")[0], ".") {
			return fmt.Errorf("package %s is not in the standard library (%s)%s", p, m.tools.env.GOVERSION, m.nearStd(p))
		}
		if m.tools.optional(p) {
			p = "what " + p + " needs"
		}
		named = append(named, p)
	}
	fetch, err := m.tools.queries(paths, before.mod)
	if err != nil {
		return err
	}
	if m.noFetch {
		return fmt.Errorf("%s: not in the session's go.mod, and %%noautoget is on: fetch it with %%get %s", strings.Join(named, ", "), strings.Join(fetch, " "))
	}
	tell(out, "Fetching "+strings.Join(named, ", ")+" …")
	err = m.fetch(ctx, fetch, out)
	if err == nil {
		err = m.list(ctx, paths, out)
	}
	var taken *conflictError
	if errors.As(err, &taken) {
		taken.wanted = "fetching " + strings.Join(fetch, ", ")
		if m.waiting == nil {
			if m.waiting, err = readPins(m.dir); err != nil {
				return fmt.Errorf("read the session's go.mod: %w", err)
			}
		}
		err = taken
	}
	if err != nil {
		// A failed or interrupted fetch must not change go.mod and go.sum.
		return errors.Join(err, before.write(m.dir))
	}
	told := map[string]bool{}
	for _, p := range paths {
		if mod := m.known[p].Module; mod != nil && !m.tools.optional(p) && !told[mod.Path] {
			told[mod.Path] = true
			tell(out, fmt.Sprintf("%s %s (to stay with this version: %%get %[1]s@%[2]s)", mod.Path, mod.Version))
		}
	}
	return nil
}

// fetch adds modules to go.mod by queries of the go command, such as path@version, and returns a *conflictError if that
// changes a version that the process has loaded.
func (m *modules) fetch(ctx context.Context, queries []string, out Output) error {
	if _, err := m.run(ctx, out, append([]string{"get", "--"}, queries...)...); err != nil {
		return m.explain(err, "fetch "+strings.Join(queries, ", "))
	}
	held := m.held()
	if len(held) == 0 {
		m.dropUnheld()
		return nil
	}
	text, err := m.run(ctx, out, append([]string{"list", "-e", "-m", "-json=Path,Version,Replace,Main", "--"}, slices.Sorted(maps.Keys(held))...)...)
	if err != nil {
		return err
	}
	conflict := &conflictError{wanted: "%get " + strings.Join(queries, " ")}
	for now := range decoded[module](text) {
		if was := held[now.Path]; was.version() != now.version() {
			conflict.changes = append(conflict.changes, change{now.Path, was.version(), now.version()})
		}
	}
	if len(conflict.changes) > 0 {
		return conflict
	}
	m.dropUnheld()
	return nil
}

// dropUnheld removes the packages that no cell uses, since their versions may have changed.
func (m *modules) dropUnheld() {
	exports := maps.Clone(m.tools.exports)
	for path := range m.known {
		if at := m.compiled(path); !m.loaded[at] {
			delete(exports, at)
			delete(m.made, at)
			delete(m.known, path)
		}
	}
	m.tools.exports = exports
	m.forgetUnheld()
}

func (m *modules) forgetUnheld() {
	m.types.forget(func(path string) bool { return !m.loaded[path] && !m.tools.carries(path) })
}

// held returns the modules of which the process has loaded packages, by path.
func (m *modules) held() map[string]*module {
	held := map[string]*module{}
	for path, p := range m.known {
		if m.loaded[m.compiled(path)] && p.Module != nil && !p.local() {
			held[p.Module.Path] = p.Module
		}
	}
	return held
}

// A conflictError is the error of changing the version of packages that the running process has loaded.
type conflictError struct {
	wanted  string
	changes []change
}

type change struct{ what, was, now string }

func (e *conflictError) Error() string {
	var b strings.Builder
	for _, c := range e.changes {
		switch {
		case c.now == "":
			fmt.Fprintf(&b, "%s would take away %s, which is loaded as %s. ", e.wanted, c.what, c.was)
		case c.now == c.was:
			fmt.Fprintf(&b, "%s (%s) is loaded and was compiled in another way since. ", c.what, c.was)
		default:
			fmt.Fprintf(&b, "%s needs %s %s, but %s is loaded. ", e.wanted, c.what, c.now, c.was)
		}
	}
	return b.String() + "A running Go program can't exchange a package. %reset starts a new session, which takes the new versions; this one goes on as it was"
}

// Get pins modules in the session's go.mod by queries such as path@version, path or path@none. It returns an error if the
// running process has loaded another version; then the version is kept for the next process.
func (s *Session) Get(ctx context.Context, queries []string, out Output) error {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return err
	}
	return s.modules.pin(ctx, queries, out)
}

func (m *modules) pin(ctx context.Context, queries []string, out Output) error {
	before, err := readPins(m.dir)
	if err != nil {
		return fmt.Errorf("read the session's go.mod: %w", err)
	}
	// Versions that wait for the next process are the base of further changes.
	if err := m.waiting.write(m.dir); err != nil {
		return err
	}
	err = m.fetch(ctx, queries, out)
	if err == nil {
		m.waiting = nil
		return m.printPinned(queries, out)
	}
	var taken *conflictError
	if errors.As(err, &taken) {
		after, readErr := readPins(m.dir)
		if readErr != nil {
			return fmt.Errorf("read the session's go.mod: %w", readErr)
		}
		m.waiting = after
	}
	return errors.Join(err, before.write(m.dir))
}

// printPinned prints the versions that queries resolved to.
func (m *modules) printPinned(queries []string, out Output) error {
	pinned, err := m.pinned()
	if err != nil {
		return err
	}
	for _, q := range queries {
		path, version, _ := strings.Cut(q, "@")
		var best Module // the innermost module that contains path
		for _, mod := range pinned {
			if (mod.Path == path || strings.HasPrefix(path, mod.Path+"/")) && len(mod.Path) > len(best.Path) {
				best = mod
			}
		}
		switch {
		case best.Path != "":
			tell(out, best.Path+" "+best.Version)
		case version == "none":
			tell(out, path+" removed")
		}
	}
	return nil
}

// A Module is a module that the session's go.mod requires.
type Module struct {
	Path, Version string
	Loaded        bool // whether the running process has loaded packages of it
}

// Modules returns the modules that the session's go.mod requires, sorted by path.
func (s *Session) Modules(ctx context.Context, out Output) ([]Module, error) {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return nil, err
	}
	return s.modules.pinned()
}

// pinned returns the modules that the session's go.mod requires.
func (m *modules) pinned() ([]Module, error) {
	file := filepath.Join(m.dir, "go.mod")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the session's go.mod: %w", err)
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("read the session's go.mod: %w", err)
	}
	held := m.held()
	var all []Module
	for _, r := range mod.Require {
		if r.Mod.Path != ModulePath {
			all = append(all, Module{r.Mod.Path, r.Mod.Version, held[r.Mod.Path] != nil})
		}
	}
	return all, nil
}

// GoVersion returns the version of Go that cells are compiled with, e.g. "go1.26.8".
func (s *Session) GoVersion(ctx context.Context, out Output) (string, error) {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return "", err
	}
	return s.tools.env.GOVERSION, nil
}

// Go returns the Go that cells are compiled with. It waits until the session is ready, and returns the zero value
// if that fails.
func (s *Session) Go() gotool.Go {
	o := s.opening.Load()
	<-o.done
	if o.err != nil {
		return gotool.Go{}
	}
	return s.tools.Go()
}

// SetFetching sets whether modules are fetched when cells import them. It waits until the session is ready.
func (s *Session) SetFetching(on bool) error {
	s.running.Lock()
	defer s.running.Unlock()
	o := s.opening.Load()
	<-o.done
	if o.err == nil {
		s.modules.noFetch = !on
	}
	return o.err
}
