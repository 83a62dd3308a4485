package magics

import (
	"context"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func srcMagic() *Magic {
	return &Magic{
		Name: "src", Aliases: []string{"psource"}, Line: true, Usage: "NAME",
		Summary: "shows the source of a function, type, constant, variable or kernel from the cell that declared it",
		Run:     runSrc,
	}
}

func runSrc(_ context.Context, c *Call) error {
	if c.Args == "" || strings.ContainsAny(c.Args, " \t") {
		return c.usageError("one name is expected")
	}
	declared := c.session.Declared()
	i := slices.IndexFunc(declared, func(d session.Declared) bool { return d.Name == c.Args })
	if i < 0 {
		return c.unknownName(c.Args, declared)
	}
	d := declared[i]
	name, isKernel := strings.CutSuffix(d.Cell, kernelSuffix)
	c.mu.Lock()
	cell := c.sources[name]
	c.mu.Unlock()
	language, text := "go", withoutTranslations(d.Source)
	switch {
	case isKernel:
		language, text = "cuda", cell
	case text == "":
		text = session.SourceOfVariable(c.goText(cell), d.Name)
	}
	if text = strings.TrimSpace(text); text == "" {
		return usageError("the source of %s is not kept", d.Name)
	}
	c.Out.Display(kernel.MIMEBundle{
		"text/plain":    "// " + name + "\n" + text,
		"text/markdown": name + ":\n```" + language + "\n" + text + "\n```",
	}, nil, "")
	return nil
}

// goText returns the Go of a cell.
func (c *Call) goText(cell string) string {
	var b strings.Builder
	for _, p := range split(cell, c.isGo) {
		switch {
		case p.magic == "time" && !p.cell:
			b.WriteString(p.args)
		case p.magic == "" || p.cell:
			b.WriteString(strings.TrimLeft(p.text, "\n"))
		}
		b.WriteString("\n")
	}
	return b.String()
}
