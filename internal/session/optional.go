package session

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Packages of this module that need other modules are not part of the session program: most sessions never
// import them. Their modules are fetched when a cell does, in the versions that this module was tested with, unless the
// session's go.mod has others.

// optional says whether a package is one of these.
func (t *Toolchain) optional(path string) bool {
	for p := range t.config.Optional {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// queries are what go get has to be asked for, so that packages can be listed. The session's go.mod is given.
func (t *Toolchain) queries(paths []string, session []byte) ([]string, error) {
	if !slices.ContainsFunc(paths, t.optional) {
		return paths, nil
	}
	own, err := fs.ReadFile(t.config.Sources, "go.mod")
	if err != nil {
		return nil, fmt.Errorf("read which modules %s need: %w", strings.Join(paths, ", "), err)
	}
	var list []string
	for _, path := range paths {
		needed := t.config.Optional[path]
		if !t.optional(path) {
			needed = []string{path} // it may be of one of the modules, of which there can't be two versions
		}
		for _, n := range needed {
			version := required(session, n)
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

// required is the version in which a go.mod requires the module that has a package, or "".
func required(mod []byte, path string) string {
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(f) > 1 && (path == f[0] || strings.HasPrefix(path, f[0]+"/")) {
			return f[1]
		}
	}
	return ""
}
