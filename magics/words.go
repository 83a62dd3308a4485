package magics

import (
	"errors"
	"strings"
)

// words splits arguments as a shell does: at spaces, except in quotes and after a backslash.
func words(text string) ([]string, error) {
	var found []string
	var word strings.Builder
	begun := false
	var quote rune
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0:
			if r == quote {
				quote = 0
				continue
			}
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			if begun {
				found = append(found, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote or backslash has no end")
	}
	if begun {
		found = append(found, word.String())
	}
	return found, nil
}

// withNewline returns text with a final newline, which lines in files have and the last line of a cell has not.
func withNewline(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
