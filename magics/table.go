package magics

import (
	"fmt"
	"html"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// showTable shows rows under a heading, and text below them.
func showTable(out kernel.Output, head []string, rows [][]string, below string) {
	table := render.Table{Columns: render.Columns(render.Default, head...), Rows: rows, Code: true}
	plain, page := table.Text(), table.HTML()
	if below != "" {
		plain += "\n" + below
		page += fmt.Sprintf("<p>%s</p>", strings.ReplaceAll(html.EscapeString(strings.TrimSpace(below)), "\n", "<br>"))
	}
	out.Display(kernel.MIMEBundle{"text/plain": plain, "text/html": page}, nil, "")
}

// cut returns text, shortened to n characters.
func cut(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
