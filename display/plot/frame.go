package plot

import "fmt"

// Margins around the axes, in pixels.
const (
	chartWidth  = 640.0
	chartHeight = 400.0
	margin      = 16.0
)

// A frame is a canvas with two axes.
type frame struct {
	canvas
	title                    string
	left, top, right, bottom float64 // of the plot area between the axes
	x, y                     scale
}

// legendEntry is a colour and its meaning.
type legendEntry struct{ colour, name string }

// newFrame draws title, legend and axes for numbers between the bounds. note is written at the lower edge.
func newFrame(title string, x, y Axis, xlo, xhi, ylo, yhi float64, legend []legendEntry, note string) *frame {
	f := &frame{title: title}
	f.width, f.height = chartWidth, chartHeight
	f.top = f.header(legend)
	f.bottom = f.height - margin - lineGap
	if x.Label != "" {
		f.bottom -= lineGap
	}
	if note != "" {
		f.bottom -= lineGap
	}
	f.y = newScale(y, ylo, yhi, f.bottom, f.top)
	widest := 0.0
	for _, t := range f.y.ticks {
		widest = max(widest, textWidth(f.y.label(t)))
	}
	f.left = margin + widest + 10
	if y.Label != "" {
		f.left += lineGap
	}
	f.x = newScale(x, xlo, xhi, f.left, f.width-margin-12)
	f.right = f.x.to

	f.axes(true)
	f.line(f.left, f.bottom, f.right, f.bottom, ink)
	f.line(f.left, f.top, f.left, f.bottom, ink)
	f.under(f.bottom+numbersBelow+lineGap, x.Label)
	f.zoomable()
	f.upward(margin+8, (f.top+f.bottom)/2, shortened(y.Label, int((f.bottom-f.top)/charWidth)))
	f.text(margin, f.height-8, start, note)
	return f
}

// The length of ticks, and the distance of the numbers below an axis from it, in pixels.
const (
	tickLength   = 4.0
	numbersBelow = 18.0
)

// axes draws the ticks of both axes with their numbers, and with grid a line across the plot area for each.
func (f *frame) axes(grid bool) {
	f.add(`<g class="axes">`)
	for _, t := range f.y.ticks {
		y := f.y.at(t)
		if grid {
			f.line(f.left, y, f.right, y, faint)
		}
		f.line(f.left-tickLength, y, f.left, y, ink)
		f.text(f.left-8, y+4, end, f.y.label(t))
	}
	for _, t := range f.x.ticks {
		x := f.x.at(t)
		if grid {
			f.line(x, f.top, x, f.bottom, faint)
		}
		f.line(x, f.bottom, x, f.bottom+tickLength, ink)
	}
	f.numbersUnder(f.bottom + numbersBelow)
	f.add(`</g>`)
}

// zoomable tells the script where the axes are, and the numbers at their ends.
func (f *frame) zoomable() {
	f.facts = fmt.Sprintf(`{"frame":[%s,%s,%s,%s],"x":%s,"y":%s}`, at(f.left), at(f.top), at(f.right), at(f.bottom), f.x.json(), f.y.json())
}

// dots is the width of the margin in which dots at the border are drawn.
const dots = 4.0

// open begins the plot area: what is drawn until the returned function is called is cut at its borders, or so many pixels beyond.
func (f *frame) open(beyond float64) (end func()) {
	f.add(`<clipPath id="field"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath>`,
		at(f.left-beyond), at(f.top-beyond), at(f.right-f.left+2*beyond), at(f.bottom-f.top+2*beyond))
	f.add(`<g class="field" clip-path="url(#field)">`)
	return func() { f.add(`</g>`) }
}

// nothing writes into the middle of the plot area that there is nothing to draw.
func (f *frame) nothing() {
	f.text((f.left+f.right)/2, (f.top+f.bottom)/2, middle, "no numbers to draw")
}

// under writes the name of the x axis, truncated to the width of the chart.
func (f *frame) under(y float64, label string) {
	centre := (f.left + f.right) / 2
	f.text(centre, y, middle, shortened(label, int(2*min(centre, f.width-centre)/charWidth)))
}

// numbersUnder writes the numbers of the x axis, as many as have room.
func (f *frame) numbersUnder(y float64) {
	taken := 0.0 // end of the last one
	for _, t := range f.x.ticks {
		half := textWidth(f.x.label(t)) / 2
		x := min(f.x.at(t), f.width-half-2)
		if x-half >= taken {
			f.text(x, y, middle, f.x.label(t))
			taken = x + half + 4
		}
	}
}

// header draws title and legend, and returns the y position where the plot area may begin.
func (f *frame) header(legend []legendEntry) float64 {
	y := margin
	if f.title != "" {
		y += 10
		title := f.title
		if f.width > 0 { // else the title determines the width of the drawing
			title = shortened(title, int((f.width-2*margin)/headingWidth))
		}
		f.heading(margin, y, title)
		y += 8
	}
	x := margin
	for i, e := range legend {
		wide := 22 + textWidth(e.name) + 14
		if i == 0 || x+wide > f.width {
			x = margin
			y += lineGap
		}
		f.rect(x, y-9, 14, 9, e.colour)
		f.text(x+20, y, start, e.name)
		x += wide
	}
	return y + 16
}

func (f *frame) chart(text string) *Chart {
	return &Chart{svg: f.document(f.title), text: text, title: f.title, width: f.width, height: f.height}
}
