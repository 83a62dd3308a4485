package magics

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

var _ kernel.Inspector = (*Engine)(nil)

// Variables returns the session's variables, or parts of one. While a cell runs, it returns the last known variables, without parts,
// since their memory is being changed.
func (e *Engine) Variables(ctx context.Context, of any) ([]kernel.Variable, error) {
	if q, ok := of.(prochost.PartsRequest); ok {
		return e.variableParts(ctx, q)
	}
	var variables []session.Declared
	reply, ok, err := e.session.TryCall(ctx, prochost.CallDescribe, func(all []session.Declared) ([]byte, error) {
		variables, _ = sorted(all)
		return json.Marshal(storage(variables))
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	if err != nil || !ok {
		return e.variables, err
	}
	var contents map[string]prochost.Content
	if err := json.Unmarshal(reply, &contents); err != nil {
		return nil, fmt.Errorf("read what variables hold: %w", err)
	}
	e.variables = nil
	for _, v := range variables {
		q := prochost.PartsRequest{Variable: v.Variable}
		e.variables = append(e.variables, variable(v.Name, v.Type, contents[v.Name], q))
	}
	return slices.Clone(e.variables), nil
}

func (e *Engine) variableParts(ctx context.Context, q prochost.PartsRequest) ([]kernel.Variable, error) {
	reply, ok, err := e.session.TryCall(ctx, prochost.CallParts, func([]session.Declared) ([]byte, error) { return json.Marshal(q) })
	if err != nil || !ok {
		return nil, err
	}
	var parts []prochost.Part
	if err := json.Unmarshal(reply, &parts); err != nil {
		return nil, fmt.Errorf("read what a variable holds: %w", err)
	}
	var list []kernel.Variable
	for i, p := range parts {
		inner := prochost.PartsRequest{Variable: q.Variable, Path: append(slices.Clone(q.Path), i)}
		list = append(list, variable(p.Name, p.Type, p.Content, inner))
	}
	return list, nil
}

func variable(name, typ string, in prochost.Content, parts prochost.PartsRequest) kernel.Variable {
	v := kernel.Variable{Name: name, Type: typ, Value: in.Text}
	if in.Device != "" {
		v.Value = fmt.Sprintf("%s, %s on %s", in.Text, render.Bytes(uint64(in.Bytes)), in.Device)
	}
	if in.Parts {
		v.Parts = parts
	}
	return v
}
