package session

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Source is the Go text of one cell.
type Source struct {
	Name string // in positions, e.g. "cell[3]"
	Text string
	ID   string // the same when the cell is run again, even if it was edited; "" if unknown
	// Whole is whether the cell must run to its end: os.Exit(0) makes it fail.
	Whole bool
	// Made is whether the text was generated from what the user wrote, so that it may import CellImport.
	Made bool
}

// identity returns a value that is the same for all runs of a cell.
func (s Source) identity() string { return cmp.Or(s.ID, s.Text) }

// A chunk is one top-level declaration or statement of a cell.
type chunk struct {
	src   Source // the cell
	text  string
	start int // byte offset in the cell
	line  int // of start, from 1
	col   int // of start, in bytes, from 1

	// keyword is "type " for one type of a group, whose text does not begin with it.
	keyword string

	decl  ast.Decl // set for a declaration
	stmt  ast.Stmt // set for a statement
	quiet bool     // whether it ends in a semicolon: its value is not displayed

	// recv is the type of a method's receiver if the text has an alias of it, or "".
	recv string

	unchanged bool                    // whether the program has the declaration already
	repeated  map[*ast.ValueSpec]bool // constants whose value is written out
	written   map[*ast.Ident]string   // names of identifiers in the text that were replaced

	file  *token.File
	shift int // offset in the cell minus offset in the file
}

// parsed is a cell after splitting.
type parsed struct {
	src    Source
	fset   *token.FileSet
	chunks []*chunk
	cgo    *cCode // nil without import "C"
}

// parse splits a cell into its declarations and statements. Its error is an ErrorList with positions in the cell.
func parse(src Source) (*parsed, error) {
	p := &parsed{src: src, fset: token.NewFileSet()}
	rest := cuts(src.Text)
	start := constraintsEnd(src.Text)
	line, col := advance(1, 1, src.Text[:start])
	var errs scanner.ErrorList
	for len(rest) > 0 {
		c, used, err := p.parseChunk(start, line, col, rest)
		if err != nil {
			errs = append(errs, asList(err)...)
		} else if c != nil {
			p.chunks = append(p.chunks, c.ungrouped()...)
		}
		end := rest[used-1].end
		line, col = advance(line, col, src.Text[start:end])
		start, rest = end, rest[used:]
	}
	errs.Sort()
	errs.RemoveMultiples()
	return p, errs.Err()
}

// A cut is a position where a top-level declaration or statement may end: its text ends at at, and the next one begins at end.
type cut struct {
	at, end  int
	explicit bool // whether it is a written semicolon
}

// cuts returns the semicolons, written or implied, outside of all brackets. Not all of them end a statement: the header of a
// for statement has semicolons, too.
func cuts(text string) []cut {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	var found []cut
	depth := 0
	for {
		pos, tok, lit := s.Scan()
		off := file.Offset(pos)
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(0, depth-1)
		case token.SEMICOLON:
			if depth > 0 {
				continue
			}
			end := off
			if lit == ";" {
				end++
			}
			found = append(found, cut{at: off, end: end, explicit: lit == ";"})
		case token.EOF:
			if n := len(found); n == 0 || strings.TrimSpace(text[found[n-1].end:]) != "" {
				found = append(found, cut{at: len(text), end: len(text)})
			}
			return found
		}
	}
}

// parseChunk parses the chunk that begins at start: up to the first cut if that parses, otherwise, for statements with a
// header, up to a later one. It returns the number of cuts that it used.
func (p *parsed) parseChunk(start, line, col int, rest []cut) (*chunk, int, error) {
	if isPackageClause(p.src.Text[start:rest[0].at]) {
		return nil, 1, nil
	}
	tries := 1
	switch statementToken(p.src.Text[start:rest[0].at]) {
	case token.FOR, token.IF, token.SWITCH, token.SELECT:
		tries = len(rest)
	}
	var first error
	for n := 1; n <= tries; n++ {
		text := p.src.Text[start:rest[n-1].at]
		blank := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		c := &chunk{src: p.src, text: text[blank:], start: start + blank, quiet: rest[n-1].explicit}
		c.line, c.col = advance(line, col, text[:blank])
		err := p.parseText(c)
		if err == nil {
			if c.decl == nil && c.stmt == nil {
				c = nil
			}
			return c, n, nil
		}
		if first == nil || n == tries {
			first = err
		}
		if n < tries && !rest[n-1].explicit {
			break
		}
	}
	return nil, 1, first
}

// isPackageClause reports whether text is a package clause. A cell may be one or several pasted files; package clauses and
// build constraints in it are ignored.
func isPackageClause(text string) bool {
	next := scanTokens(text)
	return next() == token.PACKAGE && next() == token.IDENT && next() != token.PERIOD
}

// constraintsEnd returns the offset after the build constraints at the beginning of a cell.
func constraintsEnd(text string) int {
	end, at := 0, 0
	for line := range strings.Lines(text) {
		at += len(line)
		switch line = strings.TrimSpace(line); {
		case constraint.IsGoBuild(line) || constraint.IsPlusBuild(line):
			end = at
		case line != "" && !strings.HasPrefix(line, "//"):
			return end
		}
	}
	return end
}

// parseText parses the chunk's text as a declaration or statement, depending on its first token.
func (p *parsed) parseText(c *chunk) error {
	// The line directive makes all positions refer to the cell.
	directive := fmt.Sprintf("/*line %s:%d:%d*/", c.src.Name, c.line, c.col)
	before, after := "package main;"+c.keyword+directive, ""
	isDecl := c.keyword != "" || isDeclaration(firstToken(c.text), c.text)
	if !isDecl {
		before, after = "package main;func _(){"+directive, "\n}"
	}
	file, err := parser.ParseFile(p.fset, c.src.Name, before+c.text+after, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	c.file, c.shift = p.fset.File(file.Package), c.start-len(before)
	switch {
	case isDecl && len(file.Decls) == 1:
		c.decl = file.Decls[0]
		if c.recv != "" {
			c.replace(receiverName(c.decl), c.recv)
		}
	case isDecl:
		return fmt.Errorf("%s:%d:%d: one declaration expected", c.src.Name, c.line, c.col)
	default:
		body := file.Decls[0].(*ast.FuncDecl).Body
		if len(file.Decls) > 1 || len(body.List) > 1 {
			return scanner.ErrorList{{
				Pos: token.Position{Filename: p.src.Name, Line: c.line, Column: c.col},
				Msg: "unbalanced braces",
			}}
		}
		if len(body.List) == 1 {
			if _, empty := body.List[0].(*ast.EmptyStmt); !empty {
				c.stmt = body.List[0]
			}
		}
	}
	if c.decl != nil || c.stmt != nil {
		p.repeatConstants(c)
	}
	return nil
}

// isDeclaration reports whether text that begins with tok is a declaration. A func may also be the beginning of a call of a
// function literal.
func isDeclaration(tok token.Token, text string) bool {
	switch tok {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR:
		return true
	case token.FUNC:
		// func name( and func (recv) name( are declarations, func( … ) { … }() is not.
		_, err := parser.ParseExpr(text)
		return err != nil
	}
	return false
}

func firstToken(text string) token.Token { return scanTokens(text)() }

// statementToken returns the first token after any labels.
func statementToken(text string) token.Token {
	next := scanTokens(text)
	tok := next()
	for tok == token.IDENT && next() == token.COLON {
		tok = next()
	}
	return tok
}

// scanTokens returns a function that returns the next token of the text at each call.
func scanTokens(text string) func() token.Token {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	return func() token.Token {
		_, tok, _ := s.Scan()
		return tok
	}
}

// advance returns the position after text.
func advance(line, col int, text string) (int, int) {
	if n := strings.Count(text, "\n"); n > 0 {
		return line + n, len(text) - strings.LastIndexByte(text, '\n')
	}
	return line, col + len(text)
}

func asList(err error) scanner.ErrorList {
	var list scanner.ErrorList
	if errors.As(err, &list) {
		return list
	}
	return scanner.ErrorList{{Msg: err.Error()}}
}

// offset returns the byte offset of pos in the cell's text.
func (c *chunk) offset(pos token.Pos) int {
	return c.file.Offset(pos) + c.shift
}

// replace changes the name of an identifier.
func (c *chunk) replace(id *ast.Ident, name string) {
	if c.written == nil {
		c.written = map[*ast.Ident]string{}
	}
	c.written[id], id.Name = id.Name, name
}

// writtenName returns the name of an identifier in the cell's text, before replace.
func (c *chunk) writtenName(id *ast.Ident) string {
	if written, replaced := c.written[id]; replaced {
		return written
	}
	return id.Name
}

// ungrouped splits a group of types into single declarations, which can be redefined one by one.
func (c *chunk) ungrouped() []*chunk {
	d, ok := c.decl.(*ast.GenDecl)
	if !ok || d.Tok != token.TYPE || !d.Lparen.IsValid() {
		return []*chunk{c}
	}
	var single []*chunk
	for _, spec := range d.Specs {
		one := *c
		from, to := c.offset(spec.Pos()), c.offset(spec.End())
		one.line, one.col = advance(c.line, c.col, c.src.Text[c.start:from])
		one.start, one.text, one.keyword = from, c.src.Text[from:to], "type "
		one.decl = &ast.GenDecl{TokPos: spec.Pos(), Tok: token.TYPE, Specs: []ast.Spec{spec}}
		single = append(single, &one)
	}
	return single
}
