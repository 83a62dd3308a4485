package widget

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// anywidget's model, which runs modules of JavaScript.
const anyModule, anyVersion = "anywidget", "~0.11.*"

// A Module is a widget that a module of JavaScript draws, as Python's package anywidget has them. The front end needs anywidget's extension.
type Module struct {
	*Widget
	changed  []func(name string, v any) // guarded by mu
	messages []func(content json.RawMessage, buffers [][]byte)
}

// NewModule returns a widget that esm, a module of JavaScript with a default export that has a function render({model, el}), draws, with the
// style sheet css, which may be empty. state are the properties that model.get and model.set of the module know, besides those of all
// widgets; a []byte is an ArrayBuffer there.
func NewModule(esm, css string, state map[string]any, options ...Option) *Module {
	for name := range state {
		if strings.HasPrefix(name, "_") || name == "layout" || name == "tabbable" || name == "tooltip" {
			panic(cell.Failure{Err: fmt.Errorf("make a widget of a module: the name %q is taken, choose another", name)})
		}
	}
	own := traits{"_esm": esm, "_anywidget_id": "gopherwarp.Module"}
	if css != "" {
		own["_css"] = css
	}
	m := &model{
		name: "AnyModel", view: "AnyView", module: anyModule, version: anyVersion, viewModule: anyModule, viewVer: anyVersion,
		traits: join(domTraits, state, own),
	}
	c := &Module{Widget: newWidget(m, nil, nil)}
	for name, v := range state { // put refuses what is not JSON
		options = slices.Insert(options, 0, Trait(name, v))
	}
	for _, o := range options {
		if err := o(c.Widget); err != nil {
			panic(cell.Failure{Err: fmt.Errorf("make a widget of a module: %w", err)})
		}
	}
	c.onUpdate, c.onCustom = c.updated, c.received
	c.open()
	return c
}

// Get returns a property, as JSON has it: numbers that the module has set are float64.
func (c *Module) Get(name string) any { return c.get(name) }

// OnChange has f called after the module has changed properties, for each of them.
func (c *Module) OnChange(f func(name string, v any)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed = append(c.changed, f)
}

// OnMessage has f called with what the module sends by model.send.
func (c *Module) OnMessage(f func(content json.RawMessage, buffers [][]byte)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages = append(c.messages, f)
}

// Send sends a message to the module, which gets it by model.on("msg:custom", …). It fails if content is not JSON or the widget is closed.
func (c *Module) Send(content any, buffers ...[]byte) error {
	if c.isClosed() {
		return fmt.Errorf("send a message to a module: %w", ErrClosed)
	}
	the.flush()
	err := the.send(message(cell.CommData, c.id, map[string]any{"method": "custom", "content": content}, buffers, nil))
	if err != nil {
		return fmt.Errorf("send a message to a module: %w", err)
	}
	return nil
}

func (c *Module) updated(names map[string]bool) {
	c.mu.Lock()
	changed := slices.Clone(c.changed)
	c.mu.Unlock()
	if len(changed) == 0 {
		return
	}
	c.calls.call("OnChange", func() {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			for _, f := range changed {
				f(name, c.get(name))
			}
		}
	})
}

func (c *Module) received(content json.RawMessage, buffers [][]byte) {
	c.mu.Lock()
	messages := slices.Clone(c.messages)
	c.mu.Unlock()
	if len(messages) > 0 {
		c.calls.call("OnMessage", func() {
			for _, f := range messages {
				f(content, buffers)
			}
		})
	}
}
