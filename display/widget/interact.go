package widget

import (
	"errors"
	"fmt"
	"image"
	"reflect"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// An Interaction is a function with a control for each parameter, and its last result below them.
type Interaction struct {
	*Widget // the box with all of them

	function reflect.Value
	inputs   []input
	output   *Output
	picture  *Image
	results  *Box

	mu    sync.Mutex
	shown *Widget // the one of output and picture that is in results
}

// An input is a control, or a constant, for a parameter of Interact's function.
type input struct {
	Any
	kind  reflect.Type
	value func() reflect.Value
	watch func(f func())
}

// An Arg is a parameter of Interact's function: a control, or what Range and Values return.
type Arg interface {
	input() input
}

func (c *Control[T]) input() input {
	return input{
		Any: c, kind: reflect.TypeFor[T](),
		value: func() reflect.Value { return reflect.ValueOf(c.Value()) },
		watch: func(f func()) { c.OnChange(func(T) { f() }) },
	}
}

type arg struct{ make func() input }

func (a arg) input() input { return a.make() }

// Range is a slider with a name, whose value is first the middle of low and high.
func Range[T int | float64](name string, low, high T) Arg {
	return arg{func() input {
		switch low := any(low).(type) {
		case int:
			high, _ := any(high).(int)
			return NewIntSlider(low, high, low+(high-low)/2, Description(name)).input()
		case float64:
			high, _ := any(high).(float64)
			return NewFloatSlider(low, high, low+(high-low)/2, Description(name)).input()
		}
		return input{}
	}}
}

// Values is a list with a name, whose first value is chosen.
func Values[T comparable](name string, values ...T) Arg {
	return arg{func() input { return NewDropdown(values, Description(name)).input() }}
}

// Interact shows controls for the parameters of f, calls it, and calls it again whenever one of them changes. Its results are shown below: an
// image as an Image, anything else as the last expression of a cell is. An error that is its last result is shown instead of the others.
//
// Without args an int has a slider from 0 to 100, a float64 one from 0 to 1, a bool a box to tick and a string a field. Args, one for each
// parameter, are other controls:
//
//	widget.Interact(draw, widget.Range("size", 16, 512), widget.Values("mode", "fast", "exact"))
//
// The result is a widget, which as the last expression of a cell is shown. An f that does not fit fails the cell.
func Interact(f any, args ...Arg) *Interaction {
	i, err := newInteraction(f, args)
	if err != nil {
		panic(cell.Failure{Err: fmt.Errorf("interact: %w", err)})
	}
	i.call()
	for _, in := range i.inputs {
		in.watch(func() { i.calls.call("the function of Interact", i.call) })
	}
	return i
}

func newInteraction(f any, args []Arg) (*Interaction, error) {
	function := reflect.ValueOf(f)
	if function.Kind() != reflect.Func || function.IsNil() {
		return nil, fmt.Errorf("%T is not a function", f)
	}
	t := function.Type()
	if t.IsVariadic() {
		return nil, fmt.Errorf("%s takes any number of values: wrap it in a function that does not", t)
	}
	if len(args) > 0 && len(args) != t.NumIn() {
		return nil, fmt.Errorf("%s takes %d values and there are controls for %d", t, t.NumIn(), len(args))
	}
	if t.NumOut() == 0 {
		return nil, fmt.Errorf("%s has no result to show", t)
	}
	i := &Interaction{function: function}
	var children []Any
	for n := range t.NumIn() {
		in, err := inputFor(t.In(n), n, args)
		if err != nil {
			return nil, err
		}
		i.inputs = append(i.inputs, in)
		children = append(children, in.Any)
	}
	// A box would stretch the picture to its own width.
	i.output, i.picture = NewOutput(), NewImage(Layout("align_self", "flex-start"))
	i.results = NewVBox()
	i.Widget = NewVBox(append(children, i.results)...).Widget
	return i, nil
}

// inputFor returns the control of a parameter.
func inputFor(t reflect.Type, n int, args []Arg) (input, error) {
	if len(args) > 0 {
		in := args[n].input()
		if !in.kind.AssignableTo(t) {
			return in, fmt.Errorf("parameter %d is a %s, and its control has values of type %s", n+1, t, in.kind)
		}
		return in, nil
	}
	name := Description(fmt.Sprintf("%s %d", t, n+1))
	switch t {
	case reflect.TypeFor[int]():
		return NewIntSlider(0, 100, 10, name).input(), nil
	case reflect.TypeFor[float64]():
		return NewFloatSlider(0, 1, 0.5, name).input(), nil
	case reflect.TypeFor[bool]():
		return NewCheckbox(false, name).input(), nil
	case reflect.TypeFor[string]():
		return NewText("", name).input(), nil
	}
	return input{}, fmt.Errorf("parameter %d is a %s, for which there is no usual control: give controls for all parameters", n+1, t)
}

// call calls the function and shows its results.
func (i *Interaction) call() {
	values := make([]reflect.Value, len(i.inputs))
	for n, in := range i.inputs {
		values[n] = in.value()
	}
	var results []any
	for _, v := range i.function.Call(values) {
		results = append(results, v.Interface())
	}
	if err := i.show(results); err != nil && !errors.Is(err, ErrClosed) {
		panic(cell.Failure{Err: err})
	}
}

// show shows results of the function.
func (i *Interaction) show(results []any) error {
	if err := cell.LastError(results...); err != nil {
		if err := i.output.Show(); err != nil {
			return err
		}
		return errors.Join(i.output.Printf("%s\n", strings.TrimSpace(err.Error())), i.present(i.output.Widget))
	}
	if t := i.function.Type(); t.Out(t.NumOut()-1) == reflect.TypeFor[error]() {
		results = results[:len(results)-1]
	}
	if len(results) == 1 {
		if img, ok := results[0].(image.Image); ok {
			return errors.Join(i.picture.Show(img), i.present(i.picture.Widget))
		}
	}
	return errors.Join(i.output.Show(results...), i.present(i.output.Widget))
}

// present puts a widget below the controls.
func (i *Interaction) present(w *Widget) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.shown == w {
		return nil
	}
	i.shown = w
	return i.results.SetChildren(w)
}
