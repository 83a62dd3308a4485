package cuda

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/completion"
)

var (
	names     = regexp.MustCompile(`[\pL_][\pL\p{Nd}_]*`)
	scoped    = regexp.MustCompile(`([\pL_][\pL\p{Nd}_]*)\s*::\s*$`)
	dotted    = regexp.MustCompile(`([\pL_][\pL\p{Nd}_]*)\s*(?:\[[^\]]*\]\s*)?(?:\.|->)\s*$`)
	alias     = regexp.MustCompile(`\bnamespace\s+([\pL_][\pL\p{Nd}_]*)\s*=\s*cooperative_groups\b`)
	usesAll   = regexp.MustCompile(`\busing\s+namespace\s+cooperative_groups\b`)
	afterDots = regexp.MustCompile(`(?:\.|->)\s*([\pL_][\pL\p{Nd}_]*)`)
)

// Complete returns the possible completions at a byte offset of a cell's text, and the offset where they begin. earlier are
// the texts of the CUDA cells before it, the newest first.
func Complete(text string, offset int, earlier []string) (items []completion.Item, start int) {
	start = wordStart(text, offset)
	if quoted(text, offset) {
		return nil, offset
	}
	word := text[start:offset]
	before := blank(text[:start])
	rest := before + strings.Repeat(" ", len(word)) + blank(text)[offset:]
	switch m := scoped.FindStringSubmatch(before); {
	case m != nil:
		if isGroups(text, m[1]) {
			items = ofGroups()
		}
	case dotted.MatchString(before):
		items = fields(rest, dotted.FindStringSubmatch(before)[1])
	default:
		items = everything(rest, earlier)
		if usesAll.MatchString(text) {
			items = append(items, ofGroups()...)
		}
	}
	var found []completion.Item
	seen := map[string]bool{}
	for _, i := range items {
		if len(i.Text) >= len(word) && strings.EqualFold(i.Text[:len(word)], word) && !seen[i.Text] {
			seen[i.Text] = true
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b completion.Item) int {
		return strings.Compare(strings.TrimLeft(a.Text, "_"), strings.TrimLeft(b.Text, "_"))
	})
	return found, start
}

func isGroups(text, name string) bool {
	m := alias.FindStringSubmatch(text)
	return name == groups || m != nil && m[1] == name
}

func ofGroups() []completion.Item {
	var items []completion.Item
	for name, w := range words() {
		if short, ok := strings.CutPrefix(name, groups+"::"); ok {
			items = append(items, w.item(short))
		}
	}
	return items
}

func (w word) item(name string) completion.Item {
	kind := "var"
	switch {
	case strings.Contains(w.signature, name+"(") || strings.Contains(w.signature, name+"<"):
		kind = "func"
	case strings.HasPrefix(w.signature, "struct "), strings.HasPrefix(w.signature, "class "), strings.Contains(w.signature, "> class "):
		kind = "type"
	case strings.HasPrefix(w.section, "Function Execution"), strings.HasPrefix(w.section, "Variable Memory"), w.section == "Launch Bounds":
		kind = "keyword"
	}
	return completion.Item{Text: name, Kind: kind, Detail: w.signature}
}

// fields returns the completions after a name and a dot: the components if it has a vector type, otherwise the names
// after other dots.
func fields(text, name string) []completion.Item {
	typ := ""
	if w, ok := words()[name]; ok {
		typ = strings.TrimSuffix(w.signature, " "+name)
	} else if m := regexp.MustCompile(`\b([\pL_][\pL\p{Nd}_]*)\s*[*&]?\s*(?:__restrict__\s*)?\b` + regexp.QuoteMeta(name) + `\b`).FindStringSubmatch(text); m != nil {
		typ = m[1]
	}
	found := members(typ)
	if found == nil {
		for _, m := range afterDots.FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
	}
	var items []completion.Item
	for _, f := range found {
		items = append(items, completion.Item{Text: f, Kind: "field"})
	}
	return items
}

// everything returns the keywords of CUDA and C++, and the names in the texts.
func everything(text string, earlier []string) []completion.Item {
	var items []completion.Item
	for name, w := range words() {
		if !strings.Contains(name, "::") {
			items = append(items, w.item(name))
		}
	}
	for _, name := range language {
		items = append(items, completion.Item{Text: name, Kind: "keyword"})
	}
	for _, text := range append([]string{text}, earlier...) {
		for _, f := range Functions(text) {
			items = append(items, completion.Item{Text: f.Name, Kind: "func", Detail: f.Signature})
		}
	}
	own := map[string]bool{}
	for _, name := range names.FindAllString(text, -1) {
		own[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		items = append(items, completion.Item{Text: name, Kind: "var"})
	}
	return items
}

// Describe returns the description of the name at a byte offset: a name of CUDA, or a function of the cell or of an earlier one.
func Describe(text string, offset int, earlier []string) (completion.Description, bool) {
	start := wordStart(text, offset)
	end := offset + len(text[offset:]) - len(strings.TrimLeftFunc(text[offset:], isWord))
	name := text[start:end]
	if name == "" {
		return completion.Description{}, false
	}
	for _, source := range append([]string{text}, earlier...) {
		if f, ok := Find(source, name); ok {
			return f.Description(), true
		}
	}
	for _, full := range []string{name, groups + "::" + name} {
		if w, ok := words()[full]; ok {
			return completion.Description{
				Language: "cuda", Signature: w.signature,
				Doc: w.doc + "\n\nCUDA C++ Programming Guide: " + w.section + ".",
			}, true
		}
	}
	return completion.Description{}, false
}

// Description returns the description of the function.
func (f Function) Description() completion.Description {
	return completion.Description{Language: "cuda", Signature: f.Signature, Doc: f.Doc, Source: f.Source}
}

func wordStart(text string, offset int) int {
	start := strings.LastIndexFunc(text[:offset], func(c rune) bool { return !isWord(c) })
	if start < 0 {
		return 0
	}
	_, size := utf8.DecodeRuneInString(text[start:])
	return start + size
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }
