package debugger

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	// maxFrames and maxVariables bound what is asked of delve for one answer.
	maxFrames    = 50
	maxVariables = 200
	// sessionScope is added to the number of a frame for the reference of the session's
	// variables, as they are seen there. Delve's references are smaller.
	sessionScope = 1 << 30
)

// frame is a call on the stack of a goroutine.
type frame struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Source struct {
		Name string `json:"name"`
		Path string `json:"path"`
	} `json:"source"`
}

// variable is one in a scope, or a part of one.
type variable struct {
	Name         string `json:"name"`
	Type         string `json:"type"`
	Value        string `json:"value"`
	EvaluateName string `json:"evaluateName,omitempty"`
	Reference    int    `json:"variablesReference"`
}

// request answers what is asked while the run is stopped.
func (r *run) request(_ context.Context, command string, q arguments) (object, error) {
	switch command {
	case "continue", "next", "stepIn", "stepOut":
		return object{"allThreadsContinued": true}, r.resume(command, r.thread())
	case "threads":
		thread := r.thread()
		return object{"threads": []object{{"id": thread, "name": fmt.Sprintf("goroutine %d", thread)}}}, nil
	case "stackTrace":
		frames, err := r.stack()
		return object{"stackFrames": frames, "totalFrames": len(frames)}, err
	case "scopes":
		scopes, err := r.scopes(q.Frame)
		return object{"scopes": scopes}, err
	case "variables":
		list, err := r.variables(q.Reference)
		return object{"variables": list}, err
	case "evaluate":
		return r.evaluate(q.Expression, q.Frame)
	}
	return nil, fmt.Errorf("%s: this kernel's debugger can't do that", command)
}

// frames asks delve for the stack of a goroutine.
func (r *run) frames(thread int) ([]frame, error) {
	var reply struct{ StackFrames []frame }
	err := r.ask("stackTrace", object{"threadId": thread, "levels": maxFrames}, &reply)
	return reply.StackFrames, err
}

// stack is the stack of the stopped goroutine as the user knows it.
func (r *run) stack() ([]frame, error) {
	all, err := r.frames(r.thread())
	if err != nil {
		return nil, err
	}
	d := r.debugger
	shown := []frame{}
	for _, f := range all {
		if r.own(f) {
			continue
		}
		f.Name = funcName(f.Name, f.Source.Name)
		d.mu.Lock()
		path, isCell := d.paths[f.Source.Path]
		d.mu.Unlock()
		if isCell {
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

// named says whether a frame had this source.
func (r *run) named(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files[path]
}

// scopes are the variables that a frame sees: its own, and the session's. Front ends show the
// first one, so the session's come first where a frame has none of its own.
func (r *run) scopes(id int) ([]object, error) {
	var reply struct {
		Scopes []struct {
			Name               string
			VariablesReference int
		}
	}
	if err := r.ask("scopes", object{"frameId": id}, &reply); err != nil {
		return nil, err
	}
	list := []object{{"name": "Session", "variablesReference": sessionScope + id, "expensive": false}}
	for i, s := range reply.Scopes {
		of := object{"name": s.Name, "variablesReference": s.VariablesReference, "expensive": false}
		if locals, err := r.variables(s.VariablesReference); err == nil && len(locals) > 0 {
			list = slices.Insert(list, i, of)
		} else {
			list = append(list, of)
		}
	}
	return list, nil
}

// variables are those of a scope, or the parts of one.
func (r *run) variables(reference int) ([]variable, error) {
	if reference >= sessionScope {
		return r.sessionVariables(reference - sessionScope), nil
	}
	var reply struct{ Variables []variable }
	if err := r.ask("variables", object{"variablesReference": reference}, &reply); err != nil {
		return nil, err
	}
	list := []variable{}
	for _, v := range reply.Variables {
		if strings.HasPrefix(v.Name, "~") || strings.HasPrefix(v.Name, prefix+prefix) {
			continue // made by the compiler, or by the session
		}
		list = append(list, v.asUser())
	}
	return list, nil
}

func (v variable) asUser() variable {
	v.Name, v.Type, v.Value, v.EvaluateName = userText(v.Name), userText(v.Type), userText(v.Value), userText(v.EvaluateName)
	return v
}

func (r *run) sessionVariables(frame int) []variable {
	list := []variable{}
	for _, s := range r.cell.Variables[:min(len(r.cell.Variables), maxVariables)] {
		v, err := r.value(delveName(s), frame)
		if err != nil {
			continue // nothing uses it, so the linker left it out
		}
		v.Name, v.EvaluateName = s.Name, s.Name
		list = append(list, v)
	}
	return list
}

// value asks delve for an expression's value.
func (r *run) value(expression string, frame int) (variable, error) {
	q := object{"expression": expression, "context": "watch"}
	if frame != 0 {
		q["frameId"] = frame
	}
	var reply struct {
		Result             string
		Type               string
		VariablesReference int
	}
	if err := r.ask("evaluate", q, &reply); err != nil {
		return variable{}, err
	}
	return variable{Type: reply.Type, Value: reply.Result, Reference: reply.VariablesReference}.asUser(), nil
}

// evaluate gives the value of an expression in a frame. It calls no functions.
func (r *run) evaluate(expression string, frame int) (object, error) {
	locals := r.locals(frame)
	var first error
	for _, members := range []bool{false, true} {
		text, err := delveText(expression, locals, r.cell.Variables, members)
		if err != nil {
			return nil, fmt.Errorf("read the expression: %w", err)
		}
		v, err := r.value(text, frame)
		if err == nil {
			return object{"result": v.Value, "type": v.Type, "variablesReference": v.Reference}, nil
		}
		if first == nil {
			first = fmt.Errorf("%s", userText(err.Error()))
		}
	}
	return nil, first
}

// locals are the names of a frame's variables.
func (r *run) locals(frame int) map[string]bool {
	names := map[string]bool{}
	scopes, err := r.scopes(frame)
	if err != nil {
		return names
	}
	for _, s := range scopes {
		if reference := s["variablesReference"].(int); reference < sessionScope {
			list, _ := r.variables(reference)
			for _, v := range list {
				names[v.Name] = true
			}
		}
	}
	return names
}
