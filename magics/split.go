package magics

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A part is a stretch of a cell: Go text, a line magic or a cell magic.
type part struct {
	magic string // name; "" for Go
	cell  bool   // a cell magic
	args  string
	line  int    // from 1
	col   int    // of args, from 1
	text  string // Go, or the body of a cell magic; empty lines stand for what is before
}

// split takes a cell apart. A line is a magic if it begins with % and Go could not go on
// there: outside of brackets, strings and comments.
func split(code string) ([]part, error) {
	lines := strings.SplitAfter(code, "\n")
	first := 0
	for first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[first]), "%%") {
		p := magicPart(lines[first], first+1)
		p.text = strings.Repeat("\n", first+1) + strings.Join(lines[first+1:], "")
		if p.magic != "" {
			return []part{p}, nil
		}
		// A bare %% begins the main function in GoNB; here statements need none.
		lines[first] = "\n"
	}
	magic := magicLines(lines)
	var parts []part
	var text strings.Builder
	flush := func(end int) {
		if strings.TrimSpace(text.String()) != "" {
			parts = append(parts, part{text: text.String()})
		}
		text.Reset()
		text.WriteString(strings.Repeat("\n", end))
	}
	for i, line := range lines {
		if magic[i] {
			flush(i + 1)
			parts = append(parts, magicPart(line, i+1))
			continue
		}
		text.WriteString(line)
	}
	flush(0)
	if len(parts) == 0 {
		parts = []part{{}}
	}
	return parts, nil
}

// magicLines finds the lines that begin with % where a statement could begin.
func magicLines(lines []string) map[int]bool {
	// Magic lines are not Go and would confuse the scanner, so they are blanked as soon
	// as they are found and what follows is scanned again.
	found := map[int]bool{}
	work := append([]string(nil), lines...)
	for i, line := range work {
		if !strings.HasPrefix(strings.TrimSpace(line), "%") {
			continue
		}
		if statementMayBegin(strings.Join(work[:i], "")) {
			found[i] = true
			work[i] = "\n"
		}
	}
	return found
}

// statementMayBegin says whether a statement may begin after text.
func statementMayBegin(text string) bool {
	var s scanner.Scanner
	fset := token.NewFileSet()
	open := false
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(_ token.Position, msg string) {
		open = open || strings.Contains(msg, "not terminated")
	}, 0)
	depth := 0
	last := token.SEMICOLON
	for {
		_, tok, _ := s.Scan()
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.EOF:
			return depth <= 0 && !open && last == token.SEMICOLON
		}
		last = tok
	}
}

// magicPart reads the line of a magic.
func magicPart(line string, number int) part {
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	p := part{line: number, cell: strings.HasPrefix(text, "%%")}
	rest := strings.TrimLeft(text, "%")
	name, args, _ := strings.Cut(strings.TrimRight(rest, "\r\n"), " ")
	p.magic = name
	p.args = strings.TrimSpace(args)
	p.col = indent + strings.Index(text, p.args) + 1
	if p.magic == "" && !p.cell {
		p.magic = " " // a lone %: unknown, and said so
	}
	return p
}
