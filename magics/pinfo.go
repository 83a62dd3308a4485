package magics

import (
	"context"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// pinfoMagics returns the magics that are the same as NAME? and NAME??.
func pinfoMagics() []*Magic {
	var all []*Magic
	for detail, name := range []string{"pinfo", "pinfo2"} {
		marks := "?"
		summary := "describes a name or a magic and shows the value of a variable, as NAME? does"
		if detail > 0 {
			marks = "??"
			summary = "is like %pinfo, with the source, as NAME?? does"
		}
		all = append(all, &Magic{
			Name: name, Line: true, Usage: "NAME", Summary: summary,
			Run: func(ctx context.Context, c *Call) error {
				if c.Args == "" {
					return c.usageError("no name is given")
				}
				data, err := c.Help(ctx, c.Args, detail, c.Out)
				switch {
				case err != nil:
					return err
				case data == nil:
					return usageError("nothing is known of %s: is it spelt right, and has the cell that declares it run? (%s%s asks for the same)", c.Args, c.Args, marks)
				}
				if pager, ok := c.Out.(kernel.Pager); ok {
					pager.Page(data)
				} else {
					c.Out.Display(data, nil, "")
				}
				return nil
			},
		})
	}
	return all
}
