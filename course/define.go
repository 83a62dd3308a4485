package course

import (
	"regexp"
	"strings"
)

// markdownLink matches a link in Markdown.
var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// Define returns a term of the glossary, in any case and also in the plural, as it is spelled there, with its explanation without links.
func Define(term string) (name, text string, ok bool) {
	want := strings.ToLower(strings.Join(strings.Fields(term), " "))
	for section := range strings.SplitSeq(string(References()["glossary.md"]), "\n### ") {
		name, text, _ := strings.Cut(section, "\n")
		if heading := strings.ToLower(name); heading == want || heading+"s" == want {
			return name, markdownLink.ReplaceAllString(strings.TrimSpace(text), "$1"), true
		}
	}
	return "", "", false
}
