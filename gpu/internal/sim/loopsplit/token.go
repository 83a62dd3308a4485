package loopsplit

import "github.com/gopherwarp/gopherwarp/internal/cxx"

// A span is a range of a token list.
type span struct{ lo, hi int }

// operators are those of more than one character, the longest first.
var operators = []string{"<<=", ">>=", "...", "->*", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "->", "<<", ">>"}

// joinOperators joins the tokens of each operator.
func joinOperators(toks []cxx.Token) []cxx.Token {
	out := make([]cxx.Token, 0, len(toks))
	for len(toks) > 0 {
		t, n := toks[0], 1
		for _, op := range operators {
			if startsOperator(toks, op) {
				t.Text, n = op, len(op)
				break
			}
		}
		out = append(out, t)
		toks = toks[n:]
	}
	return out
}

func startsOperator(toks []cxx.Token, op string) bool {
	if len(toks) < len(op) {
		return false
	}
	for i := range len(op) {
		if toks[i].Kind != cxx.Punct || toks[i].Text != op[i:i+1] || i > 0 && !toks[i].Glued {
			return false
		}
	}
	return true
}

// isAssignment reports whether a token writes to its left operand.
func isAssignment(t cxx.Token) bool {
	if t.Kind != cxx.Punct {
		return false
	}
	switch t.Text {
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--":
		return true
	}
	return false
}
