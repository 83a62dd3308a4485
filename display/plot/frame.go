package plot

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
	f.left = margin + widest + 8
	if y.Label != "" {
		f.left += lineGap
	}
	f.x = newScale(x, xlo, xhi, f.left, f.width-margin-12)
	f.right = f.x.to

	for _, t := range f.y.ticks {
		f.line(f.left, f.y.at(t), f.right, f.y.at(t), faint)
		f.text(f.left-6, f.y.at(t)+4, end, f.y.label(t))
	}
	for _, t := range f.x.ticks {
		f.line(f.x.at(t), f.top, f.x.at(t), f.bottom, faint)
	}
	f.numbersUnder(f.bottom + 16)
	f.line(f.left, f.bottom, f.right, f.bottom, ink)
	f.line(f.left, f.top, f.left, f.bottom, ink)
	f.under(f.bottom+16+lineGap, x.Label)
	f.upward(margin+8, (f.top+f.bottom)/2, shortened(y.Label, int((f.bottom-f.top)/charWidth)))
	f.text(margin, f.height-8, start, note)
	return f
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

func (f *frame) chart(text string) *Chart { return &Chart{svg: f.document(f.title), text: text} }
