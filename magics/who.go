package magics

import (
	"context"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

func whoMagic() *Magic {
	return &Magic{
		Name: "who", Aliases: []string{"whos", "ls", "list"}, Line: true,
		Summary: "lists what the cells have declared: variables with type, size and, for device buffers, the device",
		Run:     runWho,
	}
}

// typeWidth is the maximum width of a type in characters.
const typeWidth = 48

func runWho(ctx context.Context, c *Call) error {
	if c.Args != "" {
		return c.usageError("there are no arguments")
	}
	variables, others := sorted(c.session.Declared())
	var below strings.Builder
	for _, kind := range []string{"kernel", "func", "type", "const"} {
		if names := others[kind]; len(names) > 0 {
			fmt.Fprintf(&below, "%ss: %s  \n", kind, strings.Join(names, ", "))
		}
	}
	if len(variables) == 0 {
		c.Out.Stream("stdout", "no variables yet\n"+below.String())
		return nil
	}
	contents, err := c.contents(ctx, prochost.CallDescribe, variables)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, v := range variables {
		in := contents[v.Name]
		where := "host"
		if in.Device != "" {
			where = in.Device
		}
		rows = append(rows, []string{v.Name, cut(v.Type, typeWidth), render.Bytes(uint64(in.Bytes)), where, in.Text, v.Cell})
	}
	showTable(c.Out, []string{"variable", "type", "size", "on", "value", "cell"}, rows, below.String())
	return nil
}

// sorted separates variables from other names, which are grouped by their kind.
func sorted(all []session.Declared) (variables []session.Declared, others map[string][]string) {
	others = map[string][]string{}
	for _, d := range all {
		switch {
		case d.Kind == "var" && strings.HasSuffix(d.Cell, kernelSuffix):
			others["kernel"] = append(others["kernel"], d.Name)
		case d.Kind == "var":
			variables = append(variables, d)
		default:
			others[d.Kind] = append(others[d.Kind], d.Name)
		}
	}
	return variables, others
}

// contents returns what a handler of the session process reports about variables.
func (c *Call) contents(ctx context.Context, handler string, variables []session.Declared) (map[string]prochost.Content, error) {
	var reply map[string]prochost.Content
	err := c.call(ctx, handler, storage(variables), &reply)
	return reply, err
}

// storage returns where the session process finds variables, by name.
func storage(variables []session.Declared) map[string]cell.Variable {
	m := map[string]cell.Variable{}
	for _, v := range variables {
		m[v.Name] = v.Variable
	}
	return m
}
