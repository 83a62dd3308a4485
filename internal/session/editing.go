package session

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Completeness returns whether a cell can be run: "complete", "incomplete" or "invalid".
// indent is the indentation of the next line of an incomplete one.
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
	// The cell ends with an operator that has no right operand.
	if last := list[len(list)-1]; strings.Contains(last.Msg, "found '}'") && depth == 0 {
		return "incomplete", ""
	}
	return "invalid", ""
}

// nesting returns the number of open brackets at the end of text, and whether a string or
// comment is open.
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

// IsExpression reports whether text is one Go expression.
func IsExpression(text string) bool {
	_, err := parser.ParseExpr(text)
	return err == nil
}
