package session

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Packages of this module that need other modules are not part of the session program: most sessions never import them.
// Their modules are fetched when a cell imports them, in the versions that this module was tested with, unless the session's
// go.mod has others.

// optional reports whether a package is one of these.
func (t *Toolchain) optional(path string) bool {
	for p := range t.config.Optional {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// queries returns the arguments of go get with which the packages can be listed afterwards. session is the session's go.mod.
func (t *Toolchain) queries(paths []string, session []byte) ([]string, error) {
	if !slices.ContainsFunc(paths, t.optional) {
		return paths, nil
	}
	own, err := t.ownMod()
	if err != nil {
		return nil, fmt.Errorf("read which modules %s need: %w", strings.Join(paths, ", "), err)
	}
	pinned, err := modfile.ParseLax("go.mod", session, nil)
	if err != nil {
		return nil, fmt.Errorf("read the session's go.mod: %w", err)
	}
	var list []string
	for _, path := range paths {
		needed := t.config.Optional[path]
		if !t.optional(path) {
			needed = []string{path} // it may be in one of the modules, of which there can't be two versions
		}
		for _, n := range needed {
			version := required(pinned, n)
			if version == "" {
				version = required(own, n)
			}
			switch {
			case version != "":
				n += "@" + version
			case t.optional(path):
				return nil, fmt.Errorf("%s needs %s, which this program's go.mod does not have", path, n)
			}
			list = append(list, n)
		}
	}
	return list, nil
}

// ownMod returns this module's go.mod.
func (t *Toolchain) ownMod() (*modfile.File, error) {
	data, err := fs.ReadFile(t.config.Sources, "go.mod")
	if err != nil {
		return nil, err
	}
	return modfile.ParseLax("go.mod", data, nil)
}

// required returns the version in which a go.mod requires the module that has a package, or "". If several modules contain
// the path, it is the innermost one.
func required(mod *modfile.File, path string) string {
	var found modfile.Require
	for _, r := range mod.Require {
		if (path == r.Mod.Path || strings.HasPrefix(path, r.Mod.Path+"/")) && len(r.Mod.Path) > len(found.Mod.Path) {
			found = *r
		}
	}
	return found.Mod.Version
}
