package plot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Series is a named sequence of points (x, y).
type Series struct {
	name    string
	x, y    []float64
	scatter bool
	area    bool // the space between the line and 0 is filled
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

// Area returns a series whose points are joined, with the space between them and 0 filled; on a logarithmic axis, the space below.
func Area[X, Y Number](name string, x []X, y []Y) Series {
	s := Line(name, x, y)
	s.area = true
	return s
}

// Scatter returns a chart of points that are not joined, whichever functions have made the series.
func Scatter(title string, x, y Axis, series ...Series) *Chart {
	series = slices.Clone(series)
	for i := range series {
		series[i].scatter, series[i].area = true, false
	}
	return Lines(title, x, y, series...)
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
	for _, s := range series {
		if s.area && !y.Log {
			ylo, yhi = min(ylo, 0), max(yhi, 0)
		}
	}
	f := newFrame(title, x, y, xlo, xhi, ylo, yhi, legend, leftOut(missing))
	end := f.open(dots)
	drawn := 0
	for i, s := range series {
		drawn += f.series(s, x, y, palette[i%len(palette)])
	}
	end()
	if drawn == 0 {
		f.nothing()
	}
	return f.chart(joined(title, linesText(x, y, series), leftOut(missing)))
}

// maxValues is the maximum number of points of a series whose numbers are in the drawing, for the script. Of others it computes them from
// the positions.
const maxValues = 5000

// values returns the attributes of a series for the script.
func (s Series) values(x, y Axis) string {
	if len(s.x) > maxValues {
		return ""
	}
	var xs, ys []string
	for i := range s.x {
		if x.drawable(s.x[i]) && y.drawable(s.y[i]) {
			xs, ys = append(xs, strconv.FormatFloat(s.x[i], 'g', 8, 64)), append(ys, strconv.FormatFloat(s.y[i], 'g', 8, 64))
		}
	}
	return fmt.Sprintf(` data-x="%s" data-y="%s"`, strings.Join(xs, " "), strings.Join(ys, " "))
}

// series draws one line, which is interrupted where a number is missing, and returns the number of its points.
func (f *frame) series(s Series, x, y Axis, colour string) (drawn int) {
	var run strings.Builder
	points := 0
	first, last := "", "" // positions on the x axis
	finish := func() {
		if points > 1 && s.area {
			base := f.bottom
			if !y.Log {
				base = f.y.at(0)
			}
			f.add(`<polygon points="%s,%s %s %s,%s" fill="%s" fill-opacity="0.3"/>`, first, at(base), strings.TrimSpace(run.String()), last, at(base), colour)
		}
		if points > 1 && !s.scatter {
			f.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round"/>`, strings.TrimSpace(run.String()), colour)
		}
		run.Reset()
		points = 0
	}
	f.add(`<g class="series"%s%s>`, f.attribute("data-name", s.name), s.values(x, y))
	for i := range s.x {
		if !x.drawable(s.x[i]) || !y.drawable(s.y[i]) {
			finish()
			continue
		}
		px, py := at(f.x.at(s.x[i])), at(f.y.at(s.y[i]))
		fmt.Fprintf(&run, "%s,%s ", px, py)
		if points++; points == 1 {
			first = px
		}
		last = px
		drawn++
		if s.scatter || len(s.x) <= maxDots {
			f.add(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`, px, py, dotSize(s), colour)
		}
	}
	finish()
	f.add(`</g>`)
	return drawn
}

func dotSize(s Series) string {
	if s.scatter && len(s.x) > 300 {
		return "1.2"
	}
	return "3"
}
