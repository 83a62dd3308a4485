package check

import "strings"

// tellSkipped makes an error of each warning that threads had ended before a barrier where they can't have
// returned: the kernel has no return, so those threads have gone past the barrier, as one in a branch. Tools such as
// compute-sanitizer call that an error, too. A return may be meant, and stays a warning.
func (r *Report) tellSkipped() {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kind != EarlyExit || !f.Warning || !skips(r.Sources[f.Program], f.Line) {
			continue
		}
		f.Kind, f.Warning = DivergentBarrier, false
		f.Message = "some threads of the block have gone past this barrier without coming to it, to the end of the kernel: it stands in a branch or a loop that not all threads enter"
	}
}

// skips reports whether the line lies in a kernel that nothing leaves before its end.
func skips(source string, line int) bool {
	text := bare(source)
	depth, from, head := 0, 0, 0
	for at, c := range []byte(text) {
		switch {
		case c == '{':
			if depth == 0 {
				from = at
			}
			depth++
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			body := text[from:at]
			first := 1 + strings.Count(text[:from], "\n")
			if line >= first && line <= first+strings.Count(body, "\n") {
				return strings.Contains(text[head:from], "__global__") && !leaves(body)
			}
			head = at + 1
		case c == ';' && depth == 0:
			head = at + 1
		}
	}
	return false
}

// leaves reports whether a function may be left before its end. A macro may hide it.
func leaves(body string) bool {
	isWord := func(r rune) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	for word := range strings.FieldsFuncSeq(body, func(r rune) bool { return !isWord(r) }) {
		switch word {
		case "return", "goto", "asm", "__trap", "__exit":
			return true
		}
		if len(word) > 1 && word == strings.ToUpper(word) && strings.Trim(word, "0123456789_") != "" && word[0] >= 'A' {
			return true // the name of a macro, as they are usually written
		}
	}
	return false
}

// bare is a source without comments, strings and directives; its lines stay where they are.
func bare(source string) string {
	out := []byte(source)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for at := 0; at < len(out); {
		rest, n := source[at:], 0
		switch {
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			n = lengthTo(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			n = lengthTo(rest, "*/")
		case rest[0] == '"' || rest[0] == '\'':
			n = quoted(rest)
		default:
			at++
			continue
		}
		blank(at, at+n)
		at += n
	}
	return string(out)
}

func lengthTo(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

// quoted is the length of the string or character that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i // it was none: 1'000
		}
	}
	return len(s)
}
