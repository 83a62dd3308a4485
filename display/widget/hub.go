package widget

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

const (
	widgetTarget = "jupyter.widget"

	// sendEvery is the shortest time between two updates of the front end: what is set in between is sent together, so that a loop that sets a
	// value many times does not fill queues.
	sendEvery = 15 * time.Millisecond
)

// A hub has the process's widgets and the messages about them. It is process-wide because a plugin can only reach its host through global
// variables.
type hub struct {
	mu      sync.Mutex
	widgets map[string]*Widget
	inbox   []cell.CommMessage
	reading bool
	changed map[*Widget]map[string]bool // traits that the front end does not have yet
	order   []*Widget                   // the same widgets, in the order of their first change
	timer   *time.Timer                 // not nil while a flush is due
	last    time.Time                   // of the last flush

	sending sync.Mutex // keeps messages in order; locked before mu
}

var the = hub{widgets: map[string]*Widget{}, changed: map[*Widget]map[string]bool{}}

func init() { cell.HandleComms(the.receive) }

// receive takes a message of the front end. Updates of the same traits of a widget that wait are replaced.
func (h *hub) receive(m cell.CommMessage) {
	switch m.Kind {
	case cell.CommCellEnd:
		h.flush()
		return
	case cell.CommInterrupt:
		for _, w := range h.all() {
			w.calls.interrupt()
		}
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inbox = append(h.inbox, m)
	if !h.reading {
		h.reading = true
		go h.read()
	}
}

// read handles messages until there are none.
func (h *hub) read() {
	for {
		h.mu.Lock()
		messages := h.inbox
		h.inbox = nil
		if len(messages) == 0 {
			h.reading = false
			h.mu.Unlock()
			return
		}
		h.mu.Unlock()
		for _, m := range newest(messages) {
			if err := h.handle(m); err != nil {
				fmt.Fprintf(os.Stderr, "widget: %v\n", err)
			}
		}
	}
}

// newest removes updates after which another one sets the same traits of the same widget.
func newest(messages []cell.CommMessage) []cell.CommMessage {
	last := map[string]map[string]bool{} // by comm, the traits that later updates set
	keep := make([]bool, len(messages))
	for i, m := range slices.Backward(messages) {
		r, err := decode(m.Data, m.Buffers)
		keep[i] = true
		if m.Kind != cell.CommData || err != nil || r.Method != "update" {
			delete(last, m.ID) // an update before it must be seen
			continue
		}
		if set := last[m.ID]; set != nil && !slices.ContainsFunc(slices.Collect(maps.Keys(r.State)), func(name string) bool { return !set[name] }) {
			keep[i] = false
			continue
		}
		if last[m.ID] == nil {
			last[m.ID] = map[string]bool{}
		}
		for name := range r.State {
			last[m.ID][name] = true
		}
	}
	var kept []cell.CommMessage
	for i, m := range messages {
		if keep[i] {
			kept = append(kept, m)
		}
	}
	return kept
}

func (h *hub) handle(m cell.CommMessage) error {
	switch m.Kind {
	case cell.CommOpen: // for requests about all widgets
		return nil
	case cell.CommClose:
		if w := h.find(m.ID); w != nil {
			w.end()
		}
		return nil
	}
	r, err := decode(m.Data, m.Buffers)
	if err != nil {
		return err
	}
	if r.Method == "request_states" {
		return h.answerAll(m)
	}
	w := h.find(m.ID)
	if w == nil {
		return nil // it was closed meanwhile
	}
	switch r.Method {
	case "update":
		return w.update(r.State, m.Parent)
	case "request_state":
		return h.message(m.ID, "update", w.copy(nil), m.Parent)
	case "custom":
		if w.onCustom != nil {
			w.onCustom(r.Text, m.Buffers)
		}
		return nil
	}
	return fmt.Errorf("the front end's method %q is not known", r.Method)
}

// answerAll sends the traits of all widgets on the control comm.
func (h *hub) answerAll(m cell.CommMessage) error {
	states := traits{}
	for _, w := range h.all() {
		states[w.id] = map[string]any{
			"model_name": w.model.name, "model_module": w.model.module, "model_module_version": w.model.version, "state": w.copy(nil),
		}
	}
	fields, buffers := packed("states", states)
	fields["method"] = "update_states"
	return h.send(message(cell.CommData, m.ID, fields, buffers, m.Parent))
}

func (h *hub) find(id string) *Widget {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.widgets[id]
}

func (h *hub) all() []*Widget {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.widgets))
}

// open makes a widget known, here and in the front end.
func (h *hub) open(w *Widget) error {
	h.flush() // other widgets' traits may have been set before
	fields, buffers := packed("state", w.copy(nil))
	m := message(cell.CommOpen, w.id, fields, buffers, nil)
	m.Target, m.Meta = widgetTarget, []byte(`{"version":"`+protocolVersion+`"}`)
	h.mu.Lock()
	h.widgets[w.id] = w
	h.mu.Unlock()
	err := h.send(m)
	if err != nil {
		h.forget(w)
	}
	return err
}

func (h *hub) forget(w *Widget) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.widgets, w.id)
	delete(h.changed, w)
	h.order = slices.DeleteFunc(h.order, func(o *Widget) bool { return o == w })
}

// change has the named traits sent to the front end, at once or soon.
func (h *hub) change(w *Widget, names ...string) {
	if cell.CurrentHost() == nil {
		return
	}
	h.mu.Lock()
	if h.widgets[w.id] == nil {
		h.mu.Unlock()
		return
	}
	if h.changed[w] == nil {
		h.changed[w] = map[string]bool{}
		h.order = append(h.order, w)
	}
	for _, name := range names {
		h.changed[w][name] = true
	}
	wait := sendEvery - time.Since(h.last)
	if wait > 0 && h.timer == nil {
		h.timer = time.AfterFunc(wait, h.flush)
	}
	h.mu.Unlock()
	if wait <= 0 {
		h.flush()
	}
}

// flush sends the traits that have changed.
func (h *hub) flush() {
	h.sending.Lock()
	defer h.sending.Unlock()
	h.mu.Lock()
	order, changed := h.order, h.changed
	h.order, h.changed, h.last = nil, map[*Widget]map[string]bool{}, time.Now()
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
	h.mu.Unlock()
	for _, w := range order {
		fields, buffers := packed("state", w.copy(changed[w]))
		fields["method"] = "update"
		if err := h.sendLocked(message(cell.CommData, w.id, fields, buffers, nil)); err != nil {
			fmt.Fprintf(os.Stderr, "widget: update of %s: %v\n", w, err)
		}
	}
}

// message sends a message of a method with traits.
func (h *hub) message(id, method string, state traits, parent []byte) error {
	fields, buffers := packed("state", state)
	fields["method"] = method
	return h.send(message(cell.CommData, id, fields, buffers, parent))
}

func message(kind cell.CommKind, id string, fields map[string]any, buffers [][]byte, parent []byte) cell.CommMessage {
	data, err := json.Marshal(fields)
	if err != nil {
		data = []byte(fmt.Sprintf("%q", err)) // not an object, which send refuses
	}
	return cell.CommMessage{Kind: kind, ID: id, Data: data, Buffers: buffers, Parent: parent}
}

func (h *hub) send(m cell.CommMessage) error {
	h.sending.Lock()
	defer h.sending.Unlock()
	return h.sendLocked(m)
}

func (h *hub) sendLocked(m cell.CommMessage) error {
	if len(m.Data) > 0 && m.Data[0] != '{' {
		return errors.New(string(m.Data))
	}
	if host := cell.CurrentHost(); host != nil {
		return host.Comm(m)
	}
	return nil
}
