package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// An Inspector is an Engine that can list the session's variables. Front ends show them in the panel of their debugger.
type Inspector interface {
	// Variables returns the parts of a value, or the session's variables if of is nil. It does not wait for a running cell.
	Variables(ctx context.Context, of any) ([]Variable, error)
}

// A Variable is a variable, field or element.
type Variable struct {
	Name, Type, Value string
	Parts             any // the argument of Variables for its parts; nil if it has none
}

// A Debugger is an Inspector that stops cells at breakpoints.
type Debugger interface {
	Inspector
	// DebugEvents sets the function that is called for events of the Debug Adapter Protocol, with a body for encoding/json, or nil.
	DebugEvents(tell func(event string, body any))
	// Debug handles a request of that protocol, or of Jupyter's extensions, and returns the body of the response for encoding/json, or
	// nil. Requests for variables while no cell is stopped are handled by the kernel.
	Debug(ctx context.Context, command string, arguments json.RawMessage) (body any, err error)
	// Stopped reports whether a cell is stopped at a breakpoint.
	Stopped() bool
}

// debugger is the state of a front end's debugger.
//
// The requests are those of the Debug Adapter Protocol and of Jupyter's extensions.
type debugger struct {
	mu     sync.Mutex
	events int             // number of events sent
	parent json.RawMessage // header of the request that turned it on
	parts  []any           // values with parts, by reference number from 1
}

// debugRequest is a request of the Debug Adapter Protocol.
type debugRequest struct {
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// maxParts is the maximum number of parts that are kept for a front end.
const maxParts = 100_000

// orEmptyBody returns the body of a message, which is an object even if it is empty.
func orEmptyBody(body any) any {
	if body == nil {
		return struct{}{}
	}
	return body
}

func (s *server) debug(ctx context.Context, r *request) (any, error) {
	var q debugRequest
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	s.debugger.mu.Lock()
	s.debugger.parent = r.msg.RawHeader
	s.debugger.mu.Unlock()
	body, err := s.debugCommand(ctx, q)
	answer := map[string]any{
		"type": "response", "seq": q.Seq, "request_seq": q.Seq, "command": q.Command,
		"success": err == nil, "body": orEmptyBody(body),
	}
	if err != nil {
		answer["message"] = err.Error()
	}
	return answer, nil
}

// debugEvent broadcasts an event of the debugger.
func (s *server) debugEvent(event string, body any) {
	d := &s.debugger
	d.mu.Lock()
	d.events++
	seq, parent := d.events, d.parent
	d.mu.Unlock()
	s.iopub.send("debug_event", parent, map[string]any{"type": "event", "seq": seq, "event": event, "body": orEmptyBody(body)})
}

func (s *server) debugCommand(ctx context.Context, q debugRequest) (any, error) {
	debugger, ok := s.eng.(Debugger)
	if !ok {
		return nil, errors.New("this kernel has no debugger")
	}
	var about struct {
		Reference int    `json:"variablesReference"`
		Variable  string `json:"variableName"`
	}
	if len(q.Arguments) > 0 {
		if err := json.Unmarshal(q.Arguments, &about); err != nil {
			return nil, fmt.Errorf("read the arguments of %s: %w", q.Command, err)
		}
	}
	d := &s.debugger
	switch {
	case q.Command == "inspectVariables":
		d.mu.Lock()
		d.parts = nil
		d.mu.Unlock()
		return s.variables(ctx, debugger, nil)
	case q.Command == "variables" && !debugger.Stopped():
		d.mu.Lock()
		var of any
		if i := about.Reference - 1; i >= 0 && i < len(d.parts) {
			of = d.parts[i]
		}
		d.mu.Unlock()
		if of == nil {
			return nil, fmt.Errorf("no variable has the reference %d", about.Reference)
		}
		return s.variables(ctx, debugger, of)
	case q.Command == "richInspectVariables":
		return s.richVariable(ctx, about.Variable)
	}
	return debugger.Debug(ctx, q.Command, q.Arguments)
}

func (s *server) variables(ctx context.Context, inspector Inspector, of any) (any, error) {
	list, err := inspector.Variables(ctx, of)
	if err != nil {
		return nil, err
	}
	d := &s.debugger
	d.mu.Lock()
	defer d.mu.Unlock()
	shown := make([]any, len(list))
	for i, v := range list {
		reference := 0
		if v.Parts != nil && len(d.parts) < maxParts {
			d.parts = append(d.parts, v.Parts)
			reference = len(d.parts)
		}
		shown[i] = map[string]any{
			"name": v.Name, "type": v.Type, "value": v.Value, "variablesReference": reference, "evaluateName": v.Name,
		}
	}
	return map[string]any{"variables": shown}, nil
}

// richVariable returns the representation of a variable as the value of a cell. It does not wait for the running cell.
func (s *server) richVariable(ctx context.Context, name string) (any, error) {
	select {
	case s.executing <- struct{}{}:
		defer func() { <-s.executing }()
	default:
		return nil, errors.New("a cell runs: look again when it has ended")
	}
	e, ok := s.eng.(Evaluator)
	if !ok {
		return nil, errors.New("this kernel does not evaluate expressions")
	}
	data, err := e.Evaluate(ctx, Cell{Code: name, Count: s.count}, name)
	if err != nil {
		return nil, err
	}
	for mime, v := range data {
		if _, err := json.Marshal(v); err != nil {
			delete(data, mime)
		}
	}
	return map[string]any{"data": orEmptyMap(data), "metadata": map[string]any{}}, nil
}
