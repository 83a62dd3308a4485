package widget

import (
	"errors"
	"fmt"
	"slices"
)

// choices returns the codec and the traits of a choice among values, which the front end knows by index.
func choices[T comparable](values []T) (codec[T], traits) {
	values = slices.Clone(values)
	labels := make([]any, len(values))
	for i, v := range values {
		labels[i] = fmt.Sprint(v)
	}
	c := codec[T]{
		encode: func(v T) any { return slices.Index(values, v) },
		decode: func(v any) (T, error) { return chosen(values, v) },
		fit: func(_ *Widget, v T) (T, error) {
			if !slices.Contains(values, v) {
				return v, fmt.Errorf("%v is not among its values %v", v, values)
			}
			return v, nil
		},
	}
	return c, traits{"_options_labels": labels}
}

// chosen returns the value of an index.
func chosen[T any](values []T, index any) (v T, err error) {
	if index == nil {
		return v, errors.New("nothing is chosen")
	}
	i, err := whole(index)
	if err == nil && (i < 0 || i >= len(values)) {
		err = fmt.Errorf("index %d of %d values", i, len(values))
	}
	if err != nil {
		return v, err
	}
	return values[i], nil
}

// choose returns a control for one of values, of which the first is chosen.
func choose[T comparable](m *model, values []T, options []Option) *Control[T] {
	c, set := choices(values)
	var first T
	if len(values) > 0 {
		first = values[0]
	}
	return newControl(m, "index", first, c, set, options)
}

// NewDropdown returns a list that opens, for one of values. The first is chosen; Set chooses another. Values are shown as fmt.Print does.
func NewDropdown[T comparable](values []T, options ...Option) *Control[T] {
	return choose(dropdown, values, options)
}

// NewSelect returns a list for one of values.
func NewSelect[T comparable](values []T, options ...Option) *Control[T] {
	return choose(selectList, values, options)
}

// NewRadioButtons returns a button for each of values, one of which is chosen.
func NewRadioButtons[T comparable](values []T, options ...Option) *Control[T] {
	return choose(radioButtons, values, options)
}

// NewToggleButtons returns a row of buttons for values, one of which is pressed.
func NewToggleButtons[T comparable](values []T, options ...Option) *Control[T] {
	return choose(toggleButtons, values, options)
}

// NewSelectionSlider returns a slider for one of values.
func NewSelectionSlider[T comparable](values []T, options ...Option) *Control[T] {
	return choose(selectionSlider, values, options)
}

// NewSelectionRangeSlider returns a slider for a range of values, from the first to the last of both.
func NewSelectionRangeSlider[T comparable](values []T, options ...Option) *Control[[2]T] {
	one, set := choices(values)
	c := codec[[2]T]{
		encode: func(v [2]T) any { return []any{one.encode(v[0]), one.encode(v[1])} },
		decode: pair(one.decode),
		fit: func(w *Widget, v [2]T) ([2]T, error) {
			for _, end := range v {
				if _, err := one.fit(w, end); err != nil {
					return v, err
				}
			}
			if slices.Index(values, v[0]) > slices.Index(values, v[1]) {
				return v, fmt.Errorf("the range %v begins after its end", v)
			}
			return v, nil
		},
	}
	var ends [2]T
	if len(values) > 0 {
		ends = [2]T{values[0], values[0]}
	}
	return newControl(selectionRangeSlider, "index", ends, c, set, options)
}

// NewSelectMultiple returns a list for any number of values. None is chosen.
func NewSelectMultiple[T comparable](values []T, options ...Option) *Control[[]T] {
	one, set := choices(values)
	c := codec[[]T]{
		encode: func(v []T) any {
			indices := make([]any, len(v))
			for i, e := range v {
				indices[i] = one.encode(e)
			}
			return indices
		},
		decode: func(v any) ([]T, error) { return list(v, one.decode) },
		fit: func(w *Widget, v []T) ([]T, error) {
			for _, e := range v {
				if _, err := one.fit(w, e); err != nil {
					return v, err
				}
			}
			return v, nil
		},
	}
	return newControl(selectMultiple, "index", []T{}, c, set, options)
}
