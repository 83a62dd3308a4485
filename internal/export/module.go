package export

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// deviceModules are the modules that package gpu/device needs.
var deviceModules = []string{"github.com/ebitengine/purego", "golang.org/x/sys", "gonum.org/v1/gonum"}

// writeModule writes go.mod and go.sum: with the versions that the cells were checked with, and those of this module's dependencies.
func (t *translation) writeModule() error {
	own, err := modfile.Parse("go.mod", read("go.mod"), nil)
	if err != nil {
		return fmt.Errorf("read gopherwarp's own go.mod: %w", err)
	}
	mod := new(modfile.File)
	if err := mod.AddModuleStmt(t.Module); err != nil {
		return fmt.Errorf("module %s: %w", t.Module, err)
	}
	if err := mod.AddGoStmt(own.Go.Version); err != nil {
		return fmt.Errorf("go.mod: %w", err)
	}
	sums, err := t.requireFetched(mod)
	if err != nil {
		return err
	}
	if t.program.Needs {
		if err := t.requireOwn(mod, own); err != nil {
			return err
		}
	}
	mod.Cleanup()
	text, err := mod.Format()
	if err != nil {
		return fmt.Errorf("write go.mod: %w", err)
	}
	t.program.Files["go.mod"] = text
	for line := range strings.Lines(string(gopherwarp.Sums)) {
		path, _, _ := strings.Cut(line, " ")
		if t.devices && slices.Contains(deviceModules, path) && !slices.Contains(sums, line) {
			sums = append(sums, line)
		}
	}
	if slices.Sort(sums); len(sums) > 0 {
		t.program.Files["go.sum"] = []byte(strings.Join(sums, ""))
	}
	return nil
}

func read(name string) []byte {
	data, err := gopherwarp.Sources.ReadFile(name)
	if err != nil {
		panic("a source of gopherwarp: " + err.Error()) // the compiler has embedded it
	}
	return data
}

// requireFetched adds the modules of the cells' imports, and returns the lines of go.sum.
func (t *translation) requireFetched(mod *modfile.File) (sums []string, err error) {
	data, sum, err := t.lister.Modules()
	if err != nil {
		return nil, err
	}
	used, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, fmt.Errorf("read the versions of modules: %w", err)
	}
	for _, r := range used.Require {
		if r.Mod.Path != session.ModulePath {
			mod.AddNewRequire(r.Mod.Path, r.Mod.Version, r.Indirect)
		}
	}
	for _, r := range used.Replace {
		if r.Old.Path == session.ModulePath {
			continue
		}
		if err := mod.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
			return nil, fmt.Errorf("replace %s: %w", r.Old.Path, err)
		}
	}
	return slices.Collect(strings.Lines(string(sum))), nil
}

// requireOwn adds this module, and what its packages need.
func (t *translation) requireOwn(mod, own *modfile.File) error {
	version := t.Version
	if !Published(version) || t.Replace != "" {
		version = "v0.0.0"
	}
	mod.AddNewRequire(session.ModulePath, version, false)
	for _, r := range own.Require {
		if t.devices && slices.Contains(deviceModules, r.Mod.Path) && !slices.ContainsFunc(mod.Require, func(have *modfile.Require) bool { return have.Mod.Path == r.Mod.Path }) {
			mod.AddNewRequire(r.Mod.Path, r.Mod.Version, true)
		}
	}
	if t.Replace == "" {
		return nil
	}
	if err := mod.AddReplace(session.ModulePath, "", t.Replace, ""); err != nil {
		return fmt.Errorf("--replace %s: %w", t.Replace, err)
	}
	return nil
}

// Published reports whether the version of a build is that of a release.
func Published(version string) bool {
	return semver.IsValid(version) && semver.Build(version) == "" && !strings.Contains(version, "-g") && !strings.HasSuffix(version, "-dirty")
}

// CheckReplace returns the absolute path of a directory that has this module.
func CheckReplace(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("--replace %s: %w", dir, err)
	}
	data, err := os.ReadFile(filepath.Join(abs, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("--replace %s: %w: it takes the folder with the sources of gopherwarp", dir, err)
	}
	if path := modfile.ModulePath(data); path != session.ModulePath {
		return "", fmt.Errorf("--replace %s: it has the module %s: it takes the folder with the sources of gopherwarp, %s", dir, path, session.ModulePath)
	}
	return abs, nil
}
