package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Vet is run package by package, as the go command does it, on the source and the archives of the cells as they were
// compiled. So it sees their real types, and each cell, which is immutable after it was compiled, is checked once.

// vetConfig is vet's configuration for a package, as the go command writes it.
type vetConfig struct {
	ID, Compiler, Dir, ImportPath, GoVersion string

	GoFiles     []string
	ImportMap   map[string]string
	PackageFile map[string]string
	PackageVetx map[string]string
	VetxOutput  string

	SucceedOnTypecheckFailure bool
}

// vetted are the results of vet for the cells so far.
type vetted struct {
	tool  string
	cells map[int][]Problem
}

// Vet returns the problems that go vet finds in the program of the cells: in current declarations, at their current
// positions, and in the statements of cells that are in the notebook. text returns the text of a cell by name, and whether
// the cell is in the notebook.
func (s *Session) Vet(ctx context.Context, text func(cell string) (text string, stands bool), out Output) ([]Problem, error) {
	s.running.Lock()
	defer s.running.Unlock()
	if err := s.awaitOpen(ctx, "", out); err != nil {
		return nil, err
	}
	if s.vetted.tool == "" {
		path, err := s.modules.goCommand(ctx, s.dir, append(s.modules.env(), "GOWORK=off"), out, "tool", "-n", "vet")
		if err != nil {
			return nil, fmt.Errorf("find go vet: %w", err)
		}
		s.vetted = vetted{strings.TrimSpace(string(path)), map[int][]Problem{}}
	}
	live := s.livePlaces()
	var found []Problem
	for _, number := range s.cells {
		if _, done := s.vetted.cells[number]; !done {
			problems, err := s.vetCell(ctx, number)
			if err != nil {
				return nil, err
			}
			s.vetted.cells[number] = problems
		}
		for _, p := range s.vetted.cells[number] {
			cell, stands := text(p.Pos.Filename)
			if at, ok := live.place(p.Pos, cell, stands); ok {
				found = append(found, Problem{Pos: at, Message: p.Message})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(cellNumber(a.Pos.Filename), cellNumber(b.Pos.Filename)), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return slices.Compact(found), nil
}

var digits = regexp.MustCompile(`\d+`)

// cellNumber returns the number in a cell's name, for sorting.
func cellNumber(name string) int {
	n, _ := strconv.Atoi(digits.FindString(name))
	return n
}

// vetCell runs vet on the package of a cell.
func (s *Session) vetCell(ctx context.Context, number int) ([]Problem, error) {
	dir := filepath.Join(s.dir, "cells")
	file := func(n int, ext string) string { return filepath.Join(dir, fmt.Sprintf("c%d%s", n, ext)) }
	config := vetConfig{
		ID: cellPath(number), Compiler: "gc", Dir: dir, ImportPath: cellPath(number), GoVersion: "go" + s.tools.language(),
		GoFiles: s.goFiles(number), ImportMap: map[string]string{}, PackageVetx: map[string]string{},
		PackageFile: maps.Clone(s.tools.exports), VetxOutput: file(number, ".vetx"),
		SucceedOnTypecheckFailure: true,
	}
	for _, n := range s.cells {
		config.PackageFile[cellPath(n)] = file(n, ".a")
		if n < number {
			config.PackageVetx[cellPath(n)] = file(n, ".vetx")
		}
	}
	for path := range config.PackageFile {
		config.ImportMap[path] = path
	}
	config.ImportMap["unsafe"] = "unsafe" // it has no archive
	data, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	if err := writeFile(file(number, ".vet.cfg"), data); err != nil {
		return nil, fmt.Errorf("write the configuration of vet: %w", err)
	}
	defer os.Remove(file(number, ".vet.cfg"))
	text, err := s.tools.command(ctx, dir, s.tools.environ(), s.vetted.tool, "-json", file(number, ".vet.cfg"))
	if err != nil {
		return nil, fmt.Errorf("vet the cell: %w", err)
	}
	// It is by package and by check.
	var said map[string]map[string][]struct{ Posn, Message string }
	if err := json.Unmarshal(text, &said); err != nil && len(text) > 0 {
		return nil, errors.New("vet the cell: " + string(text))
	}
	var problems []Problem
	for _, check := range slices.Sorted(maps.Keys(said[cellPath(number)])) {
		for _, f := range said[cellPath(number)][check] {
			pos, ok := vetPosition(f.Posn[strings.LastIndexByte(f.Posn, '/')+1:])
			if !ok || ofEmitted.MatchString(f.Message) {
				continue
			}
			msg := strings.ReplaceAll(ofAlias.ReplaceAllString(f.Message, ""), prefix, "")
			problems = append(problems, Problem{Pos: pos, Message: fmt.Sprintf("%s (%s)", msg, check)})
		}
	}
	return problems, nil
}

var (
	// ofEmitted matches messages about generated code only: the call that displays a result, and types of other cells, which
	// are other packages to vet.
	ofEmitted = regexp.MustCompile(`\bof ` + prefix + prefix + `p\d+\.(Show|Check)|` + `(main/c\d+|` + packageName + `)\.\S+ struct literal uses unkeyed fields`)
	ofAlias   = regexp.MustCompile(prefix + prefix + `p\d+\.|\bmain/c\d+\.`)
	posn      = regexp.MustCompile(`^(cell\[\d+\]):(\d+):(\d+)$`)
)

func vetPosition(text string) (token.Position, bool) {
	m := posn.FindStringSubmatch(text)
	if m == nil {
		return token.Position{}, false
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	return token.Position{Filename: m[1], Line: line, Column: column}, true
}

// places are the current chunks of a program's declarations, by their text.
type places map[string]*chunk

func (s *Session) livePlaces() places {
	live := places{}
	for _, e := range s.program.names {
		if e.decl == nil {
			continue
		}
		for _, q := range e.decl.parts {
			live[q.keyword+q.text] = q.chunk
		}
	}
	return live
}

// place returns the current position of code that was compiled at pos, in a cell of the given text. A declaration may have
// been moved to another cell, or replaced.
func (l places) place(pos token.Position, text string, stands bool) (token.Position, bool) {
	p, _ := parse(Source{Name: pos.Filename, Text: text})
	for _, ch := range p.chunks {
		end, _ := advance(ch.line, ch.col, ch.text)
		if pos.Line < ch.line || pos.Line > end {
			continue
		}
		if g, ok := ch.decl.(*ast.GenDecl); ch.decl == nil || ok && g.Tok == token.VAR {
			continue // it has more than this line, or is a statement
		}
		now := l[ch.keyword+ch.text]
		if now == nil {
			return pos, false
		}
		pos.Filename, pos.Line = now.src.Name, pos.Line-ch.line+now.line
		return pos, true
	}
	return pos, stands
}
