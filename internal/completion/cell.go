package completion

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A cell is the text of a cell with the cursor's offset, split so that its other parts
// can be in a Go file although the part with the cursor may be incomplete.
type cell struct {
	text   string // with a name after a dot before the cursor
	offset int    // of the cursor, in bytes
	tokens []lexeme
	pieces []piece // the one with the cursor is the last

	declared map[string]bool     // names that it declares at top level
	imports  map[string]string   // path → name, "" if the cell gives none
	selected map[string][]string // identifiers Sel in X.Sel, by name X
}

// A lexeme is a token of a cell.
type lexeme struct {
	token.Token
	text       string
	start, end int
}

// A piece is a top-level declaration or statement.
type piece struct {
	start, first, end int // first is the start after comments
	decl              bool
	define            int // offset of a := that declares variables, or -1
	names             []lexeme
	closing           string // brackets that are open at the end
}

// newCell splits text. Nothing in it is an error.
func newCell(text string, offset int) *cell {
	// Go removes carriage returns from comments and strings, which would shift offsets.
	text = strings.ReplaceAll(text, "\r", " ")
	c := &cell{text: text, offset: offset, declared: map[string]bool{}, imports: map[string]string{}, selected: map[string][]string{}}
	c.scan()
	if c.afterDot() && !isWord(runeAt(text, offset)) {
		// Otherwise the name on the next line would be selected.
		c.text = text[:offset] + "_" + text[offset:]
		c.scan()
	}
	c.split()
	c.note()
	return c
}

func (c *cell) scan() {
	c.tokens = nil
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(c.text))
	s.Init(file, []byte(c.text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		start := file.Offset(pos)
		length := len(lit)
		if length == 0 {
			length = len(tok.String())
		}
		if tok == token.SEMICOLON && lit != ";" {
			length = 0
		}
		c.tokens = append(c.tokens, lexeme{tok, lit, start, min(start+length, len(c.text))})
	}
}

// afterDot reports whether the cursor is directly after the dot of a selector.
func (c *cell) afterDot() bool {
	return slices.ContainsFunc(c.tokens, func(t lexeme) bool { return t.Token == token.PERIOD && t.end == c.offset })
}

// literal returns the string, number or comment that contains the cursor, if there is one.
func (c *cell) literal() (lexeme, bool) {
	for _, t := range c.tokens {
		ended := true
		switch t.Token {
		case token.STRING, token.CHAR:
			ended = len(t.text) > 1 && t.text[len(t.text)-1] == t.text[0]
		case token.COMMENT:
			ended = strings.HasPrefix(t.text, "/*") && len(t.text) >= len("/**/") && strings.HasSuffix(t.text, "*/")
		case token.INT, token.FLOAT, token.IMAG:
			ended = false
		default:
			continue
		}
		if t.start < c.offset && (c.offset < t.end || c.offset == t.end && !ended) {
			return t, true
		}
	}
	return lexeme{}, false
}

// split sets the pieces. Those that do not parse are omitted, except for the one
// with the cursor.
func (c *cell) split() {
	var all []piece
	var tokens []lexeme // of the piece
	start, depth, braced := 0, 0, false
	end := func(at, next int) {
		if len(tokens) > 0 {
			all = append(all, newPiece(start, at, tokens))
		}
		start, depth, braced, tokens = next, 0, false, nil
	}
	for _, t := range c.tokens {
		switch t.Token {
		case token.COMMENT:
			continue
		case token.LPAREN, token.LBRACK:
			depth++
		case token.LBRACE:
			braced = braced || depth == 0
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(0, depth-1)
		case token.SEMICOLON:
			if depth == 0 && (t.text != ";" || braced || !hasHeader(tokens)) {
				end(t.start, t.end)
				continue
			}
		}
		tokens = append(tokens, t)
	}
	end(len(c.text), len(c.text))

	at := -1
	for i, p := range all {
		if p.first <= c.offset && c.offset <= p.end {
			at = i
			break
		}
	}
	for i, p := range all {
		if i != at && c.parses(p) {
			c.pieces = append(c.pieces, p)
		}
	}
	if at < 0 {
		c.pieces = append(c.pieces, piece{start: c.offset, first: c.offset, end: c.offset, define: -1})
		return
	}
	c.pieces = append(c.pieces, c.closed(all[at]))
}

// hasHeader reports whether the statement that begins with tokens may have semicolons
// before its first brace.
func hasHeader(tokens []lexeme) bool {
	if len(tokens) == 0 {
		return false
	}
	switch tokens[0].Token {
	case token.FOR, token.IF, token.SWITCH, token.SELECT:
		return true
	}
	return false
}

func newPiece(start, end int, tokens []lexeme) piece {
	p := piece{start: start, first: tokens[0].start, end: end, define: -1}
	switch tokens[0].Token {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR:
		p.decl = true
	case token.FUNC:
		p.decl = declaresFunc(tokens[1:])
	case token.IDENT:
		for i, t := range tokens {
			switch {
			case i%2 == 0 && t.Token == token.IDENT:
				p.names = append(p.names, t)
				continue
			case i%2 == 1 && t.Token == token.COMMA:
				continue
			case i%2 == 1 && t.Token == token.DEFINE:
				p.define = t.start
			}
			break
		}
	}
	return p
}

// declaresFunc reports whether a name follows, after a receiver if there is one.
func declaresFunc(tokens []lexeme) bool {
	depth := 0
	for _, t := range tokens {
		switch t.Token {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		default:
			if depth == 0 {
				return t.Token == token.IDENT
			}
		}
	}
	return false
}

// closed truncates a piece with unbalanced brackets at the end of the cursor's line, and
// closes the open brackets.
func (c *cell) closed(p piece) piece {
	if _, ok := c.open(p.first, p.end); ok {
		return p
	}
	p.end = len(c.text)
	if i := strings.IndexByte(c.text[c.offset:], '\n'); i >= 0 {
		p.end = c.offset + i
	}
	open, _ := c.open(p.first, p.end)
	for _, bracket := range slices.Backward(open) {
		p.closing += map[token.Token]string{token.LPAREN: ")", token.LBRACK: "]", token.LBRACE: "}"}[bracket]
	}
	return p
}

// open returns the brackets that are open at end. It reports whether there are none
// and all match.
func (c *cell) open(start, end int) (brackets []token.Token, ok bool) {
	ok = true
	opening := map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACK: token.LBRACK, token.RBRACE: token.LBRACE}
	for _, t := range c.tokens {
		if t.start < start || t.end > end {
			continue
		}
		switch t.Token {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			brackets = append(brackets, t.Token)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if n := len(brackets); n > 0 && brackets[n-1] == opening[t.Token] {
				brackets = brackets[:n-1]
			} else {
				ok = false
			}
		}
	}
	return brackets, ok && len(brackets) == 0
}

func (c *cell) parses(p piece) bool {
	_, err := c.parse(p)
	return err == nil
}

func (c *cell) parse(p piece) (*ast.File, error) {
	text := "package main;"
	if p.decl {
		text += c.text[p.first:p.end]
	} else {
		text += "func _() {" + c.text[p.first:p.end] + "\n}"
	}
	return parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
}

// note sets the names that the cell declares, imports and selects.
func (c *cell) note() {
	for i := range c.pieces {
		p := &c.pieces[i]
		switch {
		case p.decl:
			c.noteDecls(p)
		case p.define >= 0:
			fresh := p.names[:0:0]
			for _, name := range p.names {
				if !c.declared[name.text] {
					fresh = append(fresh, name)
				}
			}
			for _, name := range fresh {
				c.declared[name.text] = true
			}
			p.names = fresh
		}
	}
	delete(c.declared, "_")
	for i := 0; i+2 < len(c.tokens); i++ {
		t := c.tokens[i : i+3]
		if t[0].Token == token.IDENT && t[1].Token == token.PERIOD && (i == 0 || c.tokens[i-1].Token != token.PERIOD) {
			member := t[2].text
			if t[2].Token != token.IDENT || t[2].start <= c.offset && c.offset <= t[2].end {
				member = "" // not written yet
			}
			c.selected[t[0].text] = append(c.selected[t[0].text], member)
		}
	}
}

// noteDecls adds the names that a piece of declarations declares and imports.
func (c *cell) noteDecls(p *piece) {
	// If it does not parse, the declarations before the error count.
	file, _ := c.parse(*p)
	if file == nil {
		return
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				c.declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				c.noteSpec(spec)
			}
		}
	}
}

func (c *cell) noteSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || path == "" || path == "C" {
			return
		}
		c.imports[path] = ""
		if spec.Name != nil {
			c.imports[path] = spec.Name.Name
		}
	case *ast.TypeSpec:
		c.declared[spec.Name.Name] = true
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			c.declared[name.Name] = true
		}
	}
}

// source returns the pieces as Go, and the cursor's offset in it. Variables that are
// declared at top level of the cell are declared at top level of the file.
func (c *cell) source() (text string, offset int) {
	var b strings.Builder
	for i, p := range c.pieces {
		if strings.HasPrefix(c.text[p.first:p.end], "import") && p.decl {
			continue
		}
		body := []byte(c.text[p.start:p.end])
		before, after := "\n", "\n"
		switch {
		case p.define >= 0:
			copy(body[p.define-p.start:], " =")
			for _, name := range c.tokens {
				if name.Token == token.IDENT && p.first <= name.start && name.end <= p.define && !slices.Contains(p.names, name) {
					copy(body[name.start-p.start:], "_"+strings.Repeat(" ", len(name.text)-1))
				}
			}
			before = "\nvar "
			if comment := p.first - p.start; comment > 0 {
				b.Write(body[:comment])
				body, p.start = body[comment:], p.first
			}
		case !p.decl:
			before, after = "\nfunc _() {\n", "\n}\n"
		}
		b.WriteString(before)
		if i == len(c.pieces)-1 {
			offset = b.Len() + c.offset - p.start
		}
		b.Write(body)
		b.WriteString(p.closing + after)
	}
	return b.String(), offset
}

// word returns the part of a name before the cursor, and its offset.
func (c *cell) word() (start int, word string) {
	start = wordStart(c.text, c.offset)
	return start, c.text[start:c.offset]
}

// name returns the name that contains the cursor or ends at it, and its offset.
func (c *cell) name() (start int, name string) {
	end := wordEnd(c.text, c.offset)
	start = wordStart(c.text, end)
	return start, c.text[start:end]
}

// callee returns the offset of the end of the function's name in the call around the
// cursor, or -1.
func (c *cell) callee() int {
	depth := 0
	for i := len(c.tokens) - 1; i > 0; i-- {
		t := c.tokens[i]
		if t.start >= c.offset {
			continue
		}
		switch t.Token {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth++
		case token.LPAREN, token.LBRACK, token.LBRACE:
			switch {
			case depth > 0:
				depth--
			case t.Token == token.LPAREN && c.tokens[i-1].Token == token.IDENT:
				return c.tokens[i-1].end
			}
		case token.SEMICOLON:
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

func wordStart(text string, offset int) int {
	start := strings.LastIndexFunc(text[:offset], func(c rune) bool { return !isWord(c) })
	if start < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text[start:])
	return start + size
}

func wordEnd(text string, offset int) int {
	if n := strings.IndexFunc(text[offset:], func(c rune) bool { return !isWord(c) }); n >= 0 {
		return offset + n
	}
	return len(text)
}

// NameLength returns the length in bytes of the name at the beginning of text.
func NameLength(text string) int { return wordEnd(text, 0) }

func runeAt(text string, offset int) rune {
	c, _ := utf8.DecodeRuneInString(text[offset:])
	return c
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }
