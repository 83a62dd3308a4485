package session

import (
	"context"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// compilePackage compiles a cell's package. file names its files by their extension: the text
// and the list of packages are there, the archive is made.
func (s *Session) compilePackage(ctx context.Context, c *emitted, file func(ext string) string) error {
	t := s.tools
	args := []string{
		"-o", file(".a"), "-trimpath", filepath.Dir(file("")) + "=>", "-p", cellPath(c.number),
		"-lang=go" + t.language(), "-complete", "-installsuffix", "dynlink", "-goversion", t.env.GOVERSION,
		"-c=2", "-dynlink", "-nolocalimports", "-importcfg", file(".cfg"), "-pack",
	}
	embed, err := writeEmbedConfig(file(".embed"), s.config.Dir, c.embed)
	if err != nil {
		return err
	}
	args = append(append(args, embed...), file(".go"))
	if _, err := s.tool(ctx, "compile", args...); err != nil {
		return compilerError(err)
	}
	return nil
}

var compilerLine = regexp.MustCompile(`^(.+?):(\d+):(?:(\d+):)? (.*)$`)

// compilerError is for what go/types lets pass and the compiler does not.
func compilerError(err error) error {
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
		list.Problems = append(list.Problems, Problem{pos, m[4]})
	}
	return list
}
