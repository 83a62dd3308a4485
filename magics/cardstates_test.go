package magics

import (
	"encoding/json"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestCardStates adds the states of cards to the session's answer, and leaves other messages as they are.
func TestCardStates(t *testing.T) {
	all := newCards()
	card := &card{all: all}
	for _, role := range []string{"page", "Next"} {
		w := &cardWidget{card: card, role: role, comm: &kernel.Comm{}, state: map[string]any{"_model_name": role + "Model", "_model_module": "m", "_model_module_version": "2.0.0", "value": "<p>"}}
		all.open[role] = w // a comm without a kernel has no ID
	}
	for _, other := range []string{`{"method": "echo_update", "states": {}}`, `{"method": "update_states"}`, `[]`, ``} {
		if got := all.merge([]byte(other)); string(got) != other {
			t.Errorf("%s becomes %s", other, got)
		}
	}
	got := all.merge([]byte(`{"method": "update_states", "states": {"a": {"model_name": "IntSliderModel", "state": {"value": 9007199254740993}}}, "buffer_paths": [["a", "state"]]}`))
	var m struct {
		Method string
		States map[string]struct {
			ModelName string          `json:"model_name"`
			State     json.RawMessage `json:"state"`
		}
		BufferPaths json.RawMessage `json:"buffer_paths"`
	}
	if err := json.Unmarshal(got, &m); err != nil {
		t.Fatal(err)
	}
	if m.Method != "update_states" || string(m.BufferPaths) != `[["a","state"]]` || string(m.States["a"].State) != `{"value":9007199254740993}` {
		t.Errorf("the session's states become %s", got)
	}
	if len(m.States) != 2 || m.States[""].ModelName != "pageModel" && m.States[""].ModelName != "NextModel" {
		t.Errorf("with cards the states are %s", got)
	}
	for _, w := range all.open {
		w.Closed(t.Context(), kernel.CommMessage{})
	}
}
