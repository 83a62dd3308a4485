package plot

import (
	"fmt"
	"math"
)

// A Chart is a finished drawing; what its numbers came from may change afterwards.
type Chart struct{ svg, text string }

// MIMEBundle gives the chart as SVG and as text.
func (c *Chart) MIMEBundle() map[string]any {
	return map[string]any{"image/svg+xml": c.svg, "text/plain": c.text}
}

// SVG is the drawing as a document, to be written into a file.
func (c *Chart) SVG() string { return c.svg }

// String is the chart as text.
func (c *Chart) String() string { return c.text }

// An Axis says how one direction of a chart is laid out.
type Axis struct {
	Label string
	// Log has each decade take the same room. Numbers must be above 0 then.
	Log bool
	// From and To are where the axis begins and ends. If both are 0, the numbers decide.
	From, To float64
}

// Number is what can be drawn. A time.Duration counts in nanoseconds.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// An Error is what is wrong with the arguments of a chart.
type Error struct{ Problem string }

func (e *Error) Error() string { return "plot: " + e.Problem }

func fail(format string, args ...any) { panic(&Error{fmt.Sprintf(format, args...)}) }

func floats[T Number](values []T) []float64 {
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = float64(v)
	}
	return list
}

// largest is the largest number that is drawn, so that the difference of two is a number too.
const largest = 1e300

// drawable reports whether a number has a place on the axis.
func (a Axis) drawable(v float64) bool {
	return math.Abs(v) <= largest && (!a.Log || v >= 1/largest)
}

// bounds are the least and the largest number that can be drawn; 0 and 1 if there is none.
func (a Axis) bounds(lists ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, v := range list {
			if a.drawable(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		if a.Log {
			return 1, 10
		}
		return 0, 1
	}
	return lo, hi
}

// leftOut is a line about numbers that are not drawn; empty if there are none.
func leftOut(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 number cannot be drawn and is left out"
	}
	return fmt.Sprintf("%d numbers cannot be drawn and are left out", n)
}
