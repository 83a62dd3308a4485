package sim

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// waitsInLoops reports whether a text seems to have a loop in which a thread waits for another: one without a body, or one
// without an end that looks at volatile variables. The loops over threads that kernels are converted to would run such a thread
// for ever, while threads with stacks of their own take turns.
func waitsInLoops(text string) bool {
	if !strings.Contains(text, "while") && !strings.Contains(text, "for") {
		return false
	}
	var tokens []cxx.Token
	for t := range cxx.All(text) {
		if t.Kind != cxx.Directive {
			tokens = append(tokens, t)
		}
	}
	volatile := hasVolatile(text)
	for i := 0; i+1 < len(tokens); i++ {
		if !tokens[i].Is("while") && !tokens[i].Is("for") && !tokens[i].Is("do") {
			continue
		}
		end := cxx.SkipGroup(tokens, i+1)
		body := tokens[min(i+2, end):max(min(i+2, end), end-1)]
		switch t := tokens[i]; t.Text {
		case "while", "for":
			statement := tokens[end:min(len(tokens), cxx.SkipGroup(tokens, end))]
			if isEndless(body) && (volatile || looksAtAtomic(statement)) || (t.Is("while") || volatile) && isIdle(tokens[end:]) && (i == 0 || !tokens[i-1].Is("}")) {
				return true
			}
		case "do":
			atomic := slices.ContainsFunc(body, func(t cxx.Token) bool { return strings.HasPrefix(t.Text, "atomic") })
			if volatile && !atomic || looksAtAtomic(body) {
				return true
			}
		}
	}
	return false
}

// looksAtAtomic reports whether tokens load an atomic variable: by adding 0 to it or the like, or by its load.
func looksAtAtomic(tokens []cxx.Token) bool {
	for i, t := range tokens {
		if t.Is("load") && i > 0 && (tokens[i-1].Is(".") || tokens[i-1].Is("->")) {
			return true
		}
		if strings.HasPrefix(t.Text, "atomic") && i+1 < len(tokens) && tokens[i+1].Is("(") {
			end := cxx.SkipGroup(tokens, i+1)
			if end-2 > i && tokens[end-2].Is("0") && tokens[end-3].Is(",") && !strings.HasPrefix(t.Text, "atomicExch") {
				return true
			}
		}
	}
	return false
}

// isIdle reports whether the statement at the beginning of the tokens does nothing, or only sleeps.
func isIdle(tokens []cxx.Token) bool {
	if len(tokens) == 0 {
		return false
	}
	if tokens[0].Is("{") {
		tokens = tokens[1:max(1, cxx.SkipGroup(tokens, 0)-1)]
	} else if i := cxx.TopLevel(tokens[:min(len(tokens), 16)], ";"); i >= 0 {
		tokens = tokens[:i]
	}
	return len(tokens) == 0 || tokens[0].Is("__nanosleep") && len(tokens) < 8
}

// isEndless reports whether a loop's condition always holds.
func isEndless(condition []cxx.Token) bool {
	text := ""
	for _, t := range condition {
		text += t.Text
	}
	return text == ";;" || text == "true" || text == "1"
}
