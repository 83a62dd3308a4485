package plot

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"unicode/utf8"
)

// ramp has the colours from the lowest to the highest value, with uniformly increasing brightness.
var ramp = []color.RGBA{
	{0x44, 0x01, 0x54, 255},
	{0x48, 0x28, 0x78, 255},
	{0x3e, 0x49, 0x89, 255},
	{0x31, 0x68, 0x8e, 255},
	{0x26, 0x82, 0x8e, 255},
	{0x1f, 0x9e, 0x89, 255},
	{0x35, 0xb7, 0x79, 255},
	{0x6e, 0xce, 0x58, 255},
	{0xb5, 0xde, 0x2b, 255},
	{0xfd, 0xe7, 0x25, 255},
}

// shade returns the colour of a value from 0 to 1.
func shade(v float64) color.RGBA {
	at := max(0, min(v, 1)) * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (at-float64(i))*(float64(b)-float64(a)))) }
	a, b := ramp[i], ramp[i+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// rampGap is the distance between the plot area and the colour scale beside it, in pixels.
const rampGap = 14.0

// longestSide is the length of the longer side of a heat map, in pixels.
const longestSide = 480.0

// Heat returns a heat map, which draws a table of values as colours, its first row at the top. Rows must have the same length. Axes count
// columns and rows unless they have From and To; From of y is the upper edge.
func Heat[T Number](title string, x, y Axis, rows [][]T) *Chart {
	if len(rows) == 0 || len(rows[0]) == 0 {
		fail("a heat map of no values")
	}
	if x.Log || y.Log {
		fail("a heat map's axes cannot be logarithmic")
	}
	width, height := len(rows[0]), len(rows)
	table := make([][]float64, height)
	for i, row := range rows {
		if len(row) != width {
			fail("row %d of a heat map has %d values, row 0 has %d", i, len(row), width)
		}
		table[i] = floats(row)
	}
	lo, hi := Axis{}.bounds(table...)
	missing := 0
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for r, row := range table {
		for c, v := range row {
			if !(Axis{}).drawable(v) {
				missing++
				continue // transparent
			}
			img.SetRGBA(c, r, shade(fraction(v, lo, hi)))
		}
	}
	f := &frame{title: title}
	f.top = f.header(nil)
	scaled := longestSide / float64(max(width, height))
	colours := rampGap + 19 + max(textWidth(number(lo, 4)), textWidth(number(hi, 4))) + margin
	f.heatAxes(x, y, float64(width), float64(height), max(60, scaled*float64(width)), max(40, scaled*float64(height)), colours)
	f.picture(img, cells(table))
	f.ramp(lo, hi)
	if missing == width*height {
		f.nothing()
	}
	note := leftOut(missing)
	f.text(margin, f.height-8, start, note)
	return f.chart(joined(title, heatText(table, lo, hi), note))
}

// fraction returns the position of v between lo and hi, from 0 to 1.
func fraction(v, lo, hi float64) float64 {
	if lo == hi {
		return 0.5
	}
	return v/(hi-lo) - lo/(hi-lo)
}

// heatAxes lays out a plot area of that size in pixels, with room for the colour scale beside it, and draws its numbers.
func (f *frame) heatAxes(x, y Axis, columns, rows, width, height, colours float64) {
	if x.From == 0 && x.To == 0 {
		x.To = columns
	}
	if y.From == 0 && y.To == 0 {
		y.To = rows
	}
	f.bottom = f.top + height
	// A scale goes upward, rows downward.
	flipped := y
	if flipped.From > flipped.To {
		flipped.From, flipped.To = flipped.To, flipped.From
		f.y = newScale(flipped, 0, 0, f.bottom, f.top)
	} else {
		f.y = newScale(flipped, 0, 0, f.top, f.bottom)
	}
	widest := 0.0
	for _, t := range f.y.ticks {
		widest = max(widest, textWidth(f.y.label(t)))
	}
	f.left = margin + widest + 10
	if y.Label != "" {
		f.left += lineGap
	}
	f.right = f.left + width
	f.x = newScale(x, 0, 0, f.left, f.right)
	f.width = max(f.right+colours, 2*margin+headingWidth*float64(utf8.RuneCountInString(f.title)))
	f.height = f.bottom + margin + 2*lineGap
	f.axes(false)
	f.under(f.bottom+numbersBelow+lineGap, x.Label)
	f.zoomable()
	f.upward(margin+8, (f.top+f.bottom)/2, shortened(y.Label, int(height/charWidth)))
}

// maxCells is the maximum number of values of a heat map that are in the drawing, for the script.
const maxCells = 64 << 10

// cells returns the values of a table as an attribute for the script, or "" if they are too many.
func cells(table [][]float64) string {
	if len(table)*len(table[0]) > maxCells {
		return ""
	}
	var b []byte
	for _, row := range table {
		for _, v := range row {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
	}
	return fmt.Sprintf(` data-cells="%d %d %s"`, len(table[0]), len(table), base64.StdEncoding.EncodeToString(b))
}

// picture puts an image into the plot area, a pixel of it for each value.
func (f *frame) picture(img image.Image, attributes string) {
	defer f.open(0)()
	f.add(`<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" image-rendering="pixelated" href="data:image/png;base64,%s"%s/>`,
		at(f.left), at(f.top), at(f.right-f.left), at(f.bottom-f.top), encoded(img), attributes)
}

// ramp draws the colour scale, at the right.
func (f *frame) ramp(lo, hi float64) {
	const steps = 64
	bar := image.NewRGBA(image.Rect(0, 0, 1, steps))
	for i := range steps {
		bar.SetRGBA(0, i, shade(1-float64(i)/(steps-1)))
	}
	x := f.right + rampGap
	f.add(`<image x="%s" y="%s" width="14" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`,
		at(x), at(f.top), at(f.bottom-f.top), encoded(bar))
	f.text(x+19, f.top+10, start, number(hi, 4))
	f.text(x+19, f.bottom, start, number(lo, 4))
}

func encoded(img image.Image) string {
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		fail("%s", fmt.Errorf("encode %d × %d values: %w", img.Bounds().Dx(), img.Bounds().Dy(), err))
	}
	return base64.StdEncoding.EncodeToString(buf.Bytes())
}
