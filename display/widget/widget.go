package widget

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// An Any is any widget of this package.
type Any interface {
	base() *Widget
}

// A Widget is what all widgets have. Its methods may be called from any goroutine.
type Widget struct {
	id    string
	model *model
	calls calls

	mu       sync.Mutex
	state    traits
	closed   bool
	onUpdate func(names map[string]bool)                     // called after the front end has set traits
	onCustom func(content json.RawMessage, buffers [][]byte) // called for messages that are not about traits
}

// ErrClosed is the error of changing a widget that is closed.
var ErrClosed = errors.New("the widget is closed: make a new one")

// An Option sets a property of a widget when it is made.
type Option func(*Widget) error

// Trait sets any property that the front end's model of the widget has, such as "continuous_update". An unknown name fails the cell.
func Trait(name string, v any) Option {
	return func(w *Widget) error { return w.put(name, v) }
}

// Description sets the text beside a widget, or on a button.
func Description(text string) Option { return Trait("description", text) }

// Tooltip sets the text that is shown while the pointer is over a widget.
func Tooltip(text string) Option { return Trait("tooltip", text) }

// Placeholder sets the text that an empty field shows.
func Placeholder(text string) Option { return Trait("placeholder", text) }

// Step sets the distance between two values of a slider.
func Step(v float64) Option {
	return func(w *Widget) error {
		if !(v > 0) {
			return fmt.Errorf("the step of %s is %v: it must be positive", w.name(), v)
		}
		return w.put("step", v)
	}
}

// Disabled makes a widget that the user can't change.
func Disabled() Option { return Trait("disabled", true) }

// Vertical makes a slider or a bar that stands.
func Vertical() Option { return Trait("orientation", "vertical") }

// OnRelease makes a slider or field send its value when the user lets go of it, not at each move or letter.
func OnRelease() Option { return Trait("continuous_update", false) }

// Layout sets a property of CSS for a widget's box, such as "width" to "50%".
func Layout(name, v string) Option { return part("layout", name, v) }

// Style sets a property of a widget's looks, such as "handle_color" of a slider.
func Style(name, v string) Option { return part("style", name, v) }

func part(which, name, v string) Option {
	return func(w *Widget) error {
		p, _ := w.get(which).(*Widget)
		if p == nil {
			return fmt.Errorf("%s has no %s", w.name(), which)
		}
		return p.put(name, v)
	}
}

// newWidget returns a widget that the front end does not know. An option that does not fit fails the cell.
func newWidget(m *model, set traits, options []Option) *Widget {
	w := &Widget{id: strings.ToLower(rand.Text()), model: m, state: m.state()}
	w.calls.report = func(what string, v any, stack []uintptr) { report(w.String()+": "+what, v, stack) }
	if !m.core {
		w.state["layout"] = newWidget(layoutModel, nil, nil)
	}
	if m.style != nil {
		w.state["style"] = newWidget(m.style, nil, nil)
	}
	maps.Copy(w.state, set)
	for _, o := range options {
		if err := o(w); err != nil {
			panic(cell.Failure{Err: fmt.Errorf("make a widget: %w", err)})
		}
	}
	return w
}

// open makes a widget and the parts that only it has known to the front end.
func (w *Widget) open() {
	for _, name := range []string{"layout", "style"} {
		if p, _ := w.get(name).(*Widget); p != nil {
			p.open()
		}
	}
	if err := the.open(w); err != nil {
		panic(cell.Failure{Err: fmt.Errorf("make %s: %w", w.name(), err)})
	}
}

func (w *Widget) base() *Widget { return w }

// name returns the class of the widget.
func (w *Widget) name() string { return strings.TrimSuffix(w.model.name, "Model") }

// String returns the widget's class, description and value.
func (w *Widget) String() string {
	var parts []string
	if d, _ := w.get("description").(string); d != "" {
		parts = append(parts, fmt.Sprintf("%q", d))
	}
	switch v := w.get("value").(type) {
	case nil:
	case []byte:
		parts = append(parts, fmt.Sprintf("%d bytes", len(v)))
	default:
		parts = append(parts, shown(v))
	}
	if labels, ok := w.get("_options_labels").([]any); ok {
		if i, err := whole(w.get("index")); err == nil && i < len(labels) {
			parts = append(parts, shown(labels[i]))
		}
	}
	if children, ok := w.get("children").([]any); ok {
		for _, c := range children {
			parts = append(parts, fmt.Sprint(c))
		}
	}
	return w.name() + "(" + strings.Join(parts, ", ") + ")"
}

// MIMEBundle returns the widget as the front end draws it, and as text.
func (w *Widget) MIMEBundle() map[string]any {
	bundle := map[string]any{"text/plain": w.String()}
	if cell.CurrentHost() == nil {
		return bundle
	}
	the.flush() // before the front end draws it
	if w.isClosed() {
		bundle["text/plain"] = w.name() + " (closed)"
		return bundle
	}
	bundle["application/vnd.jupyter.widget-view+json"] = map[string]any{"version_major": 2, "version_minor": 0, "model_id": w.id}
	return bundle
}

// ID returns the widget's identifier in the front end and in notebooks.
func (w *Widget) ID() string { return w.id }

// SetTrait sets any property that the front end's model of the widget has, such as "description". It fails if the model has no such
// property, the value is not JSON, or the widget is closed. A control's value is set by its Set.
func (w *Widget) SetTrait(name string, v any) error {
	if w.isClosed() {
		return fmt.Errorf("set %s of %s: %w", name, w.name(), ErrClosed)
	}
	if err := w.put(name, v); err != nil {
		return err
	}
	the.change(w, name)
	return nil
}

// Close removes the widget from the front end, wherever it is shown. It fails if the widget is closed.
func (w *Widget) Close() error {
	if !w.end() {
		return fmt.Errorf("close %s: %w", w.name(), ErrClosed)
	}
	err := the.send(cell.CommMessage{Kind: cell.CommClose, ID: w.id})
	for _, name := range []string{"layout", "style"} {
		if p, _ := w.get(name).(*Widget); p != nil {
			err = errors.Join(err, p.Close())
		}
	}
	return err
}

// end makes the widget closed on this side. It reports whether it was open.
func (w *Widget) end() bool {
	w.mu.Lock()
	was := !w.closed
	w.closed = true
	w.mu.Unlock()
	the.forget(w)
	w.calls.interrupt()
	return was
}

func (w *Widget) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// get returns a trait, or nil.
func (w *Widget) get(name string) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state[name]
}

// put sets a trait on this side.
func (w *Widget) put(name string, v any) error {
	if _, known := w.model.traits[name]; !known {
		return fmt.Errorf("%s has no property %q: it has %s", w.name(), name, strings.Join(slices.Sorted(maps.Keys(w.model.traits)), ", "))
	}
	var p packer
	content, _ := p.pack(v, nil)
	if _, err := json.Marshal(content); err != nil {
		return fmt.Errorf("set %s of %s: %w", name, w.name(), err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state[name] = v
	return nil
}

// copy returns the named traits, or all if names is nil.
func (w *Widget) copy(names map[string]bool) traits {
	w.mu.Lock()
	defer w.mu.Unlock()
	if names == nil {
		return maps.Clone(w.state)
	}
	some := traits{}
	for name := range names {
		some[name] = w.state[name]
	}
	return some
}

// update takes traits that the front end has set, and repeats them to all front ends, as the protocol wants.
func (w *Widget) update(set traits, parent []byte) error {
	echo, names := traits{}, map[string]bool{}
	w.mu.Lock()
	for name, v := range set {
		if _, known := w.state[name]; !known {
			continue // a newer model may have more
		}
		if _, reference := w.state[name].(*Widget); reference {
			continue // the front end repeats references as texts
		}
		if name != "children" {
			w.state[name], names[name] = v, true
		}
		if !w.model.local[name] {
			echo[name] = v
		}
	}
	onUpdate := w.onUpdate
	w.mu.Unlock()
	err := the.message(w.id, "echo_update", echo, parent)
	if onUpdate != nil {
		onUpdate(names)
	}
	return err
}
