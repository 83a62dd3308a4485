// Command logo draws the kernel's logos: a rounded square in the gopher's cyan, a grid
// that is warped towards a point as if by a mass, and the word "Go". It writes one SVG
// and PNGs of the two sizes that Jupyter uses into the directory that is its argument.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// The picture is drawn on a square of this side; everything else is in its units.
const side = 64.0

const (
	radius    = 12.0 // of the corners
	gridStep  = 8.0
	gridWidth = 1.0
	penWidth  = 6.4 // of the letters
)

var (
	background = color.RGBA{0x00, 0xad, 0xd8, 0xff}
	gridColor  = color.RGBA{0x7f, 0xdb, 0xf0, 0xff}
	pen        = color.RGBA{0xff, 0xff, 0xff, 0xff}
)

type point struct{ x, y float64 }

// line is a run of connected points.
type line []point

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: logo FOLDER")
	}
	files := map[string][]byte{"logo-svg.svg": svg()}
	for _, size := range []int{32, 64} {
		var buf bytes.Buffer
		if err := png.Encode(&buf, raster(size)); err != nil {
			log.Fatalf("encode logo: %v", err)
		}
		files[fmt.Sprintf("logo-%dx%d.png", size, size)] = buf.Bytes()
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), data, 0o644); err != nil {
			log.Fatalf("write logo: %v", err)
		}
	}
}

// warp moves a point of the grid towards the mass at the lower right.
func warp(p point) point {
	const mx, my, reach = 46.0, 46.0, 14.0
	dx, dy := mx-p.x, my-p.y
	pull := 0.55 * math.Exp(-(dx*dx+dy*dy)/(2*reach*reach))
	return point{p.x + pull*dx, p.y + pull*dy}
}

func grid() []line {
	var lines []line
	for at := gridStep; at < side; at += gridStep {
		var across, down line
		for t := 0.0; t <= side; t += 2 {
			across = append(across, warp(point{t, at}))
			down = append(down, warp(point{at, t}))
		}
		lines = append(lines, across, down)
	}
	return lines
}

// letters are the strokes of "Go".
func letters() []line {
	g := append(arc(point{21, 33}, 11.5, -50, -360), point{22.5, 33})
	return []line{g, arc(point{46, 35.5}, 8.6, 0, 360)}
}

// arc returns an arc from one angle to another, in degrees, clockwise as seen on the screen.
func arc(c point, r, from, to float64) line {
	const steps = 48
	var l line
	for i := range steps + 1 {
		a := (from + (to-from)*float64(i)/steps) * math.Pi / 180
		l = append(l, point{c.x + r*math.Cos(a), c.y + r*math.Sin(a)})
	}
	return l
}

func svg() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g">`+"\n", side, side)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" rx="%g" fill="%s"/>`+"\n", side, side, radius, hex(background))
	path := func(lines []line, c color.RGBA, width float64) {
		var d []string
		for _, l := range lines {
			command := "M"
			for _, p := range l {
				d = append(d, fmt.Sprintf("%s%.1f %.1f", command, p.x, p.y))
				command = "L"
			}
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="%g" stroke-linecap="round" stroke-linejoin="round"/>`+"\n",
			strings.Join(d, ""), hex(c), width)
	}
	path(grid(), gridColor, gridWidth)
	path(letters(), pen, penWidth)
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// raster returns the picture with 4×4 samples per pixel.
func raster(size int) image.Image {
	const samples = 4
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	gridLines, strokes := grid(), letters()
	for y := range size {
		for x := range size {
			var r, g, b, a int
			for s := range samples * samples {
				p := point{
					(float64(x) + (float64(s%samples)+0.5)/samples) * side / float64(size),
					(float64(y) + (float64(s/samples)+0.5)/samples) * side / float64(size),
				}
				if !inSquare(p) {
					continue
				}
				c := background
				switch {
				case near(p, strokes, penWidth/2):
					c = pen
				case near(p, gridLines, gridWidth/2):
					c = gridColor
				}
				r, g, b, a = r+int(c.R), g+int(c.G), b+int(c.B), a+1
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(255 * a / (samples * samples))})
			}
		}
	}
	return img
}

// inSquare reports whether p is inside the rounded square.
func inSquare(p point) bool {
	dx := math.Max(math.Abs(p.x-side/2)-(side/2-radius), 0)
	dy := math.Max(math.Abs(p.y-side/2)-(side/2-radius), 0)
	return math.Hypot(dx, dy) <= radius
}

// near reports whether p is within distance of a line.
func near(p point, lines []line, distance float64) bool {
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			if toSegment(p, l[i-1], l[i]) <= distance {
				return true
			}
		}
	}
	return false
}

func toSegment(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		t = math.Max(0, math.Min(1, ((p.x-a.x)*dx+(p.y-a.y)*dy)/n))
	}
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy)
}
