package session

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Completeness says whether a cell can be run as it stands: "complete", "incomplete" or
// "invalid". indent is what the next line of an incomplete one should begin with.
func Completeness(text string) (status, indent string) {
	depth, open := nesting(text)
	if open || depth > 0 {
		return "incomplete", strings.Repeat("\t", max(depth, 0))
	}
	_, err := parse(Source{Name: "cell", Text: text})
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return "complete", ""
	}
	// An operator at the end wants an operand.
	if last := list[len(list)-1]; strings.Contains(last.Msg, "found '}'") && depth == 0 {
		return "incomplete", ""
	}
	return "invalid", ""
}

// nesting counts the brackets that are open at the end of text, and says whether a string
// or comment is.
func nesting(text string) (depth int, open bool) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(_ token.Position, msg string) {
		open = open || strings.Contains(msg, "raw string literal not terminated") || strings.Contains(msg, "comment not terminated")
	}, 0)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.EOF:
			return depth, open
		}
	}
}

// Complete proposes what may stand at a byte offset of a cell's text: names of the session
// and of Go, or members of what stands before a dot. start is where the proposals begin.
func (s *Session) Complete(_ context.Context, text string, offset int) (matches []string, start int) {
	start = wordStart(text, offset)
	word := text[start:offset]
	if !s.idle() {
		return nil, start
	}
	defer s.running.Unlock()
	var names []string
	if before, ok := strings.CutSuffix(text[:start], "."); ok {
		names = s.members(before[wordStart(before, len(before)):])
	} else {
		for name := range s.program.names {
			names = append(names, name)
		}
		names = append(names, types.Universe.Names()...)
		for tok := token.BREAK; tok <= token.VAR; tok++ {
			names = append(names, tok.String())
		}
		for _, path := range slices.Concat(s.config.Packages, s.tools.std) {
			names = append(names, packageBase(path))
		}
	}
	for _, name := range names {
		if strings.HasPrefix(name, word) {
			matches = append(matches, name)
		}
	}
	slices.SortFunc(matches, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	return slices.Compact(matches), start
}

// Describe says what the name at a byte offset of a cell's text is, or "".
func (s *Session) Describe(_ context.Context, text string, offset int) string {
	end := offset
	for end < len(text) && isWord(rune(text[end])) {
		end++
	}
	start := wordStart(text, end)
	if !s.idle() {
		return ""
	}
	defer s.running.Unlock()
	var obj types.Object
	if before, ok := strings.CutSuffix(text[:start], "."); ok {
		if pkg := s.packageNamed(before[wordStart(before, len(before)):]); pkg != nil {
			obj = pkg.Scope().Lookup(text[start:end])
		} else if e := s.program.names[before[wordStart(before, len(before)):]]; e != nil {
			obj, _, _ = types.LookupFieldOrMethod(e.obj.Type(), true, e.obj.Pkg(), text[start:end])
		}
	} else if e := s.program.names[text[start:end]]; e != nil {
		obj = e.obj
	} else {
		obj = types.Universe.Lookup(text[start:end])
	}
	if obj == nil {
		return ""
	}
	return types.ObjectString(obj, func(p *types.Package) string {
		if p.Path() == mainPath {
			return ""
		}
		return p.Name()
	})
}

// idle takes the lock if the session is ready and runs nothing. Proposals never wait for
// a cell.
func (s *Session) idle() bool {
	select {
	case <-s.opened:
	default:
		return false
	}
	return s.openErr == nil && s.running.TryLock()
}

func (s *Session) packageNamed(name string) *types.Package {
	path := s.program.imports[name]
	if path == "" {
		candidates := s.tools.candidates(name)
		if len(candidates) == 0 {
			return nil
		}
		path = candidates[0]
	}
	if _, known := s.tools.exports[path]; !known {
		return nil
	}
	pkg, err := s.importer.Import(path)
	if err != nil {
		return nil
	}
	return pkg
}

// members lists what can follow a name and a dot.
func (s *Session) members(name string) []string {
	var names []string
	if e := s.program.names[name]; e != nil {
		t := e.obj.Type()
		if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
			t = types.NewPointer(t)
		}
		for method := range types.NewMethodSet(t).Methods() {
			if m := method.Obj(); m.Exported() || fromCell(m) {
				names = append(names, m.Name())
			}
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if st, ok := t.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Exported() || fromCell(f) {
					names = append(names, f.Name())
				}
			}
		}
		return names
	}
	if pkg := s.packageNamed(name); pkg != nil {
		for _, n := range pkg.Scope().Names() {
			if ast.IsExported(n) {
				names = append(names, n)
			}
		}
	}
	return names
}

func wordStart(text string, offset int) int {
	start := strings.LastIndexFunc(text[:offset], func(c rune) bool { return !isWord(c) })
	if start < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text[start:])
	return start + size
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// IsExpression says whether text is one Go expression.
func IsExpression(text string) bool {
	_, err := parser.ParseExpr(text)
	return err == nil
}
