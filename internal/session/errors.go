package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// A CompileError is the reason why a cell was not run. The cell changed nothing.
type CompileError struct {
	Problems []Problem
}

// A Problem is an error in a cell.
type Problem struct {
	Pos     token.Position // in the cell; the zero position if there is none
	Message string
	Hint    string // what to do about it, or ""
}

func (e *CompileError) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, p.String())
		if p.Hint != "" {
			lines = append(lines, "\t"+p.Hint)
		}
	}
	return strings.Join(lines, "\n")
}

func (p Problem) String() string {
	if !p.Pos.IsValid() {
		return p.Message
	}
	return fmt.Sprintf("%s: %s", p.Pos, p.Message)
}

func problem(pos token.Position, format string, args ...any) *CompileError {
	return &CompileError{Problems: []Problem{{Pos: pos, Message: fmt.Sprintf(format, args...)}}}
}

// syntaxError returns an error of the parser as problems of the cell. Pieces of the cell
// were parsed with a brace appended, so errors about it are reported at the end of the cell.
func syntaxError(src Source, err error) error {
	list := &CompileError{}
	lines := strings.Split(src.Text, "\n")
	if p := unbalanced(src); p != nil {
		if p.Hint == "" {
			p.Hint = syntaxHint(p.Message, lines[p.Pos.Line-1])
		}
		return &CompileError{Problems: []Problem{*p}}
	}
	for i := range lines {
		if looseBrace(lines, i+1) {
			pos := token.Position{Filename: src.Name, Line: i + 1, Column: strings.Index(lines[i], "{") + 1}
			return &CompileError{Problems: []Problem{{Pos: pos, Message: "unexpected {", Hint: "the brace stands on the line of what it belongs to, the one above"}}}
		}
	}
	for _, e := range asList(err) {
		p := Problem{Pos: e.Pos, Message: plainWords(e.Msg)}
		if strings.HasSuffix(e.Msg, "found 'EOF'") || e.Pos.Line > len(lines) || e.Pos.Line == len(lines) && e.Pos.Column > len(lines[len(lines)-1])+1 {
			if len(list.Problems) > 0 {
				continue
			}
			for len(lines) > 1 && strings.TrimSpace(lines[len(lines)-1]) == "" {
				lines = lines[:len(lines)-1]
			}
			p.Pos.Line, p.Pos.Column = len(lines), len(lines[len(lines)-1])+1
			p.Message, _, _ = strings.Cut(p.Message, ", found ")
			p.Message += ", but the cell ends here"
		}
		if n := p.Pos.Line; n > 0 && n <= len(lines) {
			p.Hint = syntaxHint(p.Message, lines[n-1])
		}
		list.Problems = append(list.Problems, p)
	}
	return list
}

// namesPath reports whether a text has the path of a package, or of one below it, as a whole.
func namesPath(text, path string) bool {
	return regexp.MustCompile(`(^|[^\w./-])` + regexp.QuoteMeta(path) + `($|[^\w.-]|\.(\s|$))`).MatchString(text)
}

// importError returns the error of a package that is not available, at the position of
// the import that it names.
func (p *parsed) importError(err error) error {
	found := &CompileError{Problems: []Problem{{Message: err.Error()}}}
	for _, ch := range p.chunks {
		d, ok := ch.decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		for _, spec := range d.Specs {
			path, _ := strconv.Unquote(spec.(*ast.ImportSpec).Path.Value)
			if path != "" && namesPath(err.Error(), path) {
				found.Problems[0].Pos = p.fset.Position(spec.Pos())
				return found
			}
		}
	}
	return found
}
