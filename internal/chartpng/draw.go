package chartpng

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/draw"
	"image/png"
	"math"
	"strings"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

type point struct{ x, y float64 }

// bounds returns the pixels that points enclose.
func bounds(list []point) image.Rectangle {
	if len(list) == 0 {
		return image.Rectangle{}
	}
	lo, hi := list[0], list[0]
	for _, p := range list {
		lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	const far = 1 << 20
	limit := func(v float64) int { return int(max(-far, min(far, v))) }
	return image.Rect(limit(math.Floor(lo.x)), limit(math.Floor(lo.y)), limit(math.Ceil(hi.x)), limit(math.Ceil(hi.y)))
}

// circle returns a polygon that cannot be distinguished from a circle.
func circle(x, y, r float64) []point {
	const sides = 24
	list := make([]point, sides)
	for i := range list {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		list[i] = point{x + r*cos, y + r*sin}
	}
	return list
}

// shape fills polygons, and draws the lines along them. Those of a closed shape return to its first point.
func (d *drawing) shape(a attributes, closed bool, lines ...[]point) {
	if fill := paint(a["fill"], a["fill-opacity"]); fill != nil {
		d.fill(fill, lines)
	}
	stroke := paint(a["stroke"], a["stroke-opacity"])
	if stroke == nil {
		return
	}
	width := a.number("stroke-width")
	if a["stroke-width"] == "" {
		width = scale
	}
	var pieces [][]point
	for _, line := range lines {
		if closed && len(line) > 0 {
			line = append(line[:len(line):len(line)], line[0])
		}
		pieces = append(pieces, along(line, width)...)
	}
	d.fill(stroke, pieces)
}

// along returns polygons that cover a line of a width: a rectangle for each piece, and a circle for each joint of wide ones. All have the same
// orientation, so that they do not cancel each other where they overlap.
func along(line []point, width float64) (list [][]point) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		nx, ny := (b.y-a.y)/length*width/2, -(b.x-a.x)/length*width/2
		list = append(list, []point{{a.x + nx, a.y + ny}, {b.x + nx, b.y + ny}, {b.x - nx, b.y - ny}, {a.x - nx, a.y - ny}})
		if before := line[max(0, i-2)]; i > 1 && width > scale && bends(before, a, b) {
			list = append(list, circle(a.x, a.y, width/2))
		}
	}
	return list
}

// bends reports whether a line turns so much at b that a gap would be seen there.
func bends(a, b, c point) bool {
	ux, uy, vx, vy := b.x-a.x, b.y-a.y, c.x-b.x, c.y-b.y
	return ux*vx+uy*vy < 0.98*math.Hypot(ux, uy)*math.Hypot(vx, vy)
}

// fill fills polygons.
func (d *drawing) fill(colour image.Image, polygons [][]point) {
	var area image.Rectangle
	for _, p := range polygons {
		area = area.Union(bounds(p))
	}
	// What is outside the picture on the left and above must not shift what is inside.
	area = area.Intersect(d.clip().Inset(-1 << 10))
	if area.Empty() {
		return
	}
	r := vector.NewRasterizer(area.Dx(), area.Dy())
	r.DrawOp = draw.Src
	for _, p := range polygons {
		for i, q := range p {
			x, y := float32(q.x-float64(area.Min.X)), float32(q.y-float64(area.Min.Y))
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	mask := image.NewAlpha(image.Rect(0, 0, area.Dx(), area.Dy()))
	r.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	d.cover(mask, area.Min, colour)
}

// image draws a picture within the drawing.
func (d *drawing) image(a attributes) {
	_, data, _ := strings.Cut(a["href"], "base64,")
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return
	}
	img, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return
	}
	area := image.Rect(round(a.number("x")), round(a.number("y")), round(a.number("x")+a.number("width")), round(a.number("y")+a.number("height")))
	var by xdraw.Interpolator = xdraw.ApproxBiLinear
	if a["image-rendering"] == "pixelated" {
		by = xdraw.NearestNeighbor
	}
	by.Scale(d.img.SubImage(d.clip()).(*image.RGBA), area, img, img.Bounds(), draw.Over, nil)
}

func round(v float64) int { return int(math.Round(v)) }
