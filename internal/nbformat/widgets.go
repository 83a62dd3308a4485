package nbformat

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"sync"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// widgetState is the MIME type of the states of widgets in a notebook's metadata.
const widgetState = "application/vnd.jupyter.widget-state+json"

// widgets has the states of the widgets that cells have opened. Those that a program closes are kept out.
type widgets struct {
	mu   sync.Mutex
	open map[string]*widget // by the id of their comm
}

type widget struct {
	state   map[string]any
	buffers []buffer
}

// A buffer is a value that JSON does not have, at a path in the state.
type buffer struct {
	Path     []any  `json:"path"`
	Encoding string `json:"encoding"`
	Data     string `json:"data"`
}

// add adds a message on a comm.
func (w *widgets) add(m *kernel.Message) {
	switch m.Header.Type {
	case "comm_open", "comm_msg", "comm_close":
	default:
		return
	}
	var c struct {
		ID     string `json:"comm_id"`
		Target string `json:"target_name"`
		Data   struct {
			State map[string]any `json:"state"`
			Paths [][]any        `json:"buffer_paths"`
		} `json:"data"`
	}
	if json.Unmarshal(m.Content, &c) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case m.Header.Type == "comm_close":
		delete(w.open, c.ID)
	case m.Header.Type == "comm_open" && c.Target == "jupyter.widget":
		w.open[c.ID] = &widget{state: map[string]any{}}
	}
	if to := w.open[c.ID]; to != nil && len(c.Data.Paths) == len(m.Buffers) {
		to.update(c.Data.State, c.Data.Paths, m.Buffers)
	}
}

// update sets properties, and removes the buffers that were within them before.
func (w *widget) update(state map[string]any, paths [][]any, buffers [][]byte) {
	set := map[string]bool{}
	for name, v := range state {
		w.state[name], set[name] = v, true
	}
	for _, path := range paths {
		if len(path) > 0 {
			name, _ := path[0].(string)
			set[name] = true
		}
	}
	w.buffers = slices.DeleteFunc(w.buffers, func(b buffer) bool {
		name, _ := b.Path[0].(string)
		return set[name]
	})
	for i, path := range paths {
		if len(path) > 0 {
			w.buffers = append(w.buffers, buffer{path, "base64", base64.StdEncoding.EncodeToString(buffers[i])})
		}
	}
}

// store puts the states into a notebook's metadata, in place of those of an earlier run.
func (w *widgets) store(nb *Notebook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	states := map[string]any{}
	for id, one := range w.open {
		s := map[string]any{
			"model_name": one.state["_model_name"], "model_module": one.state["_model_module"],
			"model_module_version": one.state["_model_module_version"], "state": one.state,
		}
		if len(one.buffers) > 0 {
			s["buffers"] = one.buffers
		}
		states[id] = s
	}
	meta := nb.metadata()
	delete(meta, "widgets")
	if len(states) > 0 {
		meta["widgets"] = map[string]any{widgetState: map[string]any{"version_major": 2, "version_minor": 0, "state": states}}
	}
}
