package magics

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gopherwarp/gopherwarp/kernel"
)

var _ kernel.Debugger = (*Engine)(nil)

// DebugEvents sets the function that is called for events of the debugger.
func (e *Engine) DebugEvents(tell func(event string, body any)) {
	if e.debugger != nil {
		e.debugger.Events(tell)
	}
}

// Debug handles a request to the debugger and returns the body of its answer.
func (e *Engine) Debug(ctx context.Context, command string, arguments json.RawMessage) (any, error) {
	if e.debugger == nil {
		return nil, errors.New("this kernel runs without a debugger")
	}
	return e.debugger.Request(ctx, command, arguments, e.session.SetDebugger)
}

// Stopped reports whether a cell is stopped at a breakpoint.
func (e *Engine) Stopped() bool { return e.debugger != nil && e.debugger.Stopped() }
