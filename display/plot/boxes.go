package plot

import (
	"fmt"
	"slices"
)

// boxHeight is the height of a box and the room around it, in pixels.
const boxHeight, boxRoom = 18.0, 34.0

// summary has the numbers of a box.
type summary struct {
	n                       int
	low, q1, median, q3, hi float64 // low and hi are the ends of the whiskers
	min, max                float64
	outside                 []float64
}

// summarise returns the numbers of a box from sorted values. Quartiles are interpolated linearly, and whiskers end at the last values
// within 1.5 interquartile ranges of the box, as in Matplotlib.
func summarise(sorted []float64) summary {
	quantile := func(q float64) float64 {
		at := q * float64(len(sorted)-1)
		i := min(int(at), len(sorted)-1)
		next := min(i+1, len(sorted)-1)
		return sorted[i] + (at-float64(i))*(sorted[next]-sorted[i])
	}
	s := summary{n: len(sorted), q1: quantile(0.25), median: quantile(0.5), q3: quantile(0.75), min: sorted[0], max: sorted[len(sorted)-1]}
	reach := 1.5 * (s.q3 - s.q1)
	s.low, s.hi = s.q1, s.q3
	for _, v := range sorted {
		if v < s.q1-reach || v > s.q3+reach {
			s.outside = append(s.outside, v)
			continue
		}
		s.low, s.hi = min(s.low, v), max(s.hi, v)
	}
	return s
}

// Boxes returns a box plot: for each name the median of its values, a box from the first to the third quartile, whiskers to the last values
// within 1.5 times the box's length, and a dot for each other value.
func Boxes[T Number](title string, x Axis, names []string, values [][]T) *Chart {
	if len(names) != len(values) {
		fail("%d names for %d boxes", len(names), len(values))
	}
	missing, widest := 0, 0.0
	sorted := make([][]float64, len(values))
	for i, list := range values {
		widest = max(widest, textWidth(shortened(names[i], longestName)))
		for _, v := range floats(list) {
			if !x.drawable(v) {
				missing++
				continue
			}
			sorted[i] = append(sorted[i], v)
		}
		slices.Sort(sorted[i])
	}
	lo, hi := x.bounds(sorted...)
	f := &frame{title: title}
	f.width = chartWidth
	f.top = f.header(nil)
	f.left = margin + widest + 10
	f.bottom = f.top + max(1, float64(len(values)))*boxRoom
	f.height = f.bottom + margin + 2*lineGap
	note := leftOut(missing)
	if note != "" {
		f.height += lineGap
	}
	f.x = newScale(x, lo, hi, f.left, f.width-margin-12)
	f.right = f.x.to
	f.axes(true)
	table := [][]string{{x.Label, "values", "min", "1st quartile", "median", "3rd quartile", "max"}}
	drawn := false
	for i, list := range sorted {
		y := f.top + (float64(i)+0.5)*boxRoom
		f.text(f.left-8, y+4, end, shortened(names[i], longestName))
		if len(list) == 0 {
			table = append(table, []string{names[i], "0"})
			continue
		}
		drawn = true
		s := summarise(list)
		f.box(y, s, names[i])
		row := []string{names[i], fmt.Sprint(s.n)}
		for _, v := range []float64{s.min, s.q1, s.median, s.q3, s.max} {
			row = append(row, number(v, 4))
		}
		table = append(table, row)
	}
	f.line(f.left, f.bottom, f.right, f.bottom, ink)
	f.under(f.bottom+numbersBelow+lineGap, x.Label)
	if !drawn {
		f.nothing()
	}
	f.text(margin, f.height-8, start, note)
	return f.chart(joined(title, aligned(table), note))
}

// box draws one box with its whiskers around the height y.
func (f *frame) box(y float64, s summary, name string) {
	along := func(v float64) float64 { return max(f.left, min(f.right, f.x.at(v))) }
	half := boxHeight / 2
	f.line(along(s.low), y, along(s.q1), y, ink)
	f.line(along(s.q3), y, along(s.hi), y, ink)
	for _, v := range []float64{s.low, s.hi} {
		f.line(along(v), y-half/2, along(v), y+half/2, ink)
	}
	f.bar(along(s.q1), y-half, max(1, along(s.q3)-along(s.q1)), boxHeight, "%s\n%d values\nmedian  %s\nquartiles  %s to %s\nwhiskers  %s to %s", name, s.n,
		number(s.median, 6), number(s.q1, 6), number(s.q3, 6), number(s.low, 6), number(s.hi, 6))
	f.rect(along(s.median)-1, y-half, 2, boxHeight, light)
	for _, v := range s.outside {
		if x := f.x.at(v); x >= f.left && x <= f.right {
			f.add(`<circle cx="%s" cy="%s" r="2.5" fill="none" stroke="%s"%s/>`, at(x), at(y), palette[0], f.tip("%s: %s", name, number(v, 8)))
		}
	}
}
