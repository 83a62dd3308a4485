package display

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
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

// Show shows v at once: a Bundle, or any value as it would be shown as the last one of a cell. Outside a notebook it prints v's text.
func Show(v any) {
	host := cell.CurrentHost()
	switch b, ok := v.(Bundle); {
	case host == nil:
		Print(v)
	case ok:
		host.Display(b.MIMEBundle(), nil, "", false)
	default:
		if err := host.Show(v); err != nil {
			panic(cell.Failure{Err: err})
		}
	}
}

// Print shows values as a notebook shows the last expression of a cell. Outside a notebook it prints their text, which is also what
// "gopherwarp export" writes for such an expression.
func Print(values ...any) {
	if host := cell.CurrentHost(); host != nil {
		host.Result(values)
		return
	}
	if len(values) == 1 {
		if data, _, ok := valuefmt.Of(values[0]); ok && data["text/plain"] != nil {
			fmt.Println(data["text/plain"])
			return
		}
	}
	fmt.Println(valuefmt.Result(valuefmt.DefaultRows, values...))
}
