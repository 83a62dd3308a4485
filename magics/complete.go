package magics

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/completion/cuda"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// An Editor completes and describes names in Go. It never waits for a running cell.
type Editor interface {
	Complete(ctx context.Context, text string, offset int) (items []completion.Item, start int)
	Describe(ctx context.Context, text string, offset int, whole bool) (completion.Description, bool)
	Close()
}

// A spot is a position in a cell, with its context.
type spot struct {
	language string // "go", "cuda", or "" where nothing is completed, such as in a magic's line
	text     string // the cell, with text in other languages replaced by spaces, so that offsets do not change
	offset   int

	line  string // of a magic, up to the position, if it is in one
	magic *Magic // nil if there is no magic of that name
}

// spot returns the spot at a byte offset of a cell.
func (e *Engine) spot(code string, offset int) spot {
	lines := strings.SplitAfter(code, "\n")
	here, start := 0, 0
	for start+len(lines[here]) <= offset && here < len(lines)-1 {
		start += len(lines[here])
		here++
	}
	column := offset - start
	first := 0
	for first < len(lines)-1 && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	s := spot{language: "go", offset: offset}
	if strings.HasPrefix(command(lines[first]), "%%") {
		p := magicPart(lines[first], first+1)
		s.magic, _ = e.find(p.magic, true)
		if here == first {
			s.language, s.line = "", lines[here][:column]
			return s
		}
		if s.magic != nil && s.magic.Code != "" {
			s.language = s.magic.Code
		}
		lines[first] = spaces(lines[first])
		if s.language != "go" {
			s.text = strings.Join(lines, "")
			return s
		}
	}
	for i, n := range magicLines(lines, e.isGo) {
		p := magicPart(strings.Join(lines[i:i+n], ""), i+1)
		m, _ := e.find(p.magic, false)
		args := len(lines[i])
		if m != nil && m.Statement {
			if at := m.statement(p.args); at < len(p.args) {
				args = p.col - 1 + at
			}
		}
		if i <= here && here < i+n && (here > i || column < args || args == len(lines[i])) {
			s.language, s.magic, s.line = "", m, lines[here][:column]
		}
		lines[i] = spaces(lines[i][:args]) + lines[i][args:]
		for j := i + 1; j < i+n; j++ {
			lines[j] = spaces(lines[j])
		}
	}
	s.text = strings.Join(lines, "")
	return s
}

// statement returns the offset in the magic's arguments at which its statement begins, after its flags and their values.
func (m *Magic) statement(args string) int {
	valued := false
	for at := 0; at < len(args); {
		word, _, _ := strings.Cut(args[at:], " ")
		if word != "" && !valued && !strings.HasPrefix(word, "-") {
			return at
		}
		if word != "" {
			valued = !valued && regexp.MustCompile(regexp.QuoteMeta(word)+` [A-Z]+\b`).MatchString(m.Usage)
		}
		at += len(word) + 1
	}
	return len(args)
}

// spaces returns as many spaces as text has bytes, with its line end.
func spaces(text string) string {
	rest := strings.TrimRight(text, "\r\n")
	return strings.Repeat(" ", len(rest)) + text[len(rest):]
}

// Complete proposes magics after a %, CUDA's names in %%cuda, and names of the session and of Go elsewhere.
func (e *Engine) Complete(ctx context.Context, code string, cursor int) (kernel.Completion, error) {
	offset := byteOffset(code, cursor)
	var items []completion.Item
	start := offset
	switch s := e.spot(code, offset); {
	case s.language == "cuda":
		items, start = cuda.Complete(s.text, offset, e.earlierTexts())
	case s.language == "go" && e.editor != nil:
		items, start = e.editor.Complete(ctx, s.text, offset)
	case s.line != "":
		var word string
		items, word = e.completeMagic(ctx, s)
		start = offset - len(word)
	}
	c := kernel.Completion{Start: utf8.RuneCountInString(code[:start]), End: cursor}
	types := []map[string]any{}
	for _, i := range items {
		c.Matches = append(c.Matches, i.Text)
		types = append(types, map[string]any{"text": i.Text, "type": i.Kind, "signature": i.Detail, "start": c.Start, "end": c.End})
	}
	// JupyterLab shows these next to the names, as it does for IPython's.
	c.Metadata = map[string]any{"_jupyter_types_experimental": types}
	return c, nil
}

var (
	flag      = regexp.MustCompile(`--?[a-zA-Z][\w-]*`)
	takesName = regexp.MustCompile(`\bNAME\b`)
)

// completeMagic proposes names of magics, or the arguments in their usage. word is the part that has been typed.
func (e *Engine) completeMagic(ctx context.Context, s spot) (items []completion.Item, word string) {
	line := command(s.line)
	name := strings.TrimLeft(line, "%")
	if shell, ok := strings.CutPrefix(line, "!"); ok {
		return e.completePath(ctx, shell, false)
	}
	if !strings.HasPrefix(line, "%") {
		return nil, ""
	}
	if !strings.ContainsAny(name, " \t") {
		mark := line[:len(line)-len(name)]
		for _, m := range e.magics {
			if mark == "%%" && m.Cell || mark == "%" && m.Line {
				items = append(items, completion.Item{Text: mark + m.Name, Kind: "magic", Detail: m.Usage})
			}
		}
		return beginning(items, line), line
	}
	word = line[strings.LastIndexAny(line, " \t")+1:]
	if s.magic == nil {
		return nil, word
	}
	if takesPath.MatchString(s.magic.Usage) && !strings.HasPrefix(word, "-") {
		_, args, _ := strings.Cut(name, " ")
		return e.completePath(ctx, args, takesFolder.MatchString(s.magic.Usage))
	}
	for _, f := range flag.FindAllString(s.magic.Usage, -1) {
		items = append(items, completion.Item{Text: f, Kind: "flag"})
	}
	if k := e.session.Knowledge(); k != nil && takesName.MatchString(s.magic.Usage) {
		for _, name := range slices.Sorted(maps.Keys(k.Names)) {
			items = append(items, completion.Item{Text: name, Kind: "var"})
		}
	}
	return beginning(items, word), word
}

func beginning(items []completion.Item, word string) []completion.Item {
	return slices.DeleteFunc(items, func(i completion.Item) bool { return !strings.HasPrefix(i.Text, word) })
}
