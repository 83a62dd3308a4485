package magics

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// cards has the widgets of all cards, for front ends that are opened again.
type cards struct {
	mu   sync.Mutex
	open map[string]*cardWidget // by the IDs of their comms
}

func newCards() *cards { return &cards{open: map[string]*cardWidget{}} }

func (c *cards) add(w *cardWidget) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[w.comm.ID()] = w
}

func (c *cards) remove(w *cardWidget) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, w.comm.ID())
}

// states returns the states of the widgets as the protocol of widgets has them.
func (c *cards) states() map[string]any {
	c.mu.Lock()
	all := slices.Collect(maps.Values(c.open))
	c.mu.Unlock()
	states := map[string]any{}
	for _, w := range all {
		state := w.copy()
		states[w.comm.ID()] = map[string]any{
			"model_name": state["_model_name"], "model_module": state["_model_module"], "model_module_version": state["_model_module_version"], "state": state,
		}
	}
	return states
}

// merge adds the states to those of the session's widgets, in a message of the method update_states. Other messages it returns as they are.
func (c *cards) merge(data []byte) []byte {
	var m, states map[string]json.RawMessage // numbers keep all their digits
	if json.Unmarshal(data, &m) != nil || string(m["method"]) != `"update_states"` || json.Unmarshal(m["states"], &states) != nil || states == nil {
		return data
	}
	for id, state := range c.states() {
		text, err := json.Marshal(state)
		if err != nil {
			return data
		}
		states[id] = text
	}
	merged, err := json.Marshal(states)
	if err != nil {
		return data
	}
	m["states"] = merged
	if merged, err = json.Marshal(m); err != nil {
		return data
	}
	return merged
}

// cardStates answers on a control comm for all widgets, where there are only those of cards.
type cardStates struct {
	cards *cards
	comm  *kernel.Comm
}

// Message implements kernel.CommListener.
func (s cardStates) Message(_ context.Context, m kernel.CommMessage) {
	var r struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(m.Data, &r) != nil || r.Method != "request_states" {
		return
	}
	data := s.cards.merge([]byte(`{"method": "update_states", "states": {}, "buffer_paths": []}`))
	_ = s.comm.Send(kernel.CommMessage{Data: data, Parent: m.Parent}) // fails if the front end has closed it
}

// Closed implements kernel.CommListener.
func (cardStates) Closed(context.Context, kernel.CommMessage) {}
