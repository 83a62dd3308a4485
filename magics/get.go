package magics

import (
	"context"
	"strings"
)

func getMagic() *Magic {
	return &Magic{
		Name: "get", Again: true, Line: true, Usage: "[MODULE[@VERSION]…]",
		Summary: "fetches modules and pins their versions for the session (@latest for the newest, @none to remove one), or lists those that are pinned",
		Run:     runGet,
	}
}

func runGet(ctx context.Context, c *Call) error {
	queries := strings.Fields(c.Args)
	for _, q := range queries {
		if strings.HasPrefix(q, "-") {
			return c.usageError("there is no option %s", q)
		}
	}
	if len(queries) > 0 {
		return c.session.Get(ctx, queries, c.Out)
	}
	modules, err := c.session.Modules(ctx, c.Out)
	if err != nil {
		return err
	}
	if len(modules) == 0 {
		c.Out.Stream("stdout", "no modules are pinned\n")
		return nil
	}
	var rows [][]string
	for _, m := range modules {
		state := ""
		if m.Loaded {
			state = "loaded"
		}
		rows = append(rows, []string{m.Path, m.Version, state})
	}
	showTable(c.Out, []string{"module", "version", ""}, rows, "")
	return nil
}

func autogetMagic() *Magic {
	return &Magic{
		Name: "autoget", Again: true, Line: true,
		Summary: "fetches modules when they are imported, as is the rule",
		Run:     func(_ context.Context, c *Call) error { return c.session.SetFetching(true) },
	}
}

func noautogetMagic() *Magic {
	return &Magic{
		Name: "noautoget", Again: true, Line: true,
		Summary: "fetches modules only by %get",
		Run:     func(_ context.Context, c *Call) error { return c.session.SetFetching(false) },
	}
}
