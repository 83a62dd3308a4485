package magics

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func helpMagic() *Magic {
	return &Magic{
		Name: "help", Aliases: []string{"lsmagic"}, Line: true, Usage: "[MAGIC]",
		Summary: "lists the magics and what a cell may hold, or describes one magic",
		Run: func(_ context.Context, c *Call) error {
			list, cells := c.magics, "\n"+cellHelp+"\n"
			if c.Args != "" {
				name := strings.TrimLeft(c.Args, "%")
				i := slices.IndexFunc(list, func(m *Magic) bool { return m.called(name) })
				if i < 0 {
					_, err := c.find(name, false)
					return err
				}
				list, cells = list[i:i+1], ""
			}
			plain, markdown := helpText(list)
			c.Out.Display(kernel.MIMEBundle{"text/plain": plain + cells, "text/markdown": markdown + cells}, nil, "")
			return nil
		},
	}
}

const cellHelp = `A cell holds Go: imports, types, consts, vars, funcs and statements in any order. What it declares, later cells can use.
The last expression is shown, unless a semicolon ends it. An error that a top-level call returns fails the cell; must(f()) gives the value alone.
Imports of the standard library, gpu, display and verify may be left out. Other modules are fetched when they are imported.`

// usage returns the syntax of the magic.
func (m *Magic) usage() string {
	var forms []string
	if m.Bare {
		forms = append(forms, m.Name+m.Usage)
	}
	for _, form := range []struct {
		mark string
		ok   bool
	}{{"%", m.Line}, {"%%", m.Cell}} {
		if form.ok {
			forms = append(forms, strings.TrimSpace(form.mark+m.Name+" "+m.Usage))
		}
	}
	return strings.Join(forms, "  or  ")
}

// literal matches names with two underscores at each end, and the characters that mean something in Markdown or in the formulas of Jupyter.
var literal = regexp.MustCompile("\\b__\\w+__\\b|[\\\\`*_\\[\\]<>|$~&#]")

// inMarkdown returns a summary as Markdown (CommonMark).
func inMarkdown(summary string) string {
	return literal.ReplaceAllStringFunc(summary, func(found string) string {
		if len(found) > 1 {
			return "`" + found + "`"
		}
		return `\` + found
	})
}

// helpText returns a list of magics as text and as Markdown.
func helpText(magics []*Magic) (plain, markdown string) {
	var p, md strings.Builder
	md.WriteString("| magic | |\n|---|---|\n")
	for _, m := range magics {
		summary := m.Summary
		if len(m.Aliases) > 0 {
			summary += "; also called " + strings.Join(m.Aliases, ", ")
		}
		fmt.Fprintf(&p, "%s\n    %s\n", m.usage(), summary)
		fmt.Fprintf(&md, "| `%s` | %s |\n", strings.ReplaceAll(m.usage(), "|", `\|`), inMarkdown(summary))
	}
	return p.String(), md.String()
}
