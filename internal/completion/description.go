package completion

import (
	"fmt"
	"go/doc/comment"
	"html"
	"strings"
)

// An Item is a possible completion.
type Item struct {
	Text   string // the whole name
	Kind   string // "func", "var", "keyword", …
	Detail string // a type or signature, or ""
}

// These are the kinds of items. Front ends show them beside the names.
const (
	kindFunc    = "func"
	kindMethod  = "method"
	kindType    = "type"
	kindVar     = "var"
	kindConst   = "const"
	kindField   = "field"
	kindPackage = "package"
	kindKeyword = "keyword"
)

// A Description describes a name.
type Description struct {
	Language  string // of Signature and Source, e.g. "go"
	Signature string // its declaration, without the body of a func
	Value     string // of a variable, if it was requested
	Doc       string // a doc comment in godoc's syntax, or ""
	Source    string // the whole declaration if it was requested and is known, or ""
}

// parsedDoc returns the parsed doc comment.
func (d Description) parsedDoc() *comment.Doc { return new(comment.Parser).Parse(d.Doc) }

func docPrinter() *comment.Printer {
	return &comment.Printer{HeadingLevel: 4, DocLinkBaseURL: "https://pkg.go.dev", TextWidth: 100}
}

// Plain returns the description for terminals.
func (d Description) Plain() string {
	parts := []string{d.Signature}
	if d.Value != "" {
		parts = append(parts, "Value:\n"+d.Value)
	}
	if d.Doc != "" {
		parts = append(parts, strings.TrimSpace(string(docPrinter().Text(d.parsedDoc()))))
	}
	if d.Source != "" {
		parts = append(parts, d.Source)
	}
	return strings.Join(parts, "\n\n")
}

// Markdown returns the description as Markdown with fenced code.
func (d Description) Markdown() string {
	parts := []string{d.fenced(d.Signature)}
	if d.Value != "" {
		parts = append(parts, "Value:", Description{}.fenced(d.Value))
	}
	if d.Doc != "" {
		parts = append(parts, strings.TrimSpace(string(docPrinter().Markdown(d.parsedDoc()))))
	}
	if d.Source != "" {
		parts = append(parts, d.fenced(d.Source))
	}
	return strings.Join(parts, "\n\n")
}

func (d Description) fenced(code string) string {
	// A fence must be longer than any in the code.
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + d.Language + "\n" + code + "\n" + fence
}

// HTML returns the description for browsers.
func (d Description) HTML() string {
	code := func(text string) string {
		return fmt.Sprintf("<pre><code class=\"language-%s\">%s</code></pre>\n", d.Language, html.EscapeString(text))
	}
	text := code(d.Signature)
	if d.Value != "" {
		text += "<p>Value:</p>\n<pre>" + html.EscapeString(d.Value) + "</pre>\n"
	}
	if d.Doc != "" {
		text += string(docPrinter().HTML(d.parsedDoc()))
	}
	if d.Source != "" {
		text += code(d.Source)
	}
	return text
}
