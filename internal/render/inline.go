package render

import (
	"html"
	"regexp"
	"strings"
)

// marks matches code between backquotes and bold text between asterisks.
var marks = regexp.MustCompile("`([^`]*)`|\\*\\*([^*]+)\\*\\*")

// Unmarked returns a line of Markdown without the marks of code and of bold text.
func Unmarked(text string) string { return marks.ReplaceAllString(text, "$1$2") }

// Inline returns a line of Markdown, with code and bold text, as HTML. The text is escaped first, which leaves backquotes and asterisks.
func Inline(text string) string {
	return marks.ReplaceAllStringFunc(html.EscapeString(text), func(s string) string {
		if code, ok := strings.CutPrefix(s, "`"); ok {
			return "<code>" + strings.TrimSuffix(code, "`") + "</code>"
		}
		return "<strong>" + strings.Trim(s, "*") + "</strong>"
	})
}
