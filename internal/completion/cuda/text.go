package cuda

import (
	"regexp"
	"slices"
	"strings"
)

// blank is text with its comments, strings and preprocessor lines as spaces, so that places stay.
func blank(text string) string {
	out := []byte(text)
	clear := func(from, to int) {
		for i := from; i < min(to, len(out)); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(text); {
		end := i + 1
		if s, ok := skipped(text, i); ok {
			end = s
			clear(i, end)
		}
		i = end
	}
	return string(out)
}

// skipped says whether a comment, a string or a preprocessor line begins at i, and where that ends.
func skipped(text string, i int) (end int, ok bool) {
	until := func(from int, mark string) int {
		if n := strings.Index(text[from:], mark); n >= 0 {
			return from + n
		}
		return len(text)
	}
	switch rest := text[i:]; {
	case strings.HasPrefix(rest, "//"):
		return until(i, "\n"), true
	case strings.HasPrefix(rest, "/*"):
		return min(until(i+2, "*/")+2, len(text)), true
	case rest[0] == '"' || rest[0] == '\'':
		for end = i + 1; end < len(text) && text[end] != '\n'; end++ {
			switch text[end] {
			case '\\':
				end++
			case rest[0]:
				return end + 1, true
			}
		}
		return min(end, len(text)), true
	case rest[0] == '#' && strings.TrimSpace(text[strings.LastIndexByte(text[:i], '\n')+1:i]) == "":
		end = until(i, "\n")
		for end < len(text) && text[end-1] == '\\' {
			end = until(end+1, "\n")
		}
		return end, true
	}
	return 0, false
}

// quoted says whether the place is in a comment or string. It may be right behind one that goes on.
func quoted(text string, offset int) bool {
	for i := 0; i < offset; {
		end, ok := skipped(text, i)
		if !ok {
			i++
			continue
		}
		open := strings.HasPrefix(text[i:], "//") || end == len(text) && !strings.HasSuffix(text[i:], "*/")
		if text[i] != '#' && (offset < end || offset == end && open) {
			return true
		}
		i = end
	}
	return false
}

// A Function is one that a text defines.
type Function struct {
	Name      string
	Signature string // on one line
	Doc       string // the comment before it
	Source    string
}

var spaces = regexp.MustCompile(`\s+`)

// called matches a name and a bracket after it.
var called = regexp.MustCompile(`([\pL_][\pL\p{Nd}_]*)\s*\(`)

// Functions lists the functions that a text defines, outside of all braces but those of namespaces.
func Functions(text string) []Function {
	code := blank(text)
	var all []Function
	for next := 0; ; {
		at := called.FindStringSubmatchIndex(code[next:])
		if at == nil {
			return all
		}
		start, end, open := next+at[2], next+at[3], next+at[1]-1
		next = open + 1
		close := matching(code, open)
		body := close + 1
		for body < len(code) && strings.IndexByte(" \t\r\n", code[body]) >= 0 {
			body++
		}
		if body >= len(code) || code[body] != '{' {
			continue // a call, or a declaration
		}
		// What is called in the body has no body of its own.
		next = min(matching(code, body)+1, len(code))
		begin := strings.LastIndexAny(code[:start], ";{}") + 1
		begin += len(code[begin:]) - len(strings.TrimLeft(code[begin:], " \t\r\n"))
		all = append(all, Function{
			Name:      code[start:end],
			Signature: strings.TrimSpace(spaces.ReplaceAllString(code[begin:close+1], " ")),
			Doc:       commentBefore(text, begin),
			Source:    text[begin:next],
		})
	}
}

// Find looks for the definition of a function.
func Find(text, name string) (Function, bool) {
	all := Functions(text)
	if i := slices.IndexFunc(all, func(f Function) bool { return f.Name == name }); i >= 0 {
		return all[i], true
	}
	return Function{}, false
}

// matching is where the bracket at i closes, or the end of the text.
func matching(code string, i int) int {
	opening := code[i]
	closing := map[byte]byte{'(': ')', '{': '}'}[opening]
	for depth := 0; i < len(code); i++ {
		switch code[i] {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(code) - 1
}

// commentBefore is the text of the comment that ends right before offset.
func commentBefore(text string, offset int) string {
	before := strings.TrimRight(text[:offset], " \t\r\n")
	if strings.Count(text[len(before):offset], "\n") > 1 {
		return "" // an empty line stands between
	}
	if rest, ok := strings.CutSuffix(before, "*/"); ok {
		start := strings.LastIndex(rest, "/*")
		if start < 0 {
			return ""
		}
		var lines []string
		for line := range strings.Lines(rest[start+2:]) {
			lines = append(lines, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "*")))
		}
		return strings.TrimSpace(strings.Join(lines, "\n"))
	}
	var lines []string
	for {
		start := strings.LastIndexByte(before, '\n') + 1
		line, ok := strings.CutPrefix(strings.TrimSpace(before[start:]), "//")
		if !ok {
			break
		}
		lines = append([]string{strings.TrimSpace(strings.TrimLeft(line, "/"))}, lines...)
		if start == 0 {
			break
		}
		before = before[:start-1]
	}
	return strings.Join(lines, "\n")
}
