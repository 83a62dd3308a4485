package display

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// Bundle is a value that knows how it looks, by MIME type.
type Bundle interface {
	MIMEBundle() map[string]any
}

// Markdown is text to be shown formatted. A terminal shows it as it is.
type Markdown string

// MIMEBundle gives the text as Markdown and as it is.
func (m Markdown) MIMEBundle() map[string]any {
	return map[string]any{"text/markdown": string(m), "text/plain": string(m)}
}

// HTML is a piece of a page. A terminal shows it as it is.
type HTML string

// MIMEBundle gives the text as HTML and as it is.
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
