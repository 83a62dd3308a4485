package sim

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
	"github.com/gopherwarp/gopherwarp/internal/intact"
)

// Files of the cache are verified at each use: headers are compared with those in this program, compiled kernels and libraries with
// their digests. Only precompiled headers are too large for that: see intact.Sealed.

func (t *toolchain) runtimePath() string { return filepath.Join(t.cache, t.id, runtimeName) }

func (t *toolchain) checkRuntimePath() string { return filepath.Join(t.cache, t.id, checkRuntimeName) }

// keepSealed moves a file to the cache and seals it.
func keepSealed(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return intact.Seal(to)
}

// unpackAll writes the headers that are missing or damaged, and returns descriptions of the damage.
func (t *toolchain) unpackAll() (damaged []string, err error) {
	fresh := false
	if _, err := os.Stat(t.shim); err != nil {
		fresh = true
	}
	for _, tree := range []struct {
		files         embed.FS
		directory, to string
	}{{shim, "shim", t.shim}, {checkmode.Files, "runtime", t.checkFiles()}} {
		wrong, err := unpack(tree.files, tree.directory, tree.to)
		if err != nil {
			return nil, wrap(codeSystemNotReady, err, "unpacking the simulator's headers to %s", t.cache)
		}
		if !fresh {
			damaged = append(damaged, wrong...)
		}
	}
	return damaged, nil
}

// unpack writes the files of a directory that are missing or differ, and returns descriptions of those that differ.
func unpack(files embed.FS, directory, to string) (wrong []string, err error) {
	err = fs.WalkDir(files, directory, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		inner, err := filepath.Rel(directory, name)
		if err != nil {
			return err
		}
		path := filepath.Join(to, inner)
		damage := intact.Holds(path, text)
		if damage == nil {
			return nil
		}
		wrong = append(wrong, damage.Error())
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return intact.Write(path, text, 0o644)
	})
	return wrong, err
}

// Repair verifies all files that the simulator caches for this program, rebuilds the damaged ones, and returns descriptions of
// the damage.
func Repair() (damaged []string, err error) {
	t, err := locateToolchain()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(t.shim); err != nil {
		return nil, nil // nothing has been built yet
	}
	if damaged, err = t.unpackAll(); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "gopherwarp-sim-")
	if err != nil {
		return damaged, fmt.Errorf("make a directory to compile in: %w", err)
	}
	defer os.RemoveAll(tmp)
	for _, h := range headers() {
		if t.checkPrecompiled(h, true) {
			damaged = append(damaged, t.precompiled(h)+" is not what was compiled")
			t.precompile(tmp, h)
		}
	}
	for path, build := range map[string]func() (string, error){
		t.runtimePath(): t.buildRuntime, t.checkRuntimePath(): t.buildCheckRuntime,
		t.programObjectPath(false): func() (string, error) { return t.buildProgramObject(header{programHeader, false}) },
		t.programObjectPath(true):  func() (string, error) { return t.buildProgramObject(header{programHeader, true}) },
	} {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		wrong := intact.Sealed(path, true)
		if wrong == nil {
			continue
		}
		damaged = append(damaged, wrong.Error())
		if _, err := build(); err != nil {
			return damaged, err
		}
	}
	kernels, err := t.kernels.Repair()
	return append(damaged, kernels...), err
}
