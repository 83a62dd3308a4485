package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lowMemory lets the compiler and linker of a small cell run without collecting garbage,
// and those of a large one keep within bounds.
var lowMemory = []string{"GOGC=off", "GOMEMLIMIT=1GiB"}

// build compiles and links a cell and returns the plugin's path.
func (s *Session) build(ctx context.Context, c *emitted) (string, error) {
	name := fmt.Sprintf("c%d", c.number)
	file := func(ext string) string { return filepath.Join(s.dir, "cells", name+ext) }
	if err := writeFile(file(".go"), []byte(c.text)); err != nil {
		return "", fmt.Errorf("write the cell: %w", err)
	}
	if err := s.writeImportConfig(file(".cfg"), ""); err != nil {
		return "", fmt.Errorf("write the cell's import list: %w", err)
	}
	path := cellPath(c.number)
	t := s.tools
	if err := s.compilePackage(ctx, c, file); err != nil {
		return "", err
	}
	if err := s.writeImportConfig(file(".cfg"), fmt.Sprintf("packagefile %s=%s\n", path, file(".a"))); err != nil {
		return "", fmt.Errorf("write the cell's import list: %w", err)
	}
	_, err := s.tool(ctx, "link", "-o", file(".so"), "-importcfg", file(".cfg"), "-installsuffix", "dynlink",
		"-pluginpath", path, "-buildmode=plugin", "-checklinkname=0", "-s", "-w", "-extld="+t.linker, file(".a"))
	if err != nil {
		return "", fmt.Errorf("link the cell: %w", err)
	}
	os.Remove(file(".cfg"))
	return file(".so"), nil
}

func (s *Session) tool(ctx context.Context, name string, args ...string) ([]byte, error) {
	env := append(append([]string{"GOROOT=" + s.tools.env.GOROOT}, lowMemory...), s.tools.config.Env...)
	return runCommand(ctx, "", env, filepath.Join(s.tools.env.GOTOOLDIR, name), args...)
}

// writeImportConfig tells compiler and linker where packages are: the listed ones and the
// cells.
func (s *Session) writeImportConfig(path, more string) error {
	var b strings.Builder
	for p, file := range s.tools.exports {
		fmt.Fprintf(&b, "packagefile %s=%s\n", p, file)
	}
	for _, n := range s.cells {
		fmt.Fprintf(&b, "packagefile %s=%s\n", cellPath(n), filepath.Join(s.dir, "cells", fmt.Sprintf("c%d.a", n)))
	}
	return os.WriteFile(path, []byte(b.String()+more), 0o644)
}
