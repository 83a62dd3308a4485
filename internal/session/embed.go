package session

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A //go:embed directive is above a variable at the top level of a cell, as in a file. The compiler sets only variables of
// the package that it compiles, and the storage of a cell's variable may be in an earlier package. So the directive is
// written above another variable, whose value is assigned to the cell's variable when the cell runs.

const embedDirective = "//go:embed"

// An embedding is one directive.
type embedding struct {
	pos      token.Position
	patterns []string
}

// embeds reports whether the cell has a directive.
func (p *parsed) embeds() bool {
	return slices.ContainsFunc(p.chunks, func(ch *chunk) bool {
		g, ok := ch.decl.(*ast.GenDecl)
		return ok && g.Tok == token.VAR && strings.Contains(ch.text, embedDirective)
	})
}

// embeddings returns the directives of a var declaration, by the specification below them.
func (c *chunk) embeddings(d *ast.GenDecl) (map[*ast.ValueSpec]*embedding, error) {
	if !strings.Contains(c.text, embedDirective) {
		return nil, nil
	}
	found := map[*ast.ValueSpec]*embedding{}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(c.text))
	s.Init(file, []byte(c.text), nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return found, nil
		}
		args, ok := strings.CutPrefix(text, embedDirective)
		if tok != token.COMMENT || !ok || args != strings.TrimLeft(args, "abcdefghijklmnopqrstuvwxyz") {
			continue
		}
		offset := file.Offset(pos)
		line, col := advance(c.line, c.col, c.text[:offset])
		at := token.Position{Filename: c.src.Name, Line: line, Column: col}
		i := slices.IndexFunc(d.Specs, func(spec ast.Spec) bool { return c.offset(spec.Pos()) > c.start+offset })
		if i < 0 {
			return nil, problem(at, "misplaced go:embed directive: it belongs above a variable")
		}
		patterns, err := embedPatterns(args)
		if err != nil {
			return nil, problem(at, "%v", err)
		}
		spec := d.Specs[i].(*ast.ValueSpec)
		switch {
		case len(spec.Names) != 1:
			return nil, problem(at, "go:embed cannot apply to multiple vars")
		case len(spec.Values) > 0:
			return nil, problem(at, "go:embed cannot apply to var with initializer")
		case found[spec] == nil:
			found[spec] = &embedding{pos: at}
		}
		found[spec].patterns = append(found[spec].patterns, patterns...)
	}
}

// embedPatterns splits the arguments of a directive into patterns, which may be quoted.
func embedPatterns(args string) ([]string, error) {
	var patterns []string
	for args = strings.TrimSpace(args); args != ""; args = strings.TrimSpace(args) {
		if args[0] != '"' && args[0] != '`' {
			n := strings.IndexAny(args, " \t")
			if n < 0 {
				n = len(args)
			}
			patterns, args = append(patterns, args[:n]), args[n:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(args)
		if err != nil {
			return nil, fmt.Errorf("go:embed: invalid quoted string %s", args)
		}
		pattern, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("go:embed: invalid quoted string %s", quoted)
		}
		patterns, args = append(patterns, pattern), args[len(quoted):]
	}
	if len(patterns) == 0 {
		return nil, fmt.Errorf("%s needs patterns of files", embedDirective)
	}
	return patterns, nil
}

// embeddedVar declares the variable that the compiler sets for a directive.
func (e *emitter) embeddedVar(spec *ast.ValueSpec, d *embedding) (string, error) {
	text, err := e.typeText(e.info.Defs[spec.Names[0]].Type())
	if err != nil {
		return "", problem(d.pos, "%v", err)
	}
	e.embeds = append(e.embeds, d)
	name := fmt.Sprintf("%sembed%d", prefix+prefix, len(e.embeds))
	fmt.Fprintf(&e.embedVars, "\n//line %s:%d:1\n%s", d.pos.Filename, d.pos.Line, embedDirective)
	for _, p := range d.patterns {
		e.embedVars.WriteString(" " + strconv.Quote(p))
	}
	fmt.Fprintf(&e.embedVars, "\nvar %s %s\n", name, text)
	return name, nil
}

// embedConfig is the compiler's list of files by pattern.
type embedConfig struct {
	Patterns map[string][]string
	Files    map[string]string
}

// writeEmbedConfig finds the files of a cell's directives, below dir, and returns the compiler's flags for them.
func writeEmbedConfig(name, dir string, directives []*embedding) ([]string, error) {
	if len(directives) == 0 {
		return nil, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the directory for go:embed: %w", err)
	}
	config := embedConfig{map[string][]string{}, map[string]string{}}
	for _, d := range directives {
		for _, pattern := range d.patterns {
			files, err := embeddedFiles(os.DirFS(dir), pattern)
			if err != nil {
				return nil, problem(d.pos, "pattern %s: %v (files are looked for in %s)", pattern, err, dir)
			}
			config.Patterns[pattern] = files
			for _, f := range files {
				config.Files[f] = filepath.Join(dir, filepath.FromSlash(f))
			}
		}
	}
	data, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("list the files for go:embed: %w", err)
	}
	if err := writeFile(name, data); err != nil {
		return nil, fmt.Errorf("list the files for go:embed: %w", err)
	}
	return []string{"-embedcfg", name}, nil
}

// embeddedFiles returns the files that a pattern matches, by the rules of the go command: directories match the files below
// them, except names that begin with a dot or underscore unless the pattern begins with "all:", and except directories that
// are modules of their own.
func embeddedFiles(dir fs.FS, pattern string) ([]string, error) {
	glob, all := strings.CutPrefix(pattern, "all:")
	if _, err := path.Match(glob, ""); err != nil || !fs.ValidPath(glob) {
		return nil, fmt.Errorf("invalid pattern syntax")
	}
	matches, err := fs.Glob(dir, glob)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, match := range matches {
		err := fs.WalkDir(dir, match, func(name string, entry fs.DirEntry, err error) error {
			base := path.Base(name)
			hidden := !all && name != match && (base[0] == '.' || base[0] == '_')
			switch {
			case err != nil:
				return err
			case entry.IsDir():
				_, err := fs.Stat(dir, path.Join(name, "go.mod"))
				if hidden || err == nil && name != "." {
					return fs.SkipDir
				}
			case hidden:
			case entry.Type().IsRegular():
				files = append(files, name)
			case name == match:
				return fmt.Errorf("cannot embed irregular file %s", name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no matching files found")
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
