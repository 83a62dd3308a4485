package magics

import (
	"context"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

func timeMagic() *Magic {
	return &Magic{
		Name: "time", Statement: true, Again: true, Line: true, Cell: true, Usage: "STATEMENT",
		Summary: "runs a statement, or the cell, and says how long that took; work on devices is waited for, compiling does not count",
		Run:     runTime,
	}
}

func runTime(ctx context.Context, c *Call) error {
	start := fmt.Sprintf("import clockcell %q; clockcell.Get[func()](%q)();", session.CellImport, prochost.ClockKey)
	text := start + c.Body
	switch {
	case c.Body != "" && c.Args != "":
		return usageError("%%%%time times the cell below it: take %q from its line", c.Args)
	case c.Body == "" && c.Args == "":
		return c.usageError("nothing to time")
	case c.Body == "":
		text = fmt.Sprintf("%s/*line %s:%d:%d*/%s", start, cellName(c.Cell), c.Line, c.Col, c.Args)
		if !c.Last {
			text += ";"
		}
		return c.runHere(ctx, text)
	}
	if err := c.onlyGo(); err != nil {
		return err
	}
	return c.runGo(ctx, c.Cell, text, true, c.Out)
}
