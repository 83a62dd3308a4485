package check

import "strings"

// tellSkipped turns a warning about threads that exited before a barrier into a defect if they cannot have returned: the kernel has no
// return, so those threads have bypassed the barrier, for example in a branch. Tools such as compute-sanitizer report that as an error,
// too. A return may be intended, and stays a warning.
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

// skips reports whether the line is in a kernel that has no exit before its end.
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

// leaves reports whether a function may have an exit before its end. A macro may hide one.
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

// bare returns a source with comments, strings and directives replaced by spaces; its lines keep their numbers.
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

// quoted returns the length of the string or character literal that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i // not a literal but a digit separator, as in 1'000
		}
	}
	return len(s)
}
