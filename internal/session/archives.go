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

// A plugin repeats all code that its cell can reach, though the dynamic linker uses the
// copy of the session program or of an earlier cell. That is most of the time of linking,
// so packages that the process has loaded are linked from archives without their code:
// see package slim. Now and then a cell is the first to call a function of such a
// package. Then the plugin has an empty copy of it, which is seen before it is loaded, and
// it is linked once more with the package as it is.

// slimArchives are the archives that a session links its cells with.
type slimArchives struct {
	tools    *Toolchain
	dir      string
	slimming *sync.WaitGroup // counts what goes on in the background
	have     *slim.Symbols   // what the session process has loaded

	mu      sync.Mutex // held while loaded works
	slimmed map[string]string
	whole   map[string]string // what is linked in full beside slim archives, by the original
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

// loaded takes note of a plugin that the session process has loaded, and slims what it was
// the first to bring, in the background: the archives in the list.
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

// isLoaded reports whether the session process has a package that a cell imports, with all that it
// imports itself.
func (s *Session) isLoaded(path string) bool {
	_, inProgram := s.tools.slimmed[s.tools.exports[path]]
	_, isCell := home{path: path}.cell()
	return inProgram || isCell || s.modules.loaded[path] || path == "unsafe" || path == cgoPackage
}

// slimmer makes slim archives for a process that has loaded some symbols.
func slimmer(have *slim.Symbols) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) { return slim.Rewrite(data, have) }
}

// rewriteFile writes a changed copy of an archive into a folder and returns its path.
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

// slim makes slim archives of all that is in the session program.
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
			continue // a format that is not known: cells are linked in full
		}
		t.slimmed[original] = file
	}
	return writeFile(filepath.Join(t.dir, "symbols"), t.symbols.Encode())
}

// A linking is what is linked into a plugin, and how.
type linking struct {
	path     string // import path of the package
	archive  string // its archive
	plugin   string
	packages map[string]string // where archives are, by import path
	flags    []string
	whole    bool // no package is linked without its code
}

// link links a compiled package into a plugin.
func (a *slimArchives) link(ctx context.Context, l linking) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	whole := maps.Clone(l.packages)
	list := maps.Clone(l.packages)
	for p, file := range l.packages {
		if kept, ok := a.whole[file]; ok {
			whole[p] = kept
		}
		if list[p] = a.file(file); list[p] == file {
			list[p] = whole[p]
		}
	}
	whole[l.path] = a.keepMethods(l.archive)
	list[l.path] = whole[l.path]
	if l.whole {
		restore(list, whole, nil)
	}
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
		if !restore(list, whole, missing) {
			return err // it was linked in full
		}
	}
}

// keepMethodsOf makes those packages that are in the list as they were compiled fit to be
// linked with slim ones, and reports whether there were any.
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
		return original // the format is not known, so there are no slim ones
	}
	file, err := rewriteFile(original, a.wholeDir(), slim.KeepMethods)
	if err != nil {
		return original
	}
	a.whole[original] = file
	return file
}

func (a *slimArchives) wholeDir() string { return filepath.Join(a.dir, "whole") }

// restore replaces archives in the list by the whole ones: those of the packages that the
// names begin with, or all of them if that doesn't help. It reports whether it could.
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
	// A function that go:linkname names after another package than its own.
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
	// It runs beside the program for -extld, whose whole path may have spaces and quotes, of which cmd/link allows some.
	if _, err := t.toolIn(ctx, filepath.Dir(t.linker), "link", args...); err != nil {
		return linkError(err, filepath.Dir(filepath.Dir(l.plugin)))
	}
	return nil
}

var (
	// linkerNoise matches what Go's linker writes before the message of the one that it runs: a line, and its command line.
	linkerNoise = regexp.MustCompile(`(?m)^.*running \./link-cell failed: exit status \d+\n\./link-cell .*\n|^(?:\S*/)?link: |: exit status \d+$`)
	// linkerFiles matches the directories of files that the linker keeps for a while.
	linkerFiles = regexp.MustCompile(`\S*/go-link-\d+/`)
	// noFunction matches what linkers say of a function that is declared and not there.
	noFunction = regexp.MustCompile("(?:against (?:undefined )?symbol:? |undefined (?:reference to|symbol:?) )[`']?([^\\s`';]+)")
)

// linkError is the linker's error without the command line and the paths in the session's directory, which nobody knows.
func linkError(err error, dir string) error {
	msg := linkerNoise.ReplaceAllString(err.Error(), "")
	msg = strings.ReplaceAll(linkerFiles.ReplaceAllString(msg, ""), dir+"/", "")
	if m := noFunction.FindStringSubmatch(msg); m != nil {
		return &goError{fmt.Sprintf("link the cell: there is no function %s: write its body, or mend the name after //go:linkname", demangled(m[1])), err}
	}
	return &goError{"link the cell: " + demangled(strings.TrimSpace(msg)), err}
}
