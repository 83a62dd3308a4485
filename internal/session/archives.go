package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// A plugin contains all code that its cell can reach, though the dynamic linker uses the copy of the session program or of an
// earlier cell. Writing that code is most of the time of linking, so packages that the process has loaded are linked from
// archives without their code: see package slim. If a cell is the first to call a function of such a package, the plugin has
// an empty copy of the function. That is detected before the plugin is loaded, and it is linked again with the whole package.

// slimArchives are the archives that a session links its cells with.
type slimArchives struct {
	tools    *Toolchain
	dir      string
	slimming *sync.WaitGroup // counts tasks in the background
	have     *slim.Symbols   // symbols that the session process has loaded

	mu      sync.Mutex // held while the goroutine of loaded runs
	slimmed map[string]string
	whole   map[string]string // archives that are linked in full beside slim ones, by the compiler's archive
}

func (t *Toolchain) newArchives(dir string) *slimArchives {
	return &slimArchives{tools: t, dir: dir, have: t.symbols.Fork(), slimmed: map[string]string{}, whole: map[string]string{}}
}

func (s *Session) newArchives() *slimArchives {
	a := s.tools.newArchives(filepath.Join(s.dir, "slim"))
	a.slimming = &s.slimming
	return a
}

// file returns the archive to link for one that the compiler made.
func (a *slimArchives) file(original string) string {
	if file, ok := a.slimmed[original]; ok {
		return file
	}
	if file, ok := a.tools.slimmed[original]; ok {
		return file
	}
	return original
}

// loaded records that the session process has loaded a plugin. In the background, it makes slim archives of the packages
// that the plugin added to the process. packages are the compiler's archives by import path.
func (a *slimArchives) loaded(plugin string, packages map[string]string) {
	a.mu.Lock()
	a.slimming.Go(func() {
		defer a.mu.Unlock()
		paths, err := slim.Packages(plugin)
		if err != nil || a.have.Add(plugin) != nil {
			return // cells are linked in full, which only takes longer
		}
		for _, path := range paths {
			original := packages[path]
			if original == "" || a.file(original) != original {
				continue
			}
			if file, err := rewriteFile(original, a.dir, slimmer(a.have)); err == nil {
				a.slimmed[original] = file
			}
		}
	})
}

// isLoaded reports whether the session process has the package that a cell imports, and all packages that it imports.
func (s *Session) isLoaded(path string) bool {
	_, inProgram := s.tools.slimmed[s.tools.exports[path]]
	_, isCell := home{path: path}.cell()
	return inProgram || isCell || s.modules.loaded[path] || path == "unsafe" || path == cgoPackage
}

// slimmer returns a function that makes slim archives for a process that has loaded these symbols.
func slimmer(have *slim.Symbols) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) { return slim.Rewrite(data, have) }
}

// rewriteFile writes a changed copy of an archive into a directory and returns its path.
func rewriteFile(original, dir string, change func([]byte) ([]byte, error)) (string, error) {
	data, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if data, err = change(data); err != nil {
		return "", fmt.Errorf("rewrite %s: %w", original, err)
	}
	sum := sha256.Sum256([]byte(original))
	file := filepath.Join(dir, hex.EncodeToString(sum[:12])+".a")
	return file, writeFile(file, data)
}

// slim makes slim archives of all packages in the session program.
func (t *Toolchain) slim() error {
	var err error
	if t.symbols, err = slim.ReadSymbols(t.HostProgram()); err != nil {
		return err
	}
	paths, err := slim.Packages(t.HostProgram())
	if err != nil {
		return err
	}
	t.slimmed = map[string]string{}
	for _, path := range paths {
		original := t.exports[path]
		if original == "" {
			continue
		}
		file, err := rewriteFile(original, filepath.Join(t.dir, "slim"), slimmer(t.symbols))
		if err != nil {
			continue // an unknown format: cells are linked in full
		}
		t.slimmed[original] = file
	}
	return writeFile(filepath.Join(t.dir, "symbols"), t.symbols.Encode())
}

// A linking is the input and the output of one run of the linker.
type linking struct {
	path     string // import path of the cell's package
	archive  string // its archive
	plugin   string
	packages map[string]string // archives by import path
	flags    []string
	whole    bool // whether all packages are linked with their code
}

// link links a compiled package into a plugin.
func (a *slimArchives) link(ctx context.Context, l linking) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	whole, list := a.lists(l)
	for {
		err := a.tools.link(ctx, l, list)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		missing := []string{""}
		if err == nil {
			if missing, err = a.have.Missing(l.plugin); err != nil {
				return err
			}
			if len(missing) == 0 {
				paths, err := slim.Packages(l.plugin)
				if err != nil || !a.keepMethodsOf(paths, whole, list) {
					return err
				}
				continue
			}
		}
		if whole[l.path] == l.archive {
			whole[l.path] = a.keepMethods(l.archive)
		}
		if !restore(list, whole, missing) {
			return err // it was linked in full
		}
	}
}

// lists returns the archives of a linking by import path: those with all code, and those that it is tried with first.
func (a *slimArchives) lists(l linking) (whole, list map[string]string) {
	whole, list = maps.Clone(l.packages), maps.Clone(l.packages)
	for p, file := range l.packages {
		if kept, ok := a.whole[file]; ok {
			whole[p] = kept
		}
		if list[p] = a.file(file); list[p] == file {
			list[p] = whole[p]
		}
	}
	list[l.path] = a.slimNew(l.archive)
	if l.whole || list[l.path] == l.archive {
		whole[l.path] = a.keepMethods(l.archive)
		list[l.path] = whole[l.path]
	}
	if l.whole {
		restore(list, whole, nil)
	}
	return whole, list
}

// keepMethodsOf replaces those of the packages that are in the list as they were compiled by archives that can be linked
// with slim ones, and reports whether there were any.
func (a *slimArchives) keepMethodsOf(paths []string, whole, list map[string]string) bool {
	changed := false
	for _, p := range paths {
		if original := whole[p]; list[p] == original && filepath.Dir(original) != a.wholeDir() {
			whole[p] = a.keepMethods(original)
			list[p] = whole[p]
			changed = changed || whole[p] != original
		}
	}
	return changed
}

// keepMethods returns an archive that can be linked with slim ones.
func (a *slimArchives) keepMethods(original string) string {
	if len(a.tools.slimmed) == 0 {
		return original // an unknown format: there are no slim ones
	}
	file, err := rewriteFile(original, a.wholeDir(), slim.KeepMethods)
	if err != nil {
		return original
	}
	a.whole[original] = file
	return file
}

// slimNew returns an archive of a cell's package without the code that the session process has, such as the methods of arrays, or the
// archive itself if there is none.
func (a *slimArchives) slimNew(original string) string {
	if len(a.tools.slimmed) == 0 {
		return original // an unknown format: there are no slim ones
	}
	file, err := rewriteFile(original, a.dir, func(data []byte) ([]byte, error) { return slim.RewriteNew(data, a.have) })
	if err != nil {
		return original
	}
	return file
}

// renewed replaces what keepMethods made of an archive that was compiled again.
func (a *slimArchives) renewed(original string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keepMethods(original)
}

func (a *slimArchives) wholeDir() string { return filepath.Join(a.dir, "whole") }

// restore replaces archives in the list by the whole ones: those of the packages that the names begin with, or all of them
// if none of these is slim. It reports whether it replaced any.
func restore(list, whole map[string]string, names []string) bool {
	restored := false
	for _, name := range names {
		p := slim.PackageOf(name)
		if file := whole[p]; file != "" && list[p] != file {
			list[p] = file
			restored = true
		}
	}
	if restored {
		return true
	}
	// It is a function that go:linkname names after another package than its own.
	for p, file := range whole {
		restored = restored || list[p] != file
		list[p] = file
	}
	return restored
}

func (t *Toolchain) link(ctx context.Context, l linking, packages map[string]string) error {
	list := l.plugin + ".cfg"
	if err := writePackages(list, packages); err != nil {
		return err
	}
	defer os.Remove(list)
	args := []string{
		"-o", l.plugin, "-importcfg", list, "-installsuffix", "dynlink",
		"-pluginpath", l.path, "-buildmode=plugin", "-checklinkname=0", "-extld=./" + filepath.Base(t.linker),
	}
	args = append(append(args, l.flags...), packages[l.path])
	// Its working directory is that of the program for -extld: the whole path may have spaces and quotes, of which
	// cmd/link allows some.
	if _, err := t.toolIn(ctx, filepath.Dir(t.linker), "link", args...); err != nil {
		return linkError(err, filepath.Dir(filepath.Dir(l.plugin)))
	}
	return nil
}

var (
	// linkerNoise matches what Go's linker writes before the message of the external linker: a line, and the command line.
	linkerNoise = regexp.MustCompile(`(?m)^.*running \./link-cell failed: exit status \d+\n\./link-cell .*\n|^(?:\S*/)?link: |: exit status \d+$`)
	// linkerFiles matches the temporary directories of the linker.
	linkerFiles = regexp.MustCompile(`\S*/go-link-\d+/`)
	// noFunction matches a linker's error about a function that is declared and not defined.
	noFunction = regexp.MustCompile("(?:against (?:undefined )?symbol:? |undefined (?:reference to|symbol:?) )[`']?([^\\s`';]+)")
)

// linkError returns the linker's error without the command line and the paths in the session's directory.
func linkError(err error, dir string) error {
	msg := linkerNoise.ReplaceAllString(err.Error(), "")
	msg = strings.ReplaceAll(linkerFiles.ReplaceAllString(msg, ""), dir+"/", "")
	if m := noFunction.FindStringSubmatch(msg); m != nil {
		return &goError{fmt.Sprintf("link the cell: there is no function %s: write its body, or correct the name after //go:linkname", demangled(m[1])), err}
	}
	return &goError{"link the cell: " + demangled(strings.TrimSpace(msg)), err}
}
