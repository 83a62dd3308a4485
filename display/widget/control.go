package widget

import (
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// A Control is a widget with a value of type T.
type Control[T any] struct {
	*Widget
	trait     string // the property that holds the value
	value     T      // guarded by mu, as observers are
	encode    func(T) any
	decode    func(any) (T, error)
	fit       func(w *Widget, v T) (T, error) // limits a value, or refuses it
	observers []func(T)
}

// A codec converts values of a control.
type codec[T any] struct {
	encode func(T) any
	decode func(any) (T, error)
	fit    func(w *Widget, v T) (T, error) // nil takes all values
}

// newControl returns an open control whose trait has a value. A value that does not fit fails the cell.
func newControl[T any](m *model, trait string, v T, c codec[T], set traits, options []Option) *Control[T] {
	out := makeControl(m, trait, v, c, set, options)
	out.open()
	return out
}

// makeControl returns a control that the front end does not know.
func makeControl[T any](m *model, trait string, v T, c codec[T], set traits, options []Option) *Control[T] {
	out := &Control[T]{Widget: newWidget(m, set, options), trait: trait, encode: c.encode, decode: c.decode, fit: c.fit}
	if out.fit == nil {
		out.fit = func(_ *Widget, v T) (T, error) { return v, nil }
	}
	v, err := out.fit(out.Widget, v)
	if err != nil {
		panic(cell.Failure{Err: fmt.Errorf("make %s: %w", out.name(), err)})
	}
	out.value, out.state[trait] = v, out.encode(v)
	out.onUpdate = out.updated
	return out
}

// Value returns the value.
func (c *Control[T]) Value() T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value
}

// Set sets the value, which the front end then shows, and calls the functions that observe it if it has changed. A number outside the
// control's range becomes the nearest one in it. Set fails for a value that the control can't have, and if the widget is closed.
func (c *Control[T]) Set(v T) error {
	if c.isClosed() {
		return fmt.Errorf("set %s: %w", c.name(), ErrClosed)
	}
	v, err := c.fit(c.Widget, v)
	if err != nil {
		return fmt.Errorf("set %s: %w", c.name(), err)
	}
	c.take(v, true)
	return nil
}

// OnChange has f called after each change of the value, by the user or by Set, with the newest value: see the package's description.
func (c *Control[T]) OnChange(f func(v T)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.observers = append(c.observers, f)
}

// take makes v the value. show has it sent to the front end.
func (c *Control[T]) take(v T, show bool) {
	encoded := c.encode(v)
	c.mu.Lock()
	changed := !reflect.DeepEqual(c.value, v)
	c.value, c.state[c.trait] = v, encoded
	observers := slices.Clone(c.observers)
	c.mu.Unlock()
	if show {
		the.change(c.Widget, c.trait)
	}
	if changed && len(observers) > 0 {
		c.calls.call("OnChange", func() {
			for _, f := range observers {
				f(c.Value())
			}
		})
	}
}

// updated takes the value that the front end has set. One that the control can't have is replaced in the front end.
func (c *Control[T]) updated(names map[string]bool) {
	if !names[c.trait] {
		return
	}
	v, err := c.decode(c.get(c.trait))
	if err == nil {
		var fitted T
		if fitted, err = c.fit(c.Widget, v); err == nil {
			c.take(fitted, !reflect.DeepEqual(fitted, v))
			return
		}
	}
	fmt.Fprintf(os.Stderr, "widget: %s can't have the value that the front end has sent: %v\n", c.name(), err)
	c.take(c.Value(), true)
}

// plain is the codec of values that JSON has.
func plain[T any](decode func(any) (T, error)) codec[T] {
	return codec[T]{encode: func(v T) any { return v }, decode: decode}
}
