package magics

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
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

// recordLaunches makes launches of kernels with breakpoints be recorded until replay is called, which stops at these in the recordings.
func (e *Engine) recordLaunches(ctx context.Context, out kernel.Output) (replay func()) {
	if e.debugger == nil {
		return func() {}
	}
	stops := e.debugger.Stops()
	if len(stops) == 0 {
		return func() {}
	}
	c := &Call{Engine: e, Out: out}
	var reply gpuhost.RecordReply
	if err := c.call(ctx, gpuhost.CallRecord, stops, &reply); err != nil {
		return func() {}
	}
	return func() {
		if err := c.call(ctx, gpuhost.CallRecord, gpuhooks.Stops{}, &reply); err != nil {
			return // the session has ended, which the cell's error tells
		}
		if reply.Problem != "" {
			out.Stream("stderr", "Not all launches were recorded for the debugger: "+reply.Problem+"\n")
		}
		e.debugger.Replay(ctx, reply.Recordings, out)
	}
}
