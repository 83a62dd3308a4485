package session

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// lowMemory disables garbage collection in the compiler and linker for small cells, and
// bounds their memory for large ones.
var lowMemory = []string{"GOGC=off", "GOMEMLIMIT=1GiB"}

// build compiles and links a cell and returns the plugin's path.
func (s *Session) build(ctx context.Context, c *emitted, out Output) (string, error) {
	name := fmt.Sprintf("c%d", c.number)
	file := func(ext string) string { return filepath.Join(s.dir, "cells", name+ext) }
	if err := writeFile(file(".go"), []byte(c.text)); err != nil {
		return "", fmt.Errorf("write the cell: %w", err)
	}
	s.useBundle(ctx, c, out)
	packages := s.packages()
	if err := writePackages(file(".cfg"), packages); err != nil {
		return "", err
	}
	defer os.Remove(file(".cfg"))
	if err := s.compilePackage(ctx, c, file); err != nil {
		return "", err
	}
	if s.debugger != nil {
		if err := s.describe(ctx, packages); err != nil {
			return "", err
		}
	}
	l := linking{path: cellPath(c.number), archive: file(".a"), plugin: file(".so"), packages: packages, flags: s.linkerFlags()}
	l.whole = s.debugger != nil // the linker describes no empty functions to a debugger
	if s.modules.haveCXX() {
		l.flags = append(l.flags, "-extldflags=-lstdc++") // as g++ would
	}
	return file(".so"), s.archives.link(ctx, l)
}

// writePackages writes the file in which the compiler and the linker find the
// archives of packages.
func writePackages(path string, packages map[string]string) error {
	var config strings.Builder
	for p, file := range packages {
		fmt.Fprintf(&config, "packagefile %s=%s\n", p, file)
	}
	if err := os.WriteFile(path, []byte(config.String()), 0o644); err != nil {
		return fmt.Errorf("write the cell's package list: %w", err)
	}
	return nil
}

func (t *Toolchain) tool(ctx context.Context, name string, args ...string) ([]byte, error) {
	return t.toolIn(ctx, "", name, args...)
}

// toolIn is like tool, but runs in a directory.
func (t *Toolchain) toolIn(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	return t.command(ctx, dir, append(t.toolEnv(), lowMemory...), filepath.Join(t.env.GOTOOLDIR, name), args...)
}

// packages returns the archives of the listed packages and of the cells, by import path.
func (s *Session) packages() map[string]string {
	all := maps.Clone(s.tools.exports)
	for _, n := range s.cells {
		all[cellPath(n)] = filepath.Join(s.dir, "cells", fmt.Sprintf("c%d.a", n))
	}
	return all
}
