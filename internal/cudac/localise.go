package cudac

import "github.com/gopherwarp/gopherwarp/internal/cxx"

// Localise returns edits that give the device code of a file internal linkage: device variables and functions outside of classes
// and templates. nvcc does the same in files that it compiles apart, unless device code is relocatable: two files may each have
// a __constant__ variable of the same name.
func Localise(source string) []Edit {
	toks, err := cxx.Lex(source)
	if err != nil {
		return nil // the compiler's to report
	}
	var edits []Edit
	for i := 0; i < len(toks); {
		switch t := toks[i]; {
		case t.Kind == cxx.Directive, t.Is(";"), t.Is("}"):
			i++
			continue
		}
		end := declarationEnd(toks, i)
		decl := toks[i:end]
		if isLocal(decl) {
			edits = append(edits, Edit{Begin: toks[i].Begin, End: toks[i].Begin, Text: "static "})
		}
		switch {
		case end == len(toks):
			return edits
		case toks[end].Is("{") && (len(decl) > 0 && (decl[0].Is("namespace") || decl[0].Is("inline") && cxx.Has(decl, "namespace")) || isExternC(decl) && len(decl) == 2):
			i = end + 1 // what stands in these is outside of classes and functions
		case toks[end].Is("{"):
			i = cxx.SkipGroup(toks, end)
		default:
			i = afterDeclaration(toks, end)
		}
	}
	return edits
}

// declarationEnd returns the index of the first of ; { = ( after i, or the number of tokens.
func declarationEnd(toks []cxx.Token, i int) int {
	for i < len(toks) {
		switch t := toks[i]; {
		case t.Is(";"), t.Is("{"), t.Is("="):
			return i
		case t.Is("(") && i > 0 && isAttribute(toks[i-1]):
			i = cxx.SkipGroup(toks, i)
			continue
		case t.Is("("):
			return i
		}
		i++
	}
	return i
}

func isAttribute(t cxx.Token) bool {
	switch t.Text {
	case "__align__", "__attribute__", "alignas", "__launch_bounds__", "__declspec", "__maxnreg__", "decltype":
		return true
	}
	return false
}

// afterDeclaration returns the index after the ; or the body that ends a declaration.
func afterDeclaration(toks []cxx.Token, i int) int {
	for i < len(toks) {
		switch t := toks[i]; {
		case t.Is(";"):
			return i + 1
		case t.Is("{"):
			i = cxx.SkipGroup(toks, i)
			if i < len(toks) && (toks[i].Is(";") || toks[i].Is(",")) {
				continue // an initialiser
			}
			return i
		case t.Is("("), t.Is("["):
			i = cxx.SkipGroup(toks, i)
		default:
			i++
		}
	}
	return i
}

// isLocal reports whether a declaration, up to its parameters or its value, is of device code that its file has for itself.
func isLocal(decl []cxx.Token) bool {
	device := false
	for i, t := range decl {
		switch t.Text {
		case "__device__", "__constant__", "__managed__":
			device = true
		case "extern", "static", "template", "typedef", "using", "friend", "__global__", "__host__", "class", "struct", "union", "enum", "namespace":
			return false
		case "::":
			// The member of a class that is defined outside of it; names of types have something behind them.
			if i+2 == len(decl) || i+1 < len(decl) && decl[i+1].Is("operator") {
				return false
			}
		}
	}
	return device
}
