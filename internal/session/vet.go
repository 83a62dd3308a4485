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

// Vet is asked package by package, as the go command does it, with the text and the object files
// of the cells as they were compiled. So it sees types as they are, and a cell, which never
// changes once it was compiled, is looked at once.

// vetConfig is what the go command tells vet of a package.
type vetConfig struct {
	ID, Compiler, Dir, ImportPath, GoVersion string

	GoFiles     []string
	ImportMap   map[string]string
	PackageFile map[string]string
	PackageVetx map[string]string
	VetxOutput  string

	SucceedOnTypecheckFailure bool
}

// vetted is what vet said of the cells so far.
type vetted struct {
	tool  string
	cells map[int][]Problem
}

// Vet lists what go vet finds in the program of the cells: in what is declared now, where it
// stands now, and in the statements of cells that stand in the notebook. text is the text of
// a cell by name, and reports whether the cell does.
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

// cellNumber is the number in a cell's name, for sorting.
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
	config.ImportMap["unsafe"] = "unsafe" // which is in no file
	data, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	if err := writeFile(file(number, ".vet.cfg"), data); err != nil {
		return nil, fmt.Errorf("tell vet of the cell: %w", err)
	}
	defer os.Remove(file(number, ".vet.cfg"))
	text, err := s.tools.command(ctx, dir, s.tools.environ(), s.vetted.tool, "-json", file(number, ".vet.cfg"))
	if err != nil {
		return nil, fmt.Errorf("vet the cell: %w", err)
	}
	// By package and by check.
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
	// ofEmitted are messages about what only the emitted text has: the call that shows a result,
	// and types of other cells in the role of other packages.
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

// places are where the declarations of a program stand now, by their text.
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

// place is where something stands now that was compiled at pos, in a cell of the given text.
// A declaration may stand in another cell meanwhile, or be replaced.
func (l places) place(pos token.Position, text string, stands bool) (token.Position, bool) {
	p, _ := parse(Source{Name: pos.Filename, Text: text})
	for _, ch := range p.chunks {
		end, _ := advance(ch.line, ch.col, ch.text)
		if pos.Line < ch.line || pos.Line > end {
			continue
		}
		if g, ok := ch.decl.(*ast.GenDecl); ch.decl == nil || ok && g.Tok == token.VAR {
			continue // it holds more than this line, or is a statement
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
