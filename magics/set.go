package magics

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
	"github.com/gopherwarp/gopherwarp/internal/spelling"
)

// A setting is a number that changes how cells are shown.
type setting struct {
	name, env, about string
	preset, max      int
}

// settings returns the settings of %set.
func settings() []setting {
	return []setting{
		{"display.rows", proto.RowsEnv, "elements that are shown of a long slice, map or matrix; 0 shows all", valuefmt.DefaultRows, 1_000_000},
		{"display.mb", proto.DisplayEnv, "MB that a cell may show at once", proto.DefaultDisplay, proto.MaxDisplay},
	}
}

func setMagic() *Magic {
	return &Magic{
		Name: "set", Again: true, Line: true, Usage: "[NAME=VALUE]",
		Summary: "changes how results are shown (display.rows=N, display.mb=N), or lists the settings",
		Run:     runSet,
	}
}

func runSet(ctx context.Context, c *Call) error {
	if strings.TrimSpace(c.Args) == "" {
		return c.listSettings(ctx)
	}
	name, value, ok := strings.Cut(c.Args, "=")
	if !ok {
		name, value, _ = strings.Cut(strings.TrimSpace(c.Args), " ")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	var names []string
	for _, s := range settings() {
		if names = append(names, s.name); s.name != name {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > s.max || n == 0 && s.env == proto.DisplayEnv {
			return c.usageError("%s is the number of %s, at most %d, and not %q", s.name, s.about, s.max, value)
		}
		return c.setEnv(ctx, prochost.Variable{Name: s.env, Value: strconv.Itoa(n)})
	}
	hint := ""
	if near := spelling.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(". Did you mean %s?", near)
	}
	return c.usageError("there is no setting %q, only %s%s", name, strings.Join(names, " and "), hint)
}

// listSettings shows the settings with their values.
func (c *Call) listSettings(ctx context.Context) error {
	env := c.surroundings(ctx).Env
	var rows [][]string
	for _, s := range settings() {
		value := strconv.Itoa(s.preset)
		for _, entry := range slices.Backward(env) {
			if v, ok := strings.CutPrefix(entry, s.env+"="); ok {
				value = v
				break
			}
		}
		rows = append(rows, []string{s.name, value, s.about})
	}
	showTable(c.Out, []string{"setting", "value", "number of"}, rows, "")
	return nil
}
