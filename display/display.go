package display

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Bundle is a value with representations by MIME type.
type Bundle interface {
	MIMEBundle() map[string]any
}

// Markdown is text that is shown formatted. A terminal shows its source.
type Markdown string

// MIMEBundle returns the text as Markdown and as plain text.
func (m Markdown) MIMEBundle() map[string]any {
	return map[string]any{"text/markdown": string(m), "text/plain": string(m)}
}

// HTML is a part of a page. A terminal shows its source.
type HTML string

// MIMEBundle returns the text as HTML and as plain text.
func (h HTML) MIMEBundle() map[string]any {
	return map[string]any{"text/html": string(h), "text/plain": string(h)}
}

// Show shows v at once. Outside a notebook it prints v's text.
func Show(v Bundle) {
	mime := v.MIMEBundle()
	if host := cell.CurrentHost(); host != nil {
		host.Display(mime, nil, "", false)
		return
	}
	fmt.Println(mime["text/plain"])
}
