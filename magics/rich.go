package magics

import (
	"context"
	"regexp"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// richMagics returns the magics whose cell is a text of another language, which the front end shows.
func richMagics() []*Magic {
	var all []*Magic
	for _, m := range []struct {
		name, mimeType, summary string
		aliases                 []string
	}{
		{"html", "text/html", "shows the cell as HTML", nil},
		{"latex", "text/latex", "shows the cell as formulas in LaTeX, with or without $$ around them", nil},
		{"markdown", "text/markdown", "shows the cell as Markdown", []string{"md"}},
		{"svg", "image/svg+xml", "shows the cell as a drawing", nil},
		{"javascript", "application/javascript", "runs the cell in the page, where the notebook is trusted", []string{"js"}},
	} {
		all = append(all, &Magic{
			Name: m.name, Aliases: m.aliases, Code: m.name, Cell: true,
			Summary: m.summary,
			Run: func(_ context.Context, c *Call) error {
				text := c.text()
				if c.Args != "" {
					return c.usageError("there are no arguments")
				}
				if strings.TrimSpace(text) == "" {
					return c.usageError("the cell is empty")
				}
				data := kernel.MIMEBundle{m.mimeType: text, "text/plain": text}
				if m.name == "latex" && !delimited.MatchString(text) {
					data[m.mimeType] = "$$" + strings.TrimSpace(text) + "$$"
				}
				c.Out.Display(data, nil, "")
				return nil
			},
		})
	}
	return all
}

// delimited matches LaTeX in which formulas are marked.
var delimited = regexp.MustCompile(`\$|\\\(|\\\[|\\begin\b`)
