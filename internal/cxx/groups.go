package cxx

import "strings"

// SkipGroup returns the index after the bracket that closes the one at i, or the length of toks.
func SkipGroup(toks []Token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch {
		case toks[i].Is("("), toks[i].Is("["), toks[i].Is("{"):
			depth++
		case toks[i].Is(")"), toks[i].Is("]"), toks[i].Is("}"):
			depth--
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return len(toks)
}

// SkipAngles is like SkipGroup for the angle bracket at i, which may contain other brackets.
func SkipAngles(toks []Token, i int) int {
	depth := 0
	for i < len(toks) {
		switch {
		case toks[i].Is("("), toks[i].Is("["), toks[i].Is("{"):
			i = SkipGroup(toks, i)
			continue
		case toks[i].Is("<"):
			depth++
		case toks[i].Is(">"):
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return len(toks)
}

// TopLevel returns the index of the first token with the text outside all brackets, or -1.
func TopLevel(toks []Token, text string) int {
	for i := 0; i < len(toks); {
		switch {
		case toks[i].Is(text):
			return i
		case toks[i].Is("("), toks[i].Is("["), toks[i].Is("{"):
			i = SkipGroup(toks, i)
		case toks[i].Is("<"):
			i = SkipAngles(toks, i)
		default:
			i++
		}
	}
	return -1
}

// Split splits toks at the commas outside all brackets.
func Split(toks []Token) [][]Token {
	var parts [][]Token
	for {
		i := TopLevel(toks, ",")
		if i < 0 {
			return append(parts, toks)
		}
		parts = append(parts, toks[:i:i])
		toks = toks[i+1:]
	}
}

// Join returns tokens as text, with one space where there was white space.
func Join(toks []Token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && !t.Glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// Has reports whether one of the tokens is that word or punctuation.
func Has(toks []Token, text string) bool {
	for _, t := range toks {
		if t.Is(text) {
			return true
		}
	}
	return false
}
