package widget

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// reference returns the text by which one widget's traits refer to another widget.
func reference(w *Widget) string { return "IPY_MODEL_" + w.id }

// A packer takes what JSON cannot hold out of values: byte slices become buffers, and widgets references.
type packer struct {
	paths   [][]any
	buffers [][]byte
}

// pack returns a value without its buffers. drop reports whether it is itself one.
func (p *packer) pack(v any, path []any) (packed any, drop bool) {
	switch v := v.(type) {
	case []byte:
		p.paths = append(p.paths, append([]any(nil), path...))
		p.buffers = append(p.buffers, v)
		return nil, true
	case *Widget:
		return reference(v), false
	case map[string]any:
		all := make(map[string]any, len(v))
		for name, e := range v {
			if packed, drop := p.pack(e, append(path, name)); !drop {
				all[name] = packed
			}
		}
		return all, false
	case []any:
		all := make([]any, len(v))
		for i, e := range v {
			all[i], _ = p.pack(e, append(path, i))
		}
		return all, false
	}
	return v, false
}

// packed returns the fields of a message with traits, and its buffers.
func packed(name string, state traits) (fields map[string]any, buffers [][]byte) {
	var p packer
	content, _ := p.pack(state, nil)
	paths := p.paths
	if paths == nil {
		paths = [][]any{}
	}
	return map[string]any{name: content, "buffer_paths": paths}, p.buffers
}

// A received is the data of a front end's message.
type received struct {
	Method string          `json:"method"`
	State  traits          `json:"state"`
	Paths  [][]any         `json:"buffer_paths"`
	Text   json.RawMessage `json:"content"`
}

// decode decodes a message, and puts its buffers where they belong.
func decode(data []byte, buffers [][]byte) (*received, error) {
	var r received
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("read a message of the front end: %w", err)
	}
	if len(r.Paths) != len(buffers) {
		return nil, fmt.Errorf("read a message of the front end: it has %d buffers and %d positions for them", len(buffers), len(r.Paths))
	}
	for i, path := range r.Paths {
		if len(path) == 0 || !put(r.State, path, buffers[i]) {
			return nil, fmt.Errorf("read a message of the front end: there is no position %v for a buffer", path)
		}
	}
	return &r, nil
}

// put sets the value at a path in nested objects and lists. It returns false if there is no such path.
func put(in any, path []any, v []byte) bool {
	last := len(path) == 1
	switch in := in.(type) {
	case map[string]any:
		key, ok := path[0].(string)
		if ok && last && in != nil {
			in[key] = v
			return true
		}
		return ok && !last && put(in[key], path[1:], v)
	case []any:
		n, ok := path[0].(float64)
		i := int(n)
		if !ok || i < 0 || i >= len(in) {
			return false
		}
		if last {
			in[i] = v
			return true
		}
		return put(in[i], path[1:], v)
	}
	return false
}

// number returns a number of JSON, or of Go.
func number(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	}
	return 0, fmt.Errorf("%s is not a number", shown(v))
}

// whole returns a number of JSON, or of Go, without a fraction.
func whole(v any) (int, error) {
	f, err := number(v)
	if err == nil && f != float64(int(f)) {
		err = fmt.Errorf("%v is not a whole number", f)
	}
	return int(f), err
}

// shown returns a short text of a value.
func shown(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("a value of type %T", v)
	}
	const limit = 60
	if len(data) > limit {
		return string(data[:limit]) + "…"
	}
	return string(data)
}

func text(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	return "", fmt.Errorf("%s is not a text", shown(v))
}

func truth(v any) (bool, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("%s is neither true nor false", shown(v))
}

// list returns the elements of a list.
func list[T any](v any, element func(any) (T, error)) ([]T, error) {
	all, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s is not a list", shown(v))
	}
	out := make([]T, len(all))
	for i, e := range all {
		var err error
		if out[i], err = element(e); err != nil {
			return nil, fmt.Errorf("element %s: %w", strconv.Itoa(i), err)
		}
	}
	return out, nil
}

// pair returns the elements of a list of two.
func pair[T any](element func(any) (T, error)) func(any) ([2]T, error) {
	return func(v any) (out [2]T, err error) {
		all, err := list(v, element)
		if err == nil && len(all) != 2 {
			err = errors.New(shown(v) + " does not have two elements")
		}
		if err == nil {
			out = [2]T(all)
		}
		return out, err
	}
}
