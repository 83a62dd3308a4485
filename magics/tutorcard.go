package magics

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/tutor"
)

// A card shows pages of the tutor as widgets: the page as HTML, and buttons below it that answer. It speaks the protocol of Jupyter's
// widgets itself, since those of package widget live in the session process, whose Go an answer does not concern.
type card struct {
	host  kernel.CommHost
	tutor Tutor
	all   *cards

	mu      sync.Mutex
	widgets map[string]*cardWidget // by their role, which is the text of a button
	item    string                 // the question, if it is open
	chosen  []string               // letters, of a question with several right answers
	many    bool
	text    string // in the field
	busy    bool   // while an answer is graded
}

// A cardWidget is a widget of the front end.
type cardWidget struct {
	card *card
	role string
	comm *kernel.Comm

	mu    sync.Mutex
	state map[string]any
}

const (
	controlsModule = "@jupyter-widgets/controls"
	baseModule     = "@jupyter-widgets/base"
	widgetTarget   = "jupyter.widget"
)

// openCard opens the widgets of a card and returns the ID of the outermost.
func (all *cards) openCard(host kernel.CommHost, t Tutor, page *tutor.Page) (id string, err error) {
	c := &card{host: host, tutor: t, all: all, widgets: map[string]*cardWidget{}}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.show(page); err != nil {
		return "", err
	}
	return c.widgets["all"].comm.ID(), nil
}

// widget returns the widget of a role, which it opens if there is none, with a state.
func (c *card) widget(role, model, module string, state map[string]any) (*cardWidget, error) {
	if w := c.widgets[role]; w != nil {
		return w, w.update(state)
	}
	full := map[string]any{
		"_model_name": model + "Model", "_model_module": module, "_model_module_version": "2.0.0",
		"_view_name": model + "View", "_view_module": module, "_view_module_version": "2.0.0",
	}
	if model == "Button" {
		style, err := c.widget("style", "ButtonStyle", controlsModule, map[string]any{"_view_name": "StyleView", "_view_module": baseModule})
		if err != nil {
			return nil, err
		}
		full["style"] = style.reference()
	}
	if module == controlsModule && role != "style" {
		layout, err := c.widget("layout", "Layout", baseModule, nil)
		if err != nil {
			return nil, err
		}
		full["layout"] = layout.reference()
	}
	maps.Copy(full, state)
	data, err := json.Marshal(map[string]any{"state": full, "buffer_paths": []any{}})
	if err != nil {
		return nil, err
	}
	w := &cardWidget{card: c, role: role, state: full}
	w.comm, err = c.host.OpenComm("", widgetTarget, kernel.CommMessage{Data: data, Metadata: json.RawMessage(`{"version": "2.1.0"}`)}, w)
	if err != nil {
		return nil, err
	}
	c.widgets[role] = w
	c.all.add(w)
	return w, nil
}

func (w *cardWidget) reference() string { return "IPY_MODEL_" + w.comm.ID() }

// copy returns the state.
func (w *cardWidget) copy() map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.state)
}

// update changes the state in the front end.
func (w *cardWidget) update(state map[string]any) error {
	if len(state) == 0 {
		return nil
	}
	w.mu.Lock()
	maps.Copy(w.state, state)
	w.mu.Unlock()
	data, err := json.Marshal(map[string]any{"method": "update", "state": state, "buffer_paths": []any{}})
	if err != nil {
		return err
	}
	return w.comm.Send(kernel.CommMessage{Data: data})
}

// show shows a page with the buttons that fit it. The caller holds c.mu.
func (c *card) show(page *tutor.Page) error {
	c.item, c.many, c.chosen, c.text = page.Item, page.Many, nil, ""
	body, err := c.widget("page", "HTML", controlsModule, map[string]any{"value": page.Card(), "description": ""})
	if err != nil {
		return err
	}
	var row []string
	add := func(role, model string, state map[string]any) {
		w, wrong := c.widget(role, model, controlsModule, state)
		if wrong != nil {
			err = wrong
			return
		}
		row = append(row, w.reference())
	}
	button := func(role string) {
		add(role, "Button", map[string]any{"description": role, "button_style": "", "disabled": false})
	}
	for _, o := range page.Choices {
		button(o.Letter)
	}
	if page.Item != "" && len(page.Choices) == 0 && page.Typed {
		add(fieldRole, "Text", map[string]any{"value": "", "placeholder": "your answer", "description": "", "continuous_update": true})
	}
	if page.Many || page.Typed {
		button("Answer")
	}
	if page.Item != "" {
		if page.Hint {
			button("Hint")
		}
		button("Skip")
		button("Reveal")
	}
	if page.Next {
		button("Next")
		button("Why")
	}
	if err != nil {
		return err
	}
	buttons, err := c.widget("row", "HBox", controlsModule, map[string]any{"children": row, "box_style": ""})
	if err != nil {
		return err
	}
	_, err = c.widget("all", "VBox", controlsModule, map[string]any{"children": []string{body.reference(), buttons.reference()}, "box_style": ""})
	return err
}

// fieldRole is the role of the field for text.
const fieldRole = "field"

// Message implements kernel.CommListener.
func (w *cardWidget) Message(_ context.Context, m kernel.CommMessage) {
	var r struct {
		Method  string         `json:"method"`
		State   map[string]any `json:"state"`
		Content struct{ Event string }
	}
	if json.Unmarshal(m.Data, &r) != nil {
		return // of a front end that speaks another protocol
	}
	c := w.card
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Method == "request_state":
		_ = w.update(w.copy()) // fails if the comm was closed, and then nobody asks
	case r.Method == "update" && w.role == fieldRole:
		if text, ok := r.State["value"].(string); ok {
			c.text = text
			w.mu.Lock()
			w.state["value"] = text // for a page that is loaded again
			w.mu.Unlock()
		}
	case r.Method == "custom" && r.Content.Event == "click":
		c.click(w)
	}
}

// Closed implements kernel.CommListener.
func (w *cardWidget) Closed(context.Context, kernel.CommMessage) { w.card.all.remove(w) }

// click does what a button is for. The caller holds c.mu.
func (c *card) click(w *cardWidget) {
	if c.busy {
		return
	}
	letter := len(w.role) == 1
	r := tutor.Request{Command: strings.ToLower(w.role), Item: c.item}
	switch {
	case letter && c.many:
		c.choose(w)
		return
	case letter:
		r.Command, r.Args = "answer", w.role
	case w.role == "Answer" && c.many:
		r.Args = strings.Join(c.chosen, ",")
	case w.role == "Answer":
		r.Args = c.text
	case w.role == "Next" || w.role == "Why":
		r.Item = ""
	}
	c.busy = true
	// Grading may run code for a minute, and comms wait for their listener.
	go c.do(r)
}

// choose marks a choice, or takes the mark away.
func (c *card) choose(w *cardWidget) {
	style := "info"
	if at := slices.Index(c.chosen, w.role); at >= 0 {
		c.chosen, style = slices.Delete(c.chosen, at, at+1), ""
	} else {
		c.chosen = append(c.chosen, w.role)
	}
	_ = w.update(map[string]any{"button_style": style}) // fails if the card was closed
}

// do runs a command and shows its page.
func (c *card) do(r tutor.Request) {
	page, err := c.tutor.Do(context.Background(), r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
	if err != nil {
		// The buttons stay, since nothing has changed.
		message := (&tutor.Page{Parts: []tutor.Part{{Text: sentence(err)}}}).Card()
		body := c.widgets["page"]
		old, _ := body.copy()["value"].(string)
		if before, _, found := strings.Cut(old, errorMark); found {
			old = before
		}
		_ = body.update(map[string]any{"value": old + errorMark + message}) // fails if the card was closed
		return
	}
	if r.Command == "hint" {
		// The question stays above its hint.
		body := c.widgets["page"]
		old, _ := body.copy()["value"].(string)
		_ = body.update(map[string]any{"value": old + page.Card()}) // as above
		return
	}
	_ = c.show(page) // as above
}

// errorMark is between a page and an error, which the next one replaces.
const errorMark = "<!-- error -->"
