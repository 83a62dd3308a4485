package cuda

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// blank returns the text with comments, strings and preprocessor lines replaced by spaces, so that offsets stay the same.
func blank(text string) string {
	out := []byte(text)
	for t := range cxx.All(text) {
		if t.Kind != cxx.Comment && t.Kind != cxx.String && t.Kind != cxx.Directive {
			continue
		}
		for i := t.Begin; i < t.End; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// quoted reports whether the offset is in a comment or string, or at the end of one that is not terminated.
func quoted(text string, offset int) bool {
	for t := range cxx.All(text) {
		if t.Begin >= offset {
			return false
		}
		open := t.Problem != "" || strings.HasPrefix(t.Text, "//")
		if (t.Kind == cxx.Comment || t.Kind == cxx.String) && (offset < t.End || offset == t.End && open) {
			return true
		}
	}
	return false
}

// A Function is a function definition in a text.
type Function struct {
	Name      string
	Signature string // on one line
	Doc       string // the comment before it
	Source    string
}

var spaces = regexp.MustCompile(`\s+`)

// Functions returns the functions that a text defines, outside of all braces except those of namespaces.
func Functions(text string) []Function {
	var toks []cxx.Token
	for t := range cxx.All(text) {
		if t.Kind != cxx.Comment && t.Kind != cxx.Directive {
			toks = append(toks, t)
		}
	}
	code := blank(text)
	var all []Function
	begin := 0 // of the declaration
	for i := 0; i+1 < len(toks); i++ {
		if t := toks[i]; t.Is(";") || t.Is("{") || t.Is("}") {
			begin = i + 1
		}
		if toks[i].Kind != cxx.Ident || !toks[i+1].Is("(") {
			continue
		}
		body := cxx.SkipGroup(toks, i+1)
		if body >= len(toks) || !toks[body].Is("{") {
			continue // a call, or a declaration
		}
		end := cxx.SkipGroup(toks, body)
		from, to := toks[begin].Begin, toks[end-1].End
		if !toks[end-1].Is("}") {
			to = len(text) // it is incomplete
		}
		all = append(all, Function{
			Name:      toks[i].Text,
			Signature: spaces.ReplaceAllString(code[from:toks[body-1].End], " "),
			Doc:       commentBefore(text, from),
			Source:    text[from:to],
		})
		// Calls in the body are skipped.
		i, begin = end-1, end
	}
	return all
}

// Find returns the definition of a function.
func Find(text, name string) (Function, bool) {
	all := Functions(text)
	if i := slices.IndexFunc(all, func(f Function) bool { return f.Name == name }); i >= 0 {
		return all[i], true
	}
	return Function{}, false
}

// commentBefore returns the text of the comment that ends right before offset.
func commentBefore(text string, offset int) string {
	before := strings.TrimRight(text[:offset], " \t\r\n")
	if strings.Count(text[len(before):offset], "\n") > 1 {
		return "" // there is an empty line in between
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
