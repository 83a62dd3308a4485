package magics

import (
	"context"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/magics/prochost"
	"github.com/gopherwarp/gopherwarp/session"
)

func whoMagic() *Magic {
	return &Magic{
		Name: "who", Aliases: []string{"whos", "ls", "list"}, Line: true,
		Summary: "lists what the cells have declared: variables with type, size and, for device buffers, the device",
		Run:     runWho,
	}
}

// typeWidth is how much of a type is shown, in characters.
const typeWidth = 48

func runWho(ctx context.Context, c *Call) error {
	if c.Args != "" {
		return c.usageError("there are no arguments")
	}
	var variables []session.Declared
	others := map[string][]string{}
	for _, d := range c.session.Declared() {
		switch {
		case d.Kind == "var" && strings.HasSuffix(d.Cell, kernelSuffix):
			others["kernel"] = append(others["kernel"], d.Name)
		case d.Kind == "var":
			variables = append(variables, d)
		default:
			others[d.Kind] = append(others[d.Kind], d.Name)
		}
	}
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
		rows = append(rows, []string{v.Name, cut(v.Type, typeWidth), byteSize(in.Bytes), where, in.Text, v.Cell})
	}
	showTable(c.Out, []string{"variable", "type", "size", "on", "value", "cell"}, rows, below.String())
	return nil
}

// contents has the session process look at variables, by a cell that hands it their
// addresses.
func (c *Call) contents(ctx context.Context, handler string, variables []session.Declared) (map[string]prochost.Content, error) {
	if err := c.shelve(ctx, variables); err != nil {
		return nil, err
	}
	var reply map[string]prochost.Content
	err := c.call(ctx, handler, struct{}{}, &reply)
	return reply, err
}

// shelve runs a cell that puts the addresses of variables where the session process finds them.
func (c *Call) shelve(ctx context.Context, variables []session.Declared) error {
	var list strings.Builder
	for _, v := range variables {
		fmt.Fprintf(&list, "%q: &%[1]s, ", v.Name)
	}
	// interface{} is what cells can't give another meaning.
	text := fmt.Sprintf("import shelfcell %q; shelfcell.Put(%q, map[string]interface{}{%s})", session.CellImport, prochost.VariablesKey, list.String())
	return c.runHere(ctx, text)
}
