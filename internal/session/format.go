package session

import (
	"go/ast"
	"go/format"
	"go/token"
	"strings"
)

// Format returns a cell's Go formatted as gofmt formats a file. A cell may have declarations and statements in any order, which a file has
// not. Its error is a CompileError with positions in the text.
func Format(text string) (string, error) {
	src := Source{Name: "cell", Text: text}
	p, err := parse(src)
	if err != nil {
		return "", syntaxError(src, err)
	}
	var done strings.Builder
	at := 0
	for _, end := range p.sections() {
		// Package format would indent all lines as the first one is.
		section := strings.TrimLeft(text[at:end], " \t\r\n")
		blank := strings.Count(text[at:end-len(section)], "\n")
		formatted, err := format.Source([]byte(strings.Repeat("\n", blank) + section))
		if err != nil {
			return "", problem(token.Position{Filename: src.Name, Line: 1 + strings.Count(text[:at], "\n")}, "%v", err)
		}
		done.Write(formatted)
		at = end
	}
	return done.String(), nil
}

// sections returns the ends of parts of the text that are either declarations, as a file has them, or statements, as a func has them. Each
// has whole lines, comments included. Statements and declarations in one line are in one section.
func (p *parsed) sections() (ends []int) {
	text := p.src.Text
	was, last := 0, 0 // what the section consists of, and the end of its last chunk
	for _, c := range p.chunks {
		is := sectionOf(c)
		lines := strings.IndexByte(text[last:], '\n')
		if was != 0 && is != 0 && is != was && lines >= 0 && last+lines < c.start {
			ends = append(ends, last+lines+1)
			was = 0
		}
		if is != 0 {
			was = is
		}
		last = c.start + len(c.text)
	}
	return append(ends, len(text))
}

// What a section consists of; 0 is a chunk that is possible in both.
const (
	fileSection = 1 + iota
	funcSection
)

func sectionOf(c *chunk) int {
	d, isGen := c.decl.(*ast.GenDecl)
	switch {
	case c.stmt != nil:
		return funcSection
	case isGen && d.Tok != token.IMPORT:
		return 0
	}
	return fileSection
}
