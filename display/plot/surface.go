package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The size of a surface's cube in the picture, in pixels, and the ratio of its height to its sides.
const cubeSize, cubeHeight = 165.0, 0.7

// A cube maps numbers of three axes to the picture.
type cube struct{ x, y, z scale }

func (c *cube) at(x, y, z float64) (px, py, depth float64) {
	u, v, depth := project(c.x.at(x), c.y.at(y), cubeHeight*c.z.at(z))
	return chartWidth/2 - 20 + cubeSize*u, 235 + cubeSize*v, depth
}

// Surface returns a table of values as a surface over the columns (x) and rows (y), seen from above at an angle, in the colours of Heat. Of
// more than 60 rows or columns, evenly spaced ones are drawn.
func Surface[T Number](title string, x, y, z Axis, rows [][]T) *Chart {
	if x.Log || y.Log || z.Log {
		fail("the axes of a surface cannot be logarithmic")
	}
	t := table("a surface", rows)
	if len(t) < 2 || len(t[0]) < 2 {
		fail("a surface needs two rows and columns, and there are %d × %d values", len(t), len(t[0]))
	}
	if x.From == 0 && x.To == 0 {
		x.To = float64(len(t[0]) - 1)
	}
	if y.From == 0 && y.To == 0 {
		y.To = float64(len(t) - 1)
	}
	lo, hi := Axis{}.bounds(t...)
	f := &frame{title: title}
	f.width, f.height = chartWidth, 470
	note := leftOut(missingOf(t))
	f.top = f.header(nil)
	c := &cube{newScale(x, 0, 0, -1, 1), newScale(y, 0, 0, -1, 1), newScale(z, lo, hi, -1, 1)}
	f.cubeAxes(c, x, y, z)
	drawn := f.squares(c, t, lo, hi)
	f.left, f.right, f.bottom = 0, f.width-rampGap-19-textWidth(number(lo, 4))-margin-20, f.height-100
	f.top += 40
	f.ramp(lo, hi)
	if drawn == 0 {
		f.text(f.width/2, f.height/2, middle, "no numbers to draw")
	}
	if note != "" {
		f.height += lineGap
	}
	f.text(margin, f.height-8, start, note)
	return f.chart(joined(title, heatText(t, lo, hi), note))
}

// steps returns evenly spaced indices below n, at most most+1, with the first and the last.
func steps(n, most int) []int {
	count := min(n-1, most)
	list := make([]int, count+1)
	for i := range list {
		list[i] = i * (n - 1) / count
	}
	return list
}

// squares draws the surface, the most distant squares first, and returns their number.
func (f *frame) squares(c *cube, t [][]float64, lo, hi float64) int {
	type square struct {
		depth, value float64
		points, tip  string
	}
	var list []square
	down, across := steps(len(t), maxSquares), steps(len(t[0]), maxSquares)
	xAt := func(j int) float64 { return c.x.lo + (c.x.hi-c.x.lo)*float64(j)/float64(len(t[0])-1) }
	yAt := func(i int) float64 { return c.y.lo + (c.y.hi-c.y.lo)*float64(i)/float64(len(t)-1) }
	for a := range len(down) - 1 {
		for b := range len(across) - 1 {
			corners := [4][2]int{{down[a], across[b]}, {down[a], across[b+1]}, {down[a+1], across[b+1]}, {down[a+1], across[b]}}
			var s square
			var points []string
			ok := true
			for _, p := range corners {
				v := t[p[0]][p[1]]
				ok = ok && (Axis{}).drawable(v)
				px, py, depth := c.at(xAt(p[1]), yAt(p[0]), max(c.z.lo, min(c.z.hi, v)))
				points = append(points, at(px)+","+at(py))
				s.depth, s.value = s.depth+depth/4, s.value+v/4
			}
			if ok {
				s.points = strings.Join(points, " ")
				s.tip = fmt.Sprintf("x  %s\ny  %s\nz  %s", number(xAt(across[b]), 6), number(yAt(down[a]), 6), number(t[down[a]][across[b]], 6))
				list = append(list, s)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b square) int { return cmp.Compare(a.depth, b.depth) })
	for _, s := range list {
		colour := shade(fraction(s.value, lo, hi))
		f.add(`<polygon points="%s" fill="#%02x%02x%02x" stroke="#%02x%02x%02x" stroke-width="0.5"%s/>`, s.points,
			colour.R, colour.G, colour.B, uint8(0.8*float64(colour.R)), uint8(0.8*float64(colour.G)), uint8(0.8*float64(colour.B)), f.tip("%s", s.tip))
	}
	return len(list)
}

// cubeAxes draws the edges of the cube behind the surface, and the three axes at its front with their ticks.
func (f *frame) cubeAxes(c *cube, x, y, z Axis) {
	edge := func(colour string, x1, y1, z1, x2, y2, z2 float64) {
		ax, ay, _ := c.at(x1, y1, z1)
		bx, by, _ := c.at(x2, y2, z2)
		f.line(ax, ay, bx, by, colour)
	}
	// tick draws a tick at a point, away from the inner one, and the number behind it.
	tick := func(label string, a anchor, px, py, ix, iy float64) {
		length := math.Hypot(px-ix, py-iy)
		ux, uy := (px-ix)/length, (py-iy)/length
		f.line(px, py, px+tickLength*ux, py+tickLength*uy, ink)
		f.text(px+12*ux, py+14*uy+4, a, label)
	}
	x0, x1, y0, y1, z0, z1 := c.x.lo, c.x.hi, c.y.lo, c.y.hi, c.z.lo, c.z.hi
	front := y0 // the edge of the base towards the viewer, by its depth
	if _, _, d := c.at(x0, y1, z0); d > func() float64 { _, _, d := c.at(x0, y0, z0); return d }() {
		front = y1
	}
	side := x0
	if _, _, d := c.at(x1, front, z0); d > func() float64 { _, _, d := c.at(x0, front, z0); return d }() {
		side = x1
	}
	back, far := y0+y1-front, x0+x1-side
	for _, t := range c.x.ticks {
		edge(faint, t, front, z0, t, back, z0)
		edge(faint, t, back, z0, t, back, z1)
		px, py, _ := c.at(t, front, z0)
		ix, iy, _ := c.at(t, back, z0)
		tick(c.x.label(t), middle, px, py, ix, iy)
	}
	for _, t := range c.y.ticks {
		edge(faint, side, t, z0, far, t, z0)
		edge(faint, far, t, z0, far, t, z1)
		px, py, _ := c.at(side, t, z0)
		ix, iy, _ := c.at(far, t, z0)
		tick(c.y.label(t), middle, px, py, ix, iy)
	}
	// The z axis is at the left end of the base.
	zx, zy := side, back
	if ax, _, _ := c.at(far, front, z0); ax < func() float64 { bx, _, _ := c.at(side, back, z0); return bx }() {
		zx, zy = far, front
	}
	for _, t := range c.z.ticks {
		edge(faint, far, y0, t, far, y1, t)
		edge(faint, x0, back, t, x1, back, t)
		px, py, _ := c.at(zx, zy, t)
		tick(c.z.label(t), end, px, py, px+10, py)
	}
	edge(ink, x0, front, z0, x1, front, z0)
	edge(ink, side, y0, z0, side, y1, z0)
	edge(ink, zx, zy, z0, zx, zy, z1)
	px, py, _ := c.at((x0+x1)/2, front, z0)
	f.text(px+14, py+52, middle, shortened(x.Label, 30))
	px, py, _ = c.at(side, (y0+y1)/2, z0)
	f.text(px+40, py+40, start, shortened(y.Label, 20))
	px, py, _ = c.at(zx, zy, z1)
	f.text(px, py-14, middle, shortened(z.Label, 20))
}
