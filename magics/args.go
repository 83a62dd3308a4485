package magics

import (
	"context"
	"go/token"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
)

func argsMagic() *Magic {
	return &Magic{
		Name: "args", Again: true, Line: true, Usage: "[ARGUMENTS]",
		Summary: "sets the arguments that flag.Parse and os.Args[1:] give",
		Run:     runArgs,
	}
}

func runArgs(ctx context.Context, c *Call) error { return c.setArgs(ctx, prochost.CallArgs) }

// setArgs calls a handler with the arguments of the magic.
func (c *Call) setArgs(ctx context.Context, handler string) error {
	args, err := words(c.Args)
	if err != nil {
		return c.usageError("%v", err)
	}
	if args == nil {
		args = []string{}
	}
	return c.call(ctx, handler, args, &struct{}{})
}

// mainMagic returns %main, for notebooks written for GoNB.
func mainMagic() *Magic {
	return &Magic{
		Name: "main", Again: true, Line: true, Usage: "[ARGUMENTS]",
		Summary: "is %args, and sets flags that cells have defined, if there are arguments and else does nothing: statements need no main function here (GoNB's notebooks have it)",
		Run: func(ctx context.Context, c *Call) error {
			if c.Args == "" {
				return nil
			}
			return c.setArgs(ctx, prochost.CallFlags)
		},
	}
}

// execMagic returns %exec, for notebooks written for GoNB.
func execMagic() *Magic {
	return &Magic{
		Name: "exec", Again: true, Line: true, Late: true, Usage: "FUNCTION [ARGUMENTS]",
		Summary: "calls a function after the rest of the cell, with %args set, and flags that cells have defined",
		Run: func(ctx context.Context, c *Call) error {
			name, args, _ := strings.Cut(c.Args, " ")
			if !token.IsIdentifier(name) {
				return c.usageError("%q is not the name of a function", name)
			}
			c.Args = args
			if err := c.setArgs(ctx, prochost.CallFlags); err != nil {
				return err
			}
			return c.runHere(ctx, name+"()")
		},
	}
}
