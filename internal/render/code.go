package render

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// A token of CUDA C++ that has a colour, by the group of its kind.
var cudaTokens = regexp.MustCompile(strings.Join([]string{
	`(?m:(^ *\d+  ))`, // a line's number
	`(//.*|/\*.*?\*/)`,
	`("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')`,
	`(\b(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)[fFuUlL]*\b)`,
	`(\b(?:__\w+__|if|else|for|while|do|return|break|continue|switch|case|default|struct|template|typename|const|static|using|namespace|auto|constexpr|extern|volatile)\b|#(?:include|define|undef|ifn?def|if|elif|else|endif|pragma)\b)`,
	`(\b(?:void|bool|char|short|int|long|float|double|unsigned|signed|size_t|half|dim3|u?int(?:8|16|32|64)_t|(?:float|double|int|uint)[234])\b)`,
}, "|"))

// cudaColours are those of JupyterLab's editor, or where there is no JupyterLab, of its light theme. Comments have that of the text, which
// the editor's is too faint for.
var cudaColours = []string{
	"",
	"font-style: italic",
	"color: var(--jp-mirror-editor-string-color, #ba2121)",
	"color: var(--jp-mirror-editor-number-color, #080)",
	"color: var(--jp-mirror-editor-keyword-color, #008000); font-weight: bold",
	"color: var(--jp-mirror-editor-variable-3-color, #085)",
}

// CUDA returns lines of CUDA C++ as HTML in which words, numbers, strings and comments have their colours. Line numbers may precede them.
func CUDA(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range cudaTokens.FindAllStringSubmatchIndex(text, -1) {
		for group, style := range cudaColours {
			if from, to := m[2+2*group], m[3+2*group]; from >= 0 {
				b.WriteString(html.EscapeString(text[at:from]))
				if at = to; style == "" {
					b.WriteString(text[from:to])
				} else {
					fmt.Fprintf(&b, `<span style="%s">%s</span>`, style, html.EscapeString(text[from:to]))
				}
			}
		}
	}
	return b.String() + html.EscapeString(text[at:])
}
