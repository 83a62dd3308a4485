package debugger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
)

const (
	// maxFrames and maxVariables limit the requests to delve for one response.
	maxFrames    = 50
	maxVariables = 200
	// sessionScope is added to the number of a frame for the reference of the session's variables in that frame. Delve's
	// references are smaller.
	sessionScope = 1 << 30
	// threadScope is added to it for the reference of the thread of a kernel.
	threadScope = 1 << 29
)

// request handles a request while the run is stopped.
func (r *run) request(command string, data json.RawMessage) (any, error) {
	switch command {
	case "continue", "next", "stepIn", "stepOut":
		return dap.ContinueResponseBody{AllThreadsContinued: true}, r.resume(command, r.thread())
	case "threads":
		thread := r.thread()
		return dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: thread, Name: fmt.Sprintf("goroutine %d", thread)}}}, nil
	case "stackTrace":
		frames, err := r.stack()
		return dap.StackTraceResponseBody{StackFrames: frames, TotalFrames: len(frames)}, err
	case "scopes":
		q, err := decode[dap.ScopesArguments](command, data)
		if err != nil {
			return nil, err
		}
		scopes, err := r.scopes(q.FrameId)
		return dap.ScopesResponseBody{Scopes: scopes}, err
	case "variables":
		q, err := decode[dap.VariablesArguments](command, data)
		if err != nil {
			return nil, err
		}
		list, err := r.variables(q.VariablesReference)
		return dap.VariablesResponseBody{Variables: list}, err
	case "evaluate":
		q, err := decode[dap.EvaluateArguments](command, data)
		if err != nil {
			return nil, err
		}
		return r.evaluate(q.Expression, q.FrameId)
	}
	return nil, fmt.Errorf("%s: this kernel's debugger can't do that", command)
}

// frames returns the stack of a goroutine. Every frame has a source.
func (r *run) frames(thread int) ([]dap.StackFrame, error) {
	reply, err := askFor[*dap.StackTraceResponse](r, &dap.StackTraceRequest{
		Request: command("stackTrace"), Arguments: dap.StackTraceArguments{ThreadId: thread, Levels: maxFrames},
	})
	if err != nil {
		return nil, err
	}
	frames := make([]dap.StackFrame, len(reply.Body.StackFrames))
	for i, f := range reply.Body.StackFrames {
		source := &dap.Source{}
		if f.Source != nil {
			source.Name, source.Path = f.Source.Name, f.Source.Path
		}
		frames[i] = dap.StackFrame{Id: f.Id, Name: f.Name, Source: source, Line: f.Line, Column: f.Column}
	}
	return frames, nil
}

// stack returns the stack of the stopped goroutine with names as the user wrote them.
func (r *run) stack() ([]dap.StackFrame, error) {
	all, err := r.frames(r.thread())
	if err != nil {
		return nil, err
	}
	d := r.debugger
	shown := []dap.StackFrame{}
	for _, f := range all {
		if runsThread(f) {
			break
		}
		if r.own(f) {
			continue
		}
		f.Name = funcName(f.Name, f.Source.Name)
		d.mu.Lock()
		path, isCell := d.paths[f.Source.Path]
		text := d.texts[path]
		d.mu.Unlock()
		if isCell {
			f.Name = kernelName(f.Name, text, f.Line)
			f.Source.Path = path
		} else {
			r.mu.Lock()
			r.files[f.Source.Path] = true
			r.mu.Unlock()
		}
		shown = append(shown, f)
	}
	return shown, nil
}

// named reports whether a frame had this source.
func (r *run) named(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files[path]
}

// scopes returns the scopes of a frame: its own, and the session's. Front ends show the first one, so the session's comes
// first if a frame has no variables of its own.
func (r *run) scopes(frame int) ([]dap.Scope, error) {
	reply, err := askFor[*dap.ScopesResponse](r, &dap.ScopesRequest{Request: command("scopes"), Arguments: dap.ScopesArguments{FrameId: frame}})
	if err != nil {
		return nil, err
	}
	list := []dap.Scope{{Name: "Session", VariablesReference: sessionScope + frame}}
	for i, s := range reply.Body.Scopes {
		of := dap.Scope{Name: s.Name, VariablesReference: s.VariablesReference}
		if locals, err := r.variables(s.VariablesReference); err == nil && len(locals) > 0 {
			list = slices.Insert(list, i, of)
		} else {
			list = append(list, of)
		}
	}
	if r.kernelThread(frame) != nil {
		list = slices.Insert(list, 1, dap.Scope{Name: "Thread", VariablesReference: threadScope + frame})
	}
	return list, nil
}

// variables returns the variables of a scope, or the components of one.
func (r *run) variables(reference int) ([]dap.Variable, error) {
	if reference >= sessionScope {
		return r.sessionVariables(reference - sessionScope), nil
	}
	if reference >= threadScope {
		return r.kernelThread(reference - threadScope), nil
	}
	reply, err := askFor[*dap.VariablesResponse](r, &dap.VariablesRequest{
		Request: command("variables"), Arguments: dap.VariablesArguments{VariablesReference: reference},
	})
	if err != nil {
		return nil, err
	}
	list := []dap.Variable{}
	for _, v := range reply.Body.Variables {
		if strings.HasPrefix(v.Name, "~") || strings.HasPrefix(v.Name, funcname.Prefix+funcname.Prefix) {
			continue // made by the compiler, or by the session
		}
		list = append(list, asUser(v))
	}
	return list, nil
}

// asUser returns a variable with names as the user wrote them. It keeps only the fields that front ends show.
func asUser(v dap.Variable) dap.Variable {
	return dap.Variable{
		Name: userText(v.Name), Type: userText(v.Type), Value: userText(v.Value), EvaluateName: userText(v.EvaluateName),
		VariablesReference: v.VariablesReference,
	}
}

func (r *run) sessionVariables(frame int) []dap.Variable {
	list := []dap.Variable{}
	for _, s := range r.cell.Variables[:min(len(r.cell.Variables), maxVariables)] {
		v, err := r.value(delveName(s), frame)
		if err != nil {
			continue // nothing uses it, so the linker omitted it
		}
		v.Name, v.EvaluateName = s.Name, s.Name
		list = append(list, v)
	}
	return list
}

// value returns the value of an expression, by delve.
func (r *run) value(expression string, frame int) (dap.Variable, error) {
	reply, err := askFor[*dap.EvaluateResponse](r, &dap.EvaluateRequest{
		Request: command("evaluate"), Arguments: dap.EvaluateArguments{Expression: expression, FrameId: frame, Context: "watch"},
	})
	if err != nil {
		return dap.Variable{}, err
	}
	return asUser(dap.Variable{Type: reply.Body.Type, Value: reply.Body.Result, VariablesReference: reply.Body.VariablesReference}), nil
}

// evaluate returns the value of an expression in a frame. It calls no functions.
func (r *run) evaluate(expression string, frame int) (any, error) {
	locals := r.locals(frame)
	var first error
	for _, members := range []bool{false, true} {
		text, err := delveText(expression, locals, r.cell.Variables, members)
		if err != nil {
			return nil, fmt.Errorf("read the expression: %w", err)
		}
		v, err := r.value(text, frame)
		if err == nil {
			return dap.EvaluateResponseBody{Result: v.Value, Type: v.Type, VariablesReference: v.VariablesReference}, nil
		}
		if first == nil {
			first = fmt.Errorf("%s", userText(err.Error()))
		}
	}
	return nil, first
}

// locals returns the names of a frame's variables.
func (r *run) locals(frame int) map[string]bool {
	names := map[string]bool{}
	scopes, err := r.scopes(frame)
	if err != nil {
		return names
	}
	for _, s := range scopes {
		if s.VariablesReference < threadScope {
			list, _ := r.variables(s.VariablesReference)
			for _, v := range list {
				names[v.Name] = true
			}
		}
	}
	return names
}
