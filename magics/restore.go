package magics

import (
	"context"
	"io"

	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func restoreMagic() *Magic {
	return &Magic{
		Name: "restore", Line: true,
		Summary: "runs the cells again whose work was lost with their session, without their output, commands and files",
		Run:     runRestore,
	}
}

// A record is a cell that succeeded.
type record struct {
	cell    kernel.Cell
	process int // the session process that ran it
}

// keep records a cell that succeeded.
func (e *Engine) keep(cell kernel.Cell) {
	process := e.session.Process()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ran = append(e.ran, record{cell, process})
}

func runRestore(ctx context.Context, c *Call) error {
	if c.Args != "" {
		return c.usageError("there are no arguments")
	}
	// An empty cell makes sure that there is a session to run the others.
	if err := c.session.Run(ctx, session.Source{Name: cellName(c.Cell)}, c.Out); err != nil {
		return err
	}
	process := c.session.Process()
	quiet := &capture{Output: c.Out, file: io.Discard, mute: true}
	c.mu.Lock()
	records := c.ran
	c.mu.Unlock()
	count := 0
	for i := range records {
		if records[i].process == process {
			continue
		}
		if parts := c.again(records[i].cell.Code); len(parts) > 0 {
			c.Out.Stream("stdout", cellName(records[i].cell)+" …\n")
			if err := c.runParts(ctx, records[i].cell, parts, quiet); err != nil {
				return err
			}
			count++
		}
		c.mu.Lock()
		c.ran[i].process = process
		c.mu.Unlock()
	}
	if count == 0 {
		c.Out.Stream("stdout", "nothing is lost\n")
		return nil
	}
	c.Out.Stream("stdout", render.Count(count, "cell was", "cells were")+" run again\n")
	return nil
}

// again returns the parts of a cell that change the session.
func (e *Engine) again(code string) []part {
	var parts []part
	for _, p := range e.parts(code) {
		if m, err := e.find(p.magic, p.cell); p.magic == "" && p.text != "" || err == nil && m.Again {
			parts = append(parts, p)
		}
	}
	return parts
}
