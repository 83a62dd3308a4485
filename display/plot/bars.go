package plot

import (
	"fmt"
	"math"
)

const barHeight, barGap = 20.0, 8.0

// longestName is the number of characters of a bar's name that are shown.
const longestName = 32

// Bars returns a chart with a bar for each name, as long as its value. unit is the unit of the values.
func Bars[T Number](title, unit string, names []string, values []T) *Chart {
	if len(names) != len(values) {
		fail("%d names for %d bars", len(names), len(values))
	}
	list := floats(values)
	axis := Axis{Label: unit}
	lo, hi := axis.bounds(list)
	missing, widest := 0, 0.0
	for i, v := range list {
		widest = max(widest, textWidth(shortened(names[i], longestName)))
		if !axis.drawable(v) {
			missing++
		}
	}
	f := &frame{title: title}
	f.width = chartWidth
	f.top = f.header(nil)
	f.left = margin + widest + 10
	f.bottom = f.top + float64(max(1, len(list)))*(barHeight+barGap) + barGap/2
	f.height = f.bottom + margin + lineGap
	if unit != "" {
		f.height += lineGap
	}
	note := leftOut(missing)
	if note != "" {
		f.height += lineGap
	}
	f.x = newScale(axis, min(lo, 0), max(hi, 0), f.left, f.width-margin-60)
	f.right = f.x.to
	f.axes(true)
	for i, v := range list {
		y := f.top + float64(i)*(barHeight+barGap) + barGap/2
		f.text(f.left-8, y+barHeight/2+4, end, shortened(names[i], longestName))
		if !axis.drawable(v) {
			continue
		}
		from, to := f.x.at(min(v, 0)), f.x.at(max(v, 0))
		f.bar(from, y, to-from, barHeight, "%s: %s %s", names[i], number(v, 8), unit)
		f.text(to+5, y+barHeight/2+4, start, number(v, 4))
	}
	f.line(f.x.at(0), f.top, f.x.at(0), f.bottom, ink)
	f.under(f.bottom+numbersBelow+lineGap, unit)
	if len(list) == missing {
		f.nothing()
	}
	f.text(margin, f.height-8, start, note)
	return f.chart(joined(title, barsText(unit, names, list), note))
}

// bar draws a rectangle with the text that is shown under the pointer.
func (f *frame) bar(x, y, width, height float64, tip string, args ...any) {
	f.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>`, at(x), at(y), at(width), at(height), palette[0], f.tip(tip, args...))
}

// maxBins is the largest number of bins that a histogram has by default.
const maxBins = 50

// Histogram divides the x axis into bins of equal width and returns a chart of the number of values in each. If bins is 0, their number
// is chosen from the number of values. Values outside the axis are left out.
func Histogram[T Number](title string, x Axis, values []T, bins int) *Chart {
	if x.Log {
		fail("a histogram's bins are of equal width: its axis cannot be logarithmic")
	}
	if bins < 0 {
		fail("a histogram with %d bins", bins)
	}
	if bins == 0 {
		bins = max(1, min(maxBins, int(math.Sqrt(float64(len(values))))))
	}
	list := floats(values)
	lo, hi := x.bounds(list)
	if x.From != 0 || x.To != 0 {
		lo, hi = x.From, x.To
	}
	if closest := 1e-10 * max(math.Abs(lo), math.Abs(hi)); hi-lo <= closest {
		lo, hi = lo-max(0.5, 5*closest), lo+max(0.5, 5*closest)
	}
	counts := make([]int, bins)
	missing, most := 0, 1
	for _, v := range list {
		if !x.drawable(v) || v < lo || v > hi {
			missing++
			continue
		}
		bin := min(bins-1, int((v-lo)/(hi-lo)*float64(bins)))
		counts[bin]++
		most = max(most, counts[bin])
	}
	edge := func(bin int) float64 { return lo + (hi-lo)*float64(bin)/float64(bins) }
	x.From, x.To = lo, hi
	f := newFrame(title, x, Axis{Label: "count"}, lo, hi, 0, float64(most), nil, leftOut(missing))
	end := f.open(0)
	for i, n := range counts {
		from, to := f.x.at(edge(i)), f.x.at(edge(i+1))
		gap := min(1, (to-from)/4)
		f.bar(from+gap/2, f.y.at(float64(n)), to-from-gap, f.bottom-f.y.at(float64(n)), "%s to %s: %d", number(edge(i), 6), number(edge(i+1), 6), n)
	}
	end()
	if len(list) == missing {
		f.nothing()
	}
	f.line(f.left, f.bottom, f.right, f.bottom, ink)
	names, heights := make([]string, bins), make([]float64, bins)
	for i, n := range counts {
		names[i], heights[i] = fmt.Sprintf("%s to %s", number(edge(i), 4), number(edge(i+1), 4)), float64(n)
	}
	return f.chart(joined(title, barsText("count of "+x.Label, names, heights), leftOut(missing)))
}
