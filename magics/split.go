package magics

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A part is a section of a cell: Go text, a line magic or a cell magic.
type part struct {
	magic string // name; "" for Go
	cell  bool   // a cell magic
	args  string
	line  int    // from 1
	col   int    // of args, from 1
	text  string // Go, or the body of a cell magic; preceding lines are empty
}

// split splits a cell into parts. A line is a magic if it begins with % or ! and a Go expression cannot continue there: outside of
// brackets, strings and comments. A line with ! may be Go, which isGo reports from the line and the text before it.
func split(code string, isGo func(line, before string) bool) []part {
	lines := strings.SplitAfter(code, "\n")
	first := 0
	for first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first < len(lines) && strings.HasPrefix(command(lines[first]), "%%") {
		p := magicPart(lines[first], first+1)
		if p.magic != "" {
			p.text = strings.Repeat("\n", first+1) + strings.Join(lines[first+1:], "")
			return []part{p}
		}
		// A bare %% begins the main function in GoNB; here statements need none.
		lines[first] = "%main " + p.args + "\n"
	}
	magic := magicLines(lines, isGo)
	var parts []part
	var text strings.Builder
	flush := func(end int) {
		if strings.TrimSpace(text.String()) != "" {
			parts = append(parts, part{text: text.String()})
		}
		text.Reset()
		text.WriteString(strings.Repeat("\n", end))
	}
	for i := 0; i < len(lines); i++ {
		if n := magic[i]; n > 0 {
			flush(i + n)
			p := magicPart(strings.Join(lines[i:i+n], ""), i+1)
			if p.magic == "" { // GoNB's main after declarations
				p.magic, p.cell = "main", false
			}
			parts = append(parts, p)
			i += n - 1
			continue
		}
		text.WriteString(lines[i])
	}
	flush(0)
	if len(parts) == 0 {
		parts = []part{{}}
	}
	return parts
}

// magicLines returns the lines that are magics, and how many lines each has: a backslash at the end of a shell command continues it on
// the next line.
func magicLines(lines []string, isGo func(line, before string) bool) map[int]int {
	// Magic lines are not Go and would disturb the scanner, so they are blanked as soon
	// as they are found and what follows is scanned again.
	found := map[int]int{}
	work := append([]string(nil), lines...)
	for i := 0; i < len(work); i++ {
		text := command(work[i])
		shell := strings.HasPrefix(text, "!")
		if !shell && !strings.HasPrefix(text, "%") {
			continue
		}
		before := strings.Join(work[:i], "")
		if !statementMayBegin(before) || shell && isGo(strings.TrimSpace(text), before) {
			continue
		}
		end := i + 1
		for shell && end < len(work) && strings.HasSuffix(strings.TrimRight(work[end-1], "\r\n"), `\`) {
			end++
		}
		found[i] = end - i
		for ; i < end; i++ {
			work[i] = "\n"
		}
		i--
	}
	return found
}

// command returns a line from its magic on. Notebooks for GoNB may hide magics from other tools in comments of this form.
func command(line string) string {
	text := strings.TrimLeft(line, " \t")
	if hidden, ok := strings.CutPrefix(text, "//gonb:"); ok && strings.ContainsAny(hidden[:min(1, len(hidden))], "%!") {
		return hidden
	}
	return text
}

// statementMayBegin reports whether a statement may begin after text.
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

// magicPart parses the line of a magic.
func magicPart(line string, number int) part {
	text := command(line)
	indent := len(line) - len(text)
	p := part{line: number, cell: strings.HasPrefix(text, "%%")}
	if shell, ok := strings.CutPrefix(text, "!"); ok {
		p.magic, p.args, p.col = "!", strings.TrimSpace(shell), indent+2
		return p
	}
	rest := strings.TrimLeft(text, "%")
	name, args, _ := strings.Cut(strings.TrimRight(rest, "\r\n"), " ")
	p.magic = name
	p.args = strings.TrimSpace(args)
	p.col = indent + strings.Index(text, p.args) + 1
	if p.magic == "" && !p.cell {
		p.magic = " " // a lone %, which is reported as unknown
	}
	return p
}
