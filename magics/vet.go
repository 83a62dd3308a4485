package magics

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func vetMagic() *Magic {
	return &Magic{
		Name: "vet", Line: true,
		Summary: "looks for likely mistakes in what cells have declared and done, as go vet does; if there are any, the cell fails",
		Run:     runVet,
	}
}

func runVet(ctx context.Context, c *Call) error {
	if c.Args != "" {
		return c.usageError("there are no arguments")
	}
	found, err := c.session.Vet(ctx, c.standing(), c.Out)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		c.Out.Stream("stdout", "nothing was found\n")
		return nil
	}
	failed := &kernel.CellError{Name: "VetError", Value: found[0].String()}
	if more := len(found) - 1; more > 0 {
		failed.Value += fmt.Sprintf(" (and %d more)", more)
	}
	for _, p := range found {
		c.mark(p.Pos.Filename, p.Pos.Line, severityWarning, p.Message)
		failed.Traceback = append(failed.Traceback, headline("VetError", p.String()))
		if line, ok := c.line(p.Pos.Filename, p.Pos.Line); ok {
			failed.Traceback = append(failed.Traceback, fmt.Sprintf("%s%4d%s %s", bold, p.Pos.Line, reset, line), "     "+caret(line, p.Pos.Column))
		}
	}
	return failed
}

// standing returns a function for the Go of cells by name, which reports whether the notebook still has them: a cell that was run again
// replaces its earlier runs.
func (c *Call) standing() func(name string) (string, bool) {
	c.mu.Lock()
	latest, ids := maps.Clone(c.latest), maps.Clone(c.ids)
	c.mu.Unlock()
	return func(name string) (string, bool) {
		c.mu.Lock()
		text := c.sources[name]
		c.mu.Unlock()
		id := ids[name]
		return c.goLines(text), id == "" || latest[id] == name
	}
}

// goLines returns the Go of a cell in its lines.
func (c *Call) goLines(cell string) string {
	lines := make([]string, strings.Count(cell, "\n")+1)
	for _, p := range split(cell, c.isGo) {
		if p.magic != "" && (!p.cell || p.magic == "cuda") {
			continue
		}
		for i, line := range strings.Split(p.text, "\n") {
			if line != "" && i < len(lines) {
				lines[i] = line
			}
		}
	}
	return strings.Join(lines, "\n")
}
