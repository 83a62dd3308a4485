package session

import (
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// compilePackage compiles a cell's package. file returns the paths of its files by
// extension: the source and the list of packages exist, the archive is written.
func (s *Session) compilePackage(ctx context.Context, c *emitted, file func(ext string) string) error {
	objects, complete := []string(nil), []string{"-complete"}
	if c.cgo != nil {
		var err error
		if objects, err = s.compileC(ctx, c); err != nil {
			return err
		}
		complete = nil // funcs of the C code have no body
	}
	args := s.tools.compileArgs(cellPath(c.number), file)
	embed, err := writeEmbedConfig(file(".embed"), s.config.Dir, c.embed)
	if err != nil {
		return err
	}
	args = slices.Concat(args, complete, embed, s.compilerFlags(), s.goFiles(c.number))
	if s.debugger == nil && c.cgo == nil && embed == nil { // the others are not the same when they are compiled again: see describe
		s.undescribed[c.number] = args
		args = slices.Concat([]string{"-dwarf=false"}, args)
	}
	said, err := s.tools.tool(ctx, "compile", args...)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return compilerError(err)
	}
	c.notes += compilerNotes(string(said))
	if err := addToArchive(file(".a"), objects); err != nil {
		return fmt.Errorf("add the C code to the cell: %w", err)
	}
	return nil
}

// compileArgs returns the compiler's arguments for a package with that import path.
func (t *Toolchain) compileArgs(path string, file func(ext string) string) []string {
	return []string{
		"-o", file(".a"), "-trimpath", filepath.Dir(file("")) + "=>", "-p", path,
		"-lang=go" + t.language(), "-installsuffix", "dynlink", "-goversion", t.env.GOVERSION,
		"-c=2", "-dynlink", "-nolocalimports", "-importcfg", file(".cfg"), "-pack",
	}
}

var compilerLine = regexp.MustCompile(`^(.+?):(\d+):(?:(\d+):)? (.*)$`)

// compilerError returns an error of the compiler, about code that go/types accepts, as
// problems of the cell.
func compilerError(err error) *CompileError {
	list := &CompileError{}
	for line := range strings.Lines(strings.ReplaceAll(err.Error(), prefix, "")) {
		line = strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(line, "\n"), ": exit status 2"))
		m := compilerLine.FindStringSubmatch(line)
		if m == nil {
			if line != "" {
				list.Problems = append(list.Problems, Problem{Message: line})
			}
			continue
		}
		pos := token.Position{Filename: m[1]}
		pos.Line, _ = strconv.Atoi(m[2])
		pos.Column, _ = strconv.Atoi(m[3])
		list.Problems = append(list.Problems, Problem{Pos: pos, Message: m[4], Hint: ruled(checkRules, m[4])})
	}
	return list
}
