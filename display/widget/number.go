package widget

import (
	"cmp"
	"fmt"
	"math"
)

// within limits a number to a widget's range.
func within[T int | float64](w *Widget, v T) (T, error) {
	f := float64(v)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return v, fmt.Errorf("%v is not a number that can be shown", v)
	}
	if low, err := number(w.get("min")); err == nil && f < low {
		v = T(low)
	}
	if high, err := number(w.get("max")); err == nil && f > high {
		v = T(high)
	}
	return v, nil
}

// between limits both ends of a range, which must be in order.
func between[T int | float64](w *Widget, v [2]T) ([2]T, error) {
	if v[0] > v[1] {
		return v, fmt.Errorf("the range %v begins after its end", v)
	}
	for i := range v {
		var err error
		if v[i], err = within(w, v[i]); err != nil {
			return v, err
		}
	}
	return v, nil
}

func bounds[T cmp.Ordered](low, high T) traits { return traits{"min": low, "max": high} }

// checked returns a fit that first checks the bounds that a widget was made with.
func checked[T int | float64, V any](low, high T, fit func(*Widget, V) (V, error)) func(*Widget, V) (V, error) {
	return func(w *Widget, v V) (V, error) {
		if !(low <= high) {
			return v, fmt.Errorf("its range begins at %v and ends at %v", low, high)
		}
		return fit(w, v)
	}
}

func ints(low, high int) codec[int] {
	return codec[int]{func(v int) any { return v }, whole, checked(low, high, within[int])}
}

func floats(low, high float64) codec[float64] {
	return codec[float64]{func(v float64) any { return v }, number, checked(low, high, within[float64])}
}

// NewIntSlider returns a slider for the whole numbers from low to high.
func NewIntSlider(low, high, value int, options ...Option) *Control[int] {
	return newControl(intSlider, "value", value, ints(low, high), bounds(low, high), options)
}

// NewFloatSlider returns a slider for the numbers from low to high. Without Step it has 100 steps.
func NewFloatSlider(low, high, value float64, options ...Option) *Control[float64] {
	return newControl(floatSlider, "value", value, floats(low, high), join(bounds(low, high), step(low, high)), options)
}

func step(low, high float64) traits {
	if d := (high - low) / 100; d > 0 && !math.IsInf(d, 0) {
		return traits{"step": d}
	}
	return nil
}

// NewFloatLogSlider returns a slider for the numbers from 10 to the power of low to 10 to the power of high, with equal distances between powers.
func NewFloatLogSlider(low, high, value float64, options ...Option) *Control[float64] {
	c := floats(low, high)
	c.fit = checked(low, high, func(_ *Widget, v float64) (float64, error) {
		if !(v > 0) || math.IsInf(v, 0) {
			return v, fmt.Errorf("%v has no logarithm", v)
		}
		return min(max(v, math.Pow(10, low)), math.Pow(10, high)), nil
	})
	return newControl(floatLogSlider, "value", value, c, bounds(low, high), options)
}

// NewIntRangeSlider returns a slider with two handles, for a range within low to high.
func NewIntRangeSlider(low, high int, value [2]int, options ...Option) *Control[[2]int] {
	return newControl(intRangeSlider, "value", value, codec[[2]int]{pairOf[int], pair(whole), checked(low, high, between[int])}, bounds(low, high), options)
}

// NewFloatRangeSlider returns a slider with two handles, for a range within low to high. Without Step it has 100 steps.
func NewFloatRangeSlider(low, high float64, value [2]float64, options ...Option) *Control[[2]float64] {
	c := codec[[2]float64]{pairOf[float64], pair(number), checked(low, high, between[float64])}
	return newControl(floatRangeSlider, "value", value, c, join(bounds(low, high), step(low, high)), options)
}

func pairOf[T any](v [2]T) any { return []any{v[0], v[1]} }

// NewIntText returns a field for a whole number.
func NewIntText(value int, options ...Option) *Control[int] {
	return newControl(intText, "value", value, codec[int]{func(v int) any { return v }, whole, within[int]}, nil, options)
}

// NewBoundedIntText returns a field for the whole numbers from low to high.
func NewBoundedIntText(low, high, value int, options ...Option) *Control[int] {
	return newControl(boundedIntText, "value", value, ints(low, high), bounds(low, high), options)
}

// NewFloatText returns a field for a number.
func NewFloatText(value float64, options ...Option) *Control[float64] {
	return newControl(floatText, "value", value, codec[float64]{func(v float64) any { return v }, number, within[float64]}, nil, options)
}

// NewBoundedFloatText returns a field for the numbers from low to high.
func NewBoundedFloatText(low, high, value float64, options ...Option) *Control[float64] {
	return newControl(boundedFloatText, "value", value, floats(low, high), bounds(low, high), options)
}

// NewIntProgress returns a bar that is full at high and empty at low. Only Set changes it.
func NewIntProgress(low, high, value int, options ...Option) *Control[int] {
	return newControl(intProgress, "value", value, ints(low, high), bounds(low, high), options)
}

// NewFloatProgress returns a bar that is full at high and empty at low. Only Set changes it.
func NewFloatProgress(low, high, value float64, options ...Option) *Control[float64] {
	return newControl(floatProgress, "value", value, floats(low, high), bounds(low, high), options)
}

// NewPlay returns buttons that count from low to high, a step each 100 ms or what Trait("interval", …) says. Link shows it by a slider.
func NewPlay(low, high, value int, options ...Option) *Control[int] {
	return newControl(play, "value", value, ints(low, high), bounds(low, high), options)
}
