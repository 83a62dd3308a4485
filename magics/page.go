package magics

import (
	"context"
	"go/types"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

var _ kernel.Helper = (*Engine)(nil)

// Help describes a name or a magic for a cell such as fmt.Println?. It waits for the session, which Inspect, which front ends call while
// a user types, does not.
func (e *Engine) Help(ctx context.Context, name string, detail int, out kernel.Output) (kernel.MIMEBundle, error) {
	if err := e.session.Run(ctx, session.Source{Name: "help"}, out); err != nil {
		return nil, e.cellError(err)
	}
	d, ok := e.describe(ctx, name, len(name), detail > 0)
	if !ok {
		return nil, nil
	}
	if detail == 0 {
		d.Source = ""
	}
	d.Value = e.valueOf(ctx, name)
	return bundle(d), nil
}

// valueOf returns the value of a variable, or of a field of one, as a cell would show it; "" of other names.
func (e *Engine) valueOf(ctx context.Context, name string) string {
	k := e.session.Knowledge()
	if k == nil || strings.HasPrefix(name, "%") {
		return ""
	}
	base, _, _ := strings.Cut(name, ".")
	if _, ok := k.Names[base].Object.(*types.Var); !ok || !session.IsExpression(name) {
		return ""
	}
	var v valueOutput
	if e.session.Run(ctx, session.Source{Name: "help", Text: name}, &v) != nil {
		return ""
	}
	text, _ := v.value["text/plain"].(string)
	return text
}
