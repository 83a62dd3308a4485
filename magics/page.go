package magics

import (
	"context"
	"unicode/utf8"

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
	return e.Inspect(ctx, name, utf8.RuneCountInString(name), detail)
}
