package plot

import (
	"fmt"
	"math"
)

// A Chart is a finished drawing; later changes of the data do not affect it.
type Chart struct {
	svg, text, title string
	width, height    float64
	static           bool // not drawn by this package
}

// MIMEBundle returns the chart as a part of a page, in the colours of the page, with values under the pointer and zoom, as SVG and as text.
func (c *Chart) MIMEBundle() map[string]any {
	mime := map[string]any{"image/svg+xml": c.svg, "text/plain": c.text}
	if !c.static {
		mime["text/html"] = c.page()
	}
	return mime
}

// SVG returns the drawing as a document, to be written into a file.
func (c *Chart) SVG() string { return c.svg }

// String returns the chart as text.
func (c *Chart) String() string { return c.text }

// An Axis describes one direction of a chart.
type Axis struct {
	Label string
	// Log makes the axis logarithmic. Numbers must be above 0 then.
	Log bool
	// From and To are the limits of the axis. If both are 0, they are chosen from the numbers.
	From, To float64
}

// Number is a constraint that permits the types of values that can be drawn. A time.Duration counts in nanoseconds.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// An Error describes invalid arguments of a chart.
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

// drawable reports whether a number has a position on the axis.
func (a Axis) drawable(v float64) bool {
	return math.Abs(v) <= largest && (!a.Log || v >= 1/largest)
}

// bounds returns the minimum and the maximum of the numbers that can be drawn; 0 and 1 if there are none.
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

// leftOut returns a line about numbers that are not drawn; empty if there are none.
func leftOut(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 number cannot be drawn and is left out"
	}
	return fmt.Sprintf("%d numbers cannot be drawn and are left out", n)
}
