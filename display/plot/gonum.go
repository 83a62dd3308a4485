package plot

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Gonum returns a chart of the given width and height in pixels from a plot of gonum.org/v1/plot, or from any other value with the same
// method for writing SVG. This package does not import gonum's, so that only cells that use it need it.
//
//	p := gonumplot.New()
//	p.Add(must(plotter.NewLine(points)))
//	plot.Gonum(p, 640, 400)
func Gonum[Length ~float64](p interface {
	WriterTo(width, height Length, format string) (io.WriterTo, error)
}, width, height int,
) *Chart {
	const pointsAPixel = 0.75
	w, err := p.WriterTo(Length(width)*pointsAPixel, Length(height)*pointsAPixel, "svg")
	if err != nil {
		fail("gonum's plot cannot be drawn: %v", err)
	}
	var b strings.Builder
	if _, err := w.WriteTo(&b); err != nil {
		fail("gonum's plot cannot be written as SVG: %v", err)
	}
	return &Chart{svg: b.String(), text: gonumText(p), static: true}
}

// gonumText returns the texts that the fields of a plot have: its title and its axes. What the plotters draw is not accessible.
func gonumText(p any) string {
	v := reflect.Indirect(reflect.ValueOf(p))
	field := func(path ...string) (found reflect.Value) {
		found = v
		for _, name := range path {
			if found.Kind() != reflect.Struct {
				return reflect.Value{}
			}
			found = found.FieldByName(name)
		}
		return found
	}
	var lines []string
	if title := field("Title", "Text"); title.IsValid() && title.String() != "" {
		lines = append(lines, title.String())
	}
	for _, axis := range []string{"X", "Y"} {
		lo, hi, label := field(axis, "Min"), field(axis, "Max"), field(axis, "Label", "Text")
		if !lo.IsValid() || !hi.IsValid() || !label.IsValid() || !lo.CanFloat() || !hi.CanFloat() {
			continue
		}
		line := fmt.Sprintf("%s from %s to %s", strings.ToLower(axis), number(lo.Float(), 4), number(hi.Float(), 4))
		if label.String() != "" {
			line += ": " + label.String()
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return "plot"
	}
	return strings.Join(lines, "\n")
}
