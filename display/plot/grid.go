package plot

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
)

// table returns rows of equal length as floating-point numbers.
func table[T Number](kind string, rows [][]T) [][]float64 {
	if len(rows) == 0 || len(rows[0]) == 0 {
		fail("%s of no values", kind)
	}
	list := make([][]float64, len(rows))
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			fail("row %d of %s has %d values, row 0 has %d", i, kind, len(row), len(rows[0]))
		}
		list[i] = floats(row)
	}
	return list
}

// missingOf returns the number of values of a table that cannot be drawn.
func missingOf(rows [][]float64) (missing int) {
	for _, row := range rows {
		for _, v := range row {
			if !(Axis{}).drawable(v) {
				missing++
			}
		}
	}
	return missing
}

// colours returns the width of the colour scale with its numbers, in pixels.
func colours(lo, hi float64) float64 {
	return rampGap + 19 + max(textWidth(number(lo, 4)), textWidth(number(hi, 4))) + margin
}

// bands returns a picture of a table interpolated between its values, in a colour for the values between two levels.
func bands(t [][]float64, levels []float64, lo, hi float64) image.Image {
	scaled := max(1, int(longestSide)/max(len(t), len(t[0])))
	img := image.NewRGBA(image.Rect(0, 0, (len(t[0])-1)*scaled, (len(t)-1)*scaled))
	edges := slices.Concat([]float64{lo}, levels, []float64{hi})
	for py := range img.Rect.Dy() {
		for px := range img.Rect.Dx() {
			x, y := (float64(px)+0.5)/float64(scaled), (float64(py)+0.5)/float64(scaled)
			r, c := int(y), int(x)
			fx, fy := x-float64(c), y-float64(r)
			v := (t[r][c]*(1-fx)+t[r][c+1]*fx)*(1-fy) + (t[r+1][c]*(1-fx)+t[r+1][c+1]*fx)*fy
			if !(Axis{}).drawable(v) {
				continue // transparent
			}
			i, _ := slices.BinarySearch(levels, v)
			img.SetRGBA(px, py, shade(fraction((edges[i]+edges[i+1])/2, lo, hi)))
		}
	}
	return img
}

// Contour returns areas between levels of a table, and the lines along which it has the value of a level. Without levels, round numbers are chosen. The first row is
// at the top, and axes are those of Heat, but a value is at a point, so that the first one is on the border.
func Contour[T Number](title string, x, y Axis, rows [][]T, levels ...float64) *Chart {
	if x.Log || y.Log {
		fail("the axes of contours cannot be logarithmic")
	}
	t := table("a contour plot", rows)
	width, height := len(t[0]), len(t)
	if width < 2 || height < 2 {
		fail("contours need two rows and columns, and there are %d × %d values", height, width)
	}
	lo, hi := Axis{}.bounds(t...)
	levels = slices.Clone(levels)
	if len(levels) == 0 && hi > lo {
		for _, v := range linearTicks(lo, hi) {
			if v > lo && v < hi {
				levels = append(levels, v)
			}
		}
	}
	slices.Sort(levels)
	f := &frame{title: title}
	f.top = f.header(nil)
	scaled := longestSide / float64(max(width-1, height-1))
	f.heatAxes(x, y, float64(width-1), float64(height-1), max(60, scaled*float64(width-1)), max(40, scaled*float64(height-1)), colours(lo, hi))
	end := f.open(0)
	drawn := false
	if len(levels) > 0 {
		f.add(`<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`,
			at(f.left), at(f.top), at(f.right-f.left), at(f.bottom-f.top), encoded(bands(t, levels, lo, hi)))
	}
	for _, level := range levels {
		path := f.contour(t, level)
		if path == "" {
			continue
		}
		drawn = true
		f.add(`<path d="%s" fill="none" stroke="%s" stroke-opacity="0.7"%s/>`, path, light, f.tip("level %s", number(level, 6)))
	}
	end()
	f.rim()
	f.ramp(lo, hi)
	if !drawn {
		f.nothing()
	}
	note := leftOut(missingOf(t))
	f.text(margin, f.height-8, start, note)
	texts := make([]string, len(levels))
	for i, v := range levels {
		texts[i] = number(v, 4)
	}
	return f.chart(joined(title, heatText(t, lo, hi), "levels "+strings.Join(texts, ", "), note))
}

// rim draws the borders of the plot area.
func (f *frame) rim() {
	f.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="%s"/>`, at(f.left), at(f.top), at(f.right-f.left), at(f.bottom-f.top), ink)
}

// contour returns the lines of one level as a path: in each square of four values, straight pieces between the points of its sides at which the
// interpolated value is the level.
func (f *frame) contour(t [][]float64, level float64) string {
	dx, dy := (f.right-f.left)/float64(len(t[0])-1), (f.bottom-f.top)/float64(len(t)-1)
	var b strings.Builder
	for r := range len(t) - 1 {
		for c := range len(t[0]) - 1 {
			corners := [4]float64{t[r][c], t[r][c+1], t[r+1][c+1], t[r+1][c]}
			for _, piece := range pieces(corners, level) {
				for i, p := range piece {
					fmt.Fprintf(&b, "%c%s %s", "ML"[i], at(f.left+(float64(c)+p[0])*dx), at(f.top+(float64(r)+p[1])*dy))
				}
			}
		}
	}
	return b.String()
}

// pieces returns the pieces of a level's line in the unit square, whose corners have these values, clockwise from the upper left.
func pieces(v [4]float64, level float64) [][2][2]float64 {
	corner := [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	var crossings [][2]float64
	sum := 0.0
	for i := range v {
		j := (i + 1) % 4
		if !(Axis{}).drawable(v[i]) {
			return nil
		}
		sum += v[i] / 4
		if (v[i] >= level) == (v[j] >= level) {
			continue
		}
		s := (level - v[i]) / (v[j] - v[i])
		crossings = append(crossings, [2]float64{corner[i][0] + s*(corner[j][0]-corner[i][0]), corner[i][1] + s*(corner[j][1]-corner[i][1])})
	}
	switch len(crossings) {
	case 2:
		return [][2][2]float64{{crossings[0], crossings[1]}}
	case 4: // a saddle: the mean says which corners are joined
		if (sum >= level) == (v[0] >= level) {
			return [][2][2]float64{{crossings[0], crossings[1]}, {crossings[2], crossings[3]}}
		}
		return [][2][2]float64{{crossings[3], crossings[0]}, {crossings[1], crossings[2]}}
	}
	return nil
}

// Image returns a picture with axes, which count its pixels unless they have From and To.
func Image(title string, x, y Axis, img image.Image) *Chart {
	if img == nil || img.Bounds().Empty() {
		fail("a picture of no pixels")
	}
	b := img.Bounds()
	const most = 4096
	if b.Dx() > most || b.Dy() > most {
		fail("a picture of %d × %d pixels is larger than a chart shows (%d on a side): scale it down, or show it without axes", b.Dx(), b.Dy(), most)
	}
	f := &frame{title: title}
	f.top = f.header(nil)
	scaled := longestSide / float64(max(b.Dx(), b.Dy()))
	f.heatAxes(x, y, float64(b.Dx()), float64(b.Dy()), max(60, scaled*float64(b.Dx())), max(40, scaled*float64(b.Dy())), margin)
	f.picture(img, "")
	f.rim()
	return f.chart(joined(title, fmt.Sprintf("picture of %d × %d pixels", b.Dx(), b.Dy())))
}

// The directions from which a surface is seen, and the most squares on a side that are drawn.
const (
	azimuth, elevation = -60 * math.Pi / 180, 30 * math.Pi / 180
	maxSquares         = 60
)

// project returns the position of a point of the cube from -1 to 1, in units of the picture, and its distance.
func project(x, y, z float64) (px, py, depth float64) {
	sin, cos := math.Sincos(azimuth)
	u, v := -x*sin+y*cos, x*cos+y*sin // to the right, and towards the viewer
	sinE, cosE := math.Sincos(elevation)
	return u, -(z*cosE - v*sinE), v*cosE + z*sinE
}
