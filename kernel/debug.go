package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
)

// An Inspector is an Engine that can tell what the session's variables hold. Front ends show
// that in the panel of their debugger.
type Inspector interface {
	// Variables lists the parts of something that has parts, or the session's variables if
	// of is nil. It does not wait for a running cell.
	Variables(ctx context.Context, of any) ([]Variable, error)
}

// Variable is a variable, field or element.
type Variable struct {
	Name, Type, Value string
	Parts             any // what Variables takes to list its parts; nil if it has none
}

// debugger answers what front ends ask of a debug adapter while no breakpoint is hit: that
// is how they learn of variables. There are no breakpoints.
//
// The requests are those of the Debug Adapter Protocol and what Jupyter adds to it.
type debugger struct {
	mu      sync.Mutex
	started bool
	parts   []any // what has parts, by reference number from 1
}

// debugRequest is a request of the Debug Adapter Protocol.
type debugRequest struct {
	Seq       int    `json:"seq"`
	Command   string `json:"command"`
	Arguments struct {
		Reference int    `json:"variablesReference"`
		Variable  string `json:"variableName"`
	} `json:"arguments"`
}

// maxParts bounds what is remembered of a front end that opens ever more of a variable.
const maxParts = 100_000

var errNoBreakpoints = errors.New("this kernel shows variables, but it has no breakpoints and no steps")

func (s *server) debug(ctx context.Context, r *request) (any, error) {
	var q debugRequest
	if err := r.msg.DecodeContent(&q); err != nil {
		return nil, err
	}
	body, err := s.debugCommand(ctx, q)
	answer := map[string]any{
		"type": "response", "seq": q.Seq, "request_seq": q.Seq, "command": q.Command,
		"success": err == nil, "body": orEmptyMap(body),
	}
	if err != nil {
		answer["message"] = err.Error()
	}
	if q.Command == "attach" && err == nil {
		s.iopub.send("debug_event", r.msg.RawHeader, map[string]any{"type": "event", "seq": q.Seq, "event": "initialized"})
	}
	return answer, nil
}

func (s *server) debugCommand(ctx context.Context, q debugRequest) (map[string]any, error) {
	inspector, ok := s.eng.(Inspector)
	if !ok {
		return nil, errors.New("this kernel has no debugger")
	}
	d := &s.debugger
	switch q.Command {
	case "initialize":
		return map[string]any{"supportsConfigurationDoneRequest": true}, nil
	case "attach", "disconnect":
		d.mu.Lock()
		defer d.mu.Unlock()
		d.started = q.Command == "attach"
		return nil, nil
	case "configurationDone", "setExceptionBreakpoints":
		return nil, nil
	case "debugInfo":
		d.mu.Lock()
		defer d.mu.Unlock()
		return map[string]any{
			"isStarted": d.started, "breakpoints": []any{}, "stoppedThreads": []any{},
			"richRendering": true, "copyToGlobals": false, "exceptionPaths": []any{},
			// How a front end would name the file of a cell.
			"hashMethod": "Murmur2", "hashSeed": 0xc70f6907,
			"tmpFilePrefix": os.TempDir() + "/gopherwarp-", "tmpFileSuffix": ".go",
		}, nil
	case "dumpCell":
		return map[string]any{"sourcePath": os.TempDir() + "/gopherwarp-cell.go"}, nil
	case "setBreakpoints":
		return map[string]any{"breakpoints": []any{}}, nil // a front end takes them back
	case "inspectVariables":
		d.mu.Lock()
		d.parts = nil
		d.mu.Unlock()
		return s.variables(ctx, inspector, nil)
	case "variables":
		d.mu.Lock()
		var of any
		if i := q.Arguments.Reference - 1; i >= 0 && i < len(d.parts) {
			of = d.parts[i]
		}
		d.mu.Unlock()
		if of == nil {
			return nil, fmt.Errorf("no variable has the reference %d", q.Arguments.Reference)
		}
		return s.variables(ctx, inspector, of)
	case "richInspectVariables":
		return s.richVariable(ctx, q.Arguments.Variable)
	}
	return nil, fmt.Errorf("%s: %w", q.Command, errNoBreakpoints)
}

func (s *server) variables(ctx context.Context, inspector Inspector, of any) (map[string]any, error) {
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

// richVariable shows a variable as a cell would that consists of it. It does not wait for
// the cell that runs.
func (s *server) richVariable(ctx context.Context, name string) (map[string]any, error) {
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
