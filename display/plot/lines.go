package plot

import (
	"fmt"
	"strings"
)

// A Series is a named sequence of points (x, y).
type Series struct {
	name    string
	x, y    []float64
	scatter bool
}

// Line returns a series whose points are joined by lines, in their order.
func Line[X, Y Number](name string, x []X, y []Y) Series {
	if len(x) != len(y) {
		fail("the line %q has %d numbers in x and %d in y", name, len(x), len(y))
	}
	return Series{name: name, x: floats(x), y: floats(y)}
}

// Points returns a series whose points are not joined.
func Points[X, Y Number](name string, x []X, y []Y) Series {
	s := Line(name, x, y)
	s.scatter = true
	return s
}

// maxDots is the largest number of points of a line that is drawn with dots.
const maxDots = 60

// Lines returns a chart of several series with common axes.
func Lines(title string, x, y Axis, series ...Series) *Chart {
	var xs, ys [][]float64
	var legend []legendEntry
	missing := 0
	for i, s := range series {
		xs, ys = append(xs, s.x), append(ys, s.y)
		if s.name != "" {
			legend = append(legend, legendEntry{palette[i%len(palette)], s.name})
		}
		for j := range s.x {
			if !x.drawable(s.x[j]) || !y.drawable(s.y[j]) {
				missing++
			}
		}
	}
	xlo, xhi := x.bounds(xs...)
	ylo, yhi := y.bounds(ys...)
	f := newFrame(title, x, y, xlo, xhi, ylo, yhi, legend, leftOut(missing))
	f.add(`<clipPath id="field"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath>`,
		at(f.left-4), at(f.top-4), at(f.right-f.left+8), at(f.bottom-f.top+8))
	f.add(`<g clip-path="url(#field)">`)
	for i, s := range series {
		f.series(s, x, y, palette[i%len(palette)])
	}
	f.add(`</g>`)
	return f.chart(joined(title, linesText(x, y, series), leftOut(missing)))
}

// series draws one line, which is interrupted where a number is missing.
func (f *frame) series(s Series, x, y Axis, colour string) {
	var run strings.Builder
	points := 0
	finish := func() {
		if points > 1 && !s.scatter {
			f.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round"/>`, strings.TrimSpace(run.String()), colour)
		}
		run.Reset()
		points = 0
	}
	for i := range s.x {
		if !x.drawable(s.x[i]) || !y.drawable(s.y[i]) {
			finish()
			continue
		}
		px, py := at(f.x.at(s.x[i])), at(f.y.at(s.y[i]))
		fmt.Fprintf(&run, "%s,%s ", px, py)
		points++
		if s.scatter || len(s.x) <= maxDots {
			f.add(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, px, py, dotSize(s), colour)
		}
	}
	finish()
}

func dotSize(s Series) string {
	if s.scatter && len(s.x) > 300 {
		return "1.2"
	}
	return "3"
}
