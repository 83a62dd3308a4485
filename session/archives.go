package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/gopherwarp/gopherwarp/session/slim"
)

// A plugin repeats all code that its cell can reach, though the dynamic linker uses the
// copy of the session program or of an earlier cell. That is most of the time of linking,
// so packages that the process has loaded are linked from archives without their code:
// see package slim. Now and then a cell is the first to call a function of such a
// package. Then the plugin has an empty copy of it, which is seen before it is loaded, and
// it is linked once more with the package as it is.

// slimArchives are the archives that a session links its cells with.
type slimArchives struct {
	tools *Toolchain
	dir   string
	have  *slim.Symbols // what the session process has loaded

	mu      sync.Mutex // held while loaded works
	slimmed map[string]string
}

func (t *Toolchain) newArchives(dir string) *slimArchives {
	return &slimArchives{tools: t, dir: dir, have: t.symbols.Fork(), slimmed: map[string]string{}}
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
	go func() {
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
			if file, err := slimFile(original, a.dir, a.have); err == nil {
				a.slimmed[original] = file
			}
		}
	}()
}

// slimFile writes a slim copy of an archive into a folder and returns its path.
func slimFile(original, dir string, have *slim.Symbols) (string, error) {
	data, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if data, err = slim.Rewrite(data, have); err != nil {
		return "", fmt.Errorf("slim %s: %w", original, err)
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
		file, err := slimFile(original, filepath.Join(t.dir, "slim"), t.symbols)
		if err != nil {
			continue // a format that is not known: cells are linked in full
		}
		t.slimmed[original] = file
	}
	return writeFile(filepath.Join(t.dir, "symbols"), t.symbols.Encode())
}

// linkCell links a compiled cell into a plugin. packages says where archives are, by
// import path.
func (s *Session) linkCell(ctx context.Context, path, archive, plugin string, packages map[string]string) error {
	a := s.archives
	a.mu.Lock()
	defer a.mu.Unlock()
	list := maps.Clone(packages)
	list[path] = archive
	for p, file := range packages {
		list[p] = a.file(file)
	}
	for {
		err := s.link(ctx, path, archive, plugin, list)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		missing := []string{""}
		if err == nil {
			if missing, err = a.have.Missing(plugin); err != nil {
				return err
			}
			if len(missing) == 0 {
				return nil
			}
		}
		if !restore(list, packages, missing) {
			return err // it was linked in full
		}
	}
}

// restore replaces archives in the list by the whole ones: those of the packages that the
// names begin with, or all of them if that doesn't help. It says whether it could.
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

func (s *Session) link(ctx context.Context, path, archive, plugin string, packages map[string]string) error {
	list := plugin + ".cfg"
	if err := writePackages(list, packages); err != nil {
		return err
	}
	defer os.Remove(list)
	args := []string{
		"-o", plugin, "-importcfg", list, "-installsuffix", "dynlink",
		"-pluginpath", path, "-buildmode=plugin", "-checklinkname=0", "-s", "-w", "-extld=" + s.tools.linker,
	}
	if s.modules.haveCXX() {
		args = append(args, "-extldflags=-lstdc++") // as the driver for C++ would add
	}
	if _, err := s.tool(ctx, "link", append(args, archive)...); err != nil {
		return fmt.Errorf("link the cell: %w", err)
	}
	return nil
}
