package magics

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/internal/spelling"
)

func rmMagic() *Magic {
	return &Magic{
		Name: "rm", Aliases: []string{"remove"}, Again: true, Line: true, Usage: "NAME…",
		Summary: "removes names that cells have declared; a variable's value is let go",
		Run:     runRm,
	}
}

func runRm(ctx context.Context, c *Call) error {
	names := strings.Fields(c.Args)
	if len(names) == 0 {
		return c.usageError("no name is given")
	}
	declared := c.session.Declared()
	var variables []session.Declared
	for _, name := range names {
		i := slices.IndexFunc(declared, func(d session.Declared) bool { return d.Name == name })
		if i < 0 {
			return c.unknownName(name, declared)
		}
		if declared[i].Kind == "var" {
			variables = append(variables, declared[i])
		}
	}
	// References from functions must not keep memory.
	if len(variables) > 0 {
		if _, err := c.contents(ctx, prochost.CallClear, variables); err != nil {
			return err
		}
	}
	c.session.Forget(names...)
	return nil
}

// unknownName returns the error for a name that no cell has declared, with a similar name.
func (c *Call) unknownName(name string, declared []session.Declared) error {
	known := make([]string, len(declared))
	for i, d := range declared {
		known[i] = d.Name
	}
	hint := "%who lists what there is"
	if near := spelling.Nearest(name, known); near != "" {
		hint = "Did you mean " + near + "?"
	}
	return usageError("%s", fmt.Sprintf("no cell has declared %s. %s", name, hint))
}

func resetMagic() *Magic {
	return &Magic{
		Name: "reset", Line: true,
		Summary: "forgets everything: the Go session starts anew, without variables, goroutines and device memory",
		Run: func(ctx context.Context, c *Call) error {
			if c.Args != "" {
				return c.usageError("there are no arguments")
			}
			if err := c.session.Reset(ctx, c.Out); err != nil {
				return err
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.ran = nil
			return nil
		},
	}
}
