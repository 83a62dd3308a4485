package cudac

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// Constants returns edits that put a text after each declaration of __constant__ variables of a file outside of classes and templates:
// format gets the offset of a variable and its name. Variables whose type has parentheses are left out.
func Constants(source, format string) []Edit {
	toks, err := cxx.Lex(source)
	if err != nil {
		return nil // the compiler's to report
	}
	var edits []Edit
	for i := 0; i < len(toks); {
		if t := toks[i]; t.Kind == cxx.Directive || t.Is(";") || t.Is("}") {
			i++
			continue
		}
		end := declarationEnd(toks, i)
		decl := toks[i:end]
		if end == len(toks) {
			break
		}
		if toks[end].Is("{") && (cxx.Has(decl, "namespace") || isExternC(decl) && len(decl) == 2) {
			i = end + 1
			continue
		}
		after := afterDeclaration(toks, end)
		if isConstant(decl) && toks[after-1].Is(";") {
			text := ""
			for _, name := range declared(toks[i:after]) {
				text += fmt.Sprintf(format, name.Begin, name.Text)
			}
			edits = append(edits, Edit{Begin: toks[after-1].End, End: toks[after-1].End, Text: text})
		}
		i = after
	}
	return edits
}

// isConstant reports whether a declaration, up to its first value, is of __constant__ variables.
func isConstant(decl []cxx.Token) bool {
	for _, word := range []string{"extern", "template", "typedef", "using", "class", "struct", "union", "enum"} {
		if cxx.Has(decl, word) {
			return false
		}
	}
	return cxx.Has(decl, "__constant__")
}

// declared returns the names that a declaration of variables declares, up to one that is hard to tell from a type or a value.
func declared(toks []cxx.Token) []cxx.Token {
	var names []cxx.Token
	for i := 0; i < len(toks); i++ {
		var name cxx.Token
		angles, complete := 0, false
		for ; i < len(toks) && (angles > 0 || !toks[i].Is(",")); i++ {
			switch t := toks[i]; {
			case t.Is("<") && complete:
				return append(names, name)
			case t.Is("(") && (i == 0 || !isAttribute(toks[i-1])):
				return names
			case t.Is("<"), t.Is(">"), t.Is(">>"):
				angles += strings.Count(t.Text, "<") - strings.Count(t.Text, ">")
			case t.Is("="), t.Is(";"):
				complete = true
			case t.Is("["), t.Is("{"), t.Is("("):
				complete = complete || !t.Is("(")
				i = cxx.SkipGroup(toks, i) - 1
			case t.Kind == cxx.Ident && !complete && angles == 0:
				name = t
			}
		}
		names = append(names, name)
	}
	return names
}
