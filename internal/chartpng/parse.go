package chartpng

import (
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// attributes are those of an element, by name.
type attributes map[string]string

// number returns an attribute as a number, 0 if it is missing.
func (a attributes) number(name string) float64 {
	v, _ := strconv.ParseFloat(a[name], 64)
	return v * scale
}

// known has the attributes of charts by element. Those of data, for the script of the page, need not be listed.
var known = map[string]string{
	"svg":      "xmlns width height viewBox role font-family font-size fill",
	"title":    "",
	"g":        "class clip-path",
	"clipPath": "id",
	"rect":     "x y width height fill stroke fill-opacity",
	"line":     "x1 y1 x2 y2 stroke",
	"polyline": "points fill stroke stroke-width stroke-linejoin",
	"polygon":  "points fill fill-opacity stroke stroke-width",
	"circle":   "cx cy r fill stroke",
	"path":     "d fill stroke stroke-width stroke-opacity",
	"text":     "x y text-anchor font-size font-weight transform",
	"image":    "x y width height preserveAspectRatio image-rendering href",
}

// drawing is a picture that is being drawn.
type drawing struct {
	img    *image.RGBA
	ink    string            // the colour of texts
	clips  []image.Rectangle // of the open groups, the innermost last
	inClip bool              // within a clipPath, whose rectangle is not drawn
	field  image.Rectangle   // of the clipPath
	text   attributes        // of the open text
	open   []string          // elements
	said   strings.Builder   // of the open text
}

func parse(svg string) (*drawing, error) {
	d := &drawing{}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && d.img != nil && len(d.open) == 0:
			return d, nil
		case err != nil:
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			d.open = append(d.open, t.Name.Local)
			if err := d.begin(t); err != nil {
				return nil, err
			}
		case xml.CharData:
			if d.text != nil {
				d.said.Write(t)
			}
		case xml.EndElement:
			d.open = d.open[:len(d.open)-1]
			d.end(t.Name.Local)
		}
	}
}

func (d *drawing) begin(t xml.StartElement) error {
	names, ok := known[t.Name.Local]
	if !ok {
		return errForeign
	}
	a := attributes{}
	for _, at := range t.Attr {
		name := at.Name.Local
		if !strings.HasPrefix(name, "data-") && !strings.Contains(" "+names+" ", " "+name+" ") {
			return errForeign
		}
		a[name] = at.Value
	}
	if t.Name.Local == "svg" {
		return d.start(a)
	}
	if d.img == nil {
		return errForeign
	}
	d.draw(t.Name.Local, a)
	return nil
}

// start makes the picture.
func (d *drawing) start(a attributes) error {
	width, height := a.number("width"), a.number("height")
	if d.img != nil || !(width >= 1 && height >= 1 && width*height <= maxPixels) {
		return errForeign
	}
	d.img, d.ink = image.NewRGBA(image.Rect(0, 0, int(width+0.5), int(height+0.5))), a["fill"]
	d.clips = []image.Rectangle{d.img.Bounds()}
	return nil
}

func (d *drawing) draw(name string, a attributes) {
	switch name {
	case "g":
		clip := d.clip()
		if a["clip-path"] != "" {
			clip = clip.Intersect(d.field)
		}
		d.clips = append(d.clips, clip)
	case "clipPath":
		d.inClip = true
	case "rect":
		x, y := a.number("x"), a.number("y")
		corners := []point{{x, y}, {x + a.number("width"), y}, {x + a.number("width"), y + a.number("height")}, {x, y + a.number("height")}}
		if d.inClip {
			d.field = bounds(corners)
			return
		}
		d.shape(a, true, corners)
	case "line":
		d.shape(a, false, []point{{a.number("x1"), a.number("y1")}, {a.number("x2"), a.number("y2")}})
	case "polyline", "polygon":
		d.shape(a, name == "polygon", points(a["points"]))
	case "circle":
		d.shape(a, true, circle(a.number("cx"), a.number("cy"), a.number("r")))
	case "path":
		var lines [][]point
		for _, part := range strings.Split(a["d"], "M")[1:] {
			lines = append(lines, points(part))
		}
		d.shape(a, false, lines...)
	case "text":
		d.text = a
	case "image":
		d.image(a)
	}
}

func (d *drawing) end(name string) {
	switch name {
	case "g":
		d.clips = d.clips[:len(d.clips)-1]
	case "clipPath":
		d.inClip = false
	case "text":
		d.write(d.text, d.said.String())
		d.text = nil
		d.said.Reset()
	}
}

func (d *drawing) clip() image.Rectangle { return d.clips[len(d.clips)-1] }

var number = regexp.MustCompile(`-?[\d.]+`)

// points returns the points of a list of coordinates.
func points(text string) (list []point) {
	var x float64
	for i, n := range number.FindAllString(text, -1) {
		v, _ := strconv.ParseFloat(n, 64)
		if i%2 == 0 {
			x = v * scale
			continue
		}
		list = append(list, point{x, v * scale})
	}
	return list
}

// paint returns a colour, or nil if there is none.
func paint(text, opacity string) image.Image {
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		return nil
	}
	alpha := 1.0
	if o, err := strconv.ParseFloat(opacity, 64); err == nil {
		alpha = min(1, max(0, o))
	}
	return image.NewUniform(color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), uint8(alpha*255 + 0.5)})
}

// cover paints through a mask, whose upper left corner is at a point of the picture.
func (d *drawing) cover(mask *image.Alpha, at image.Point, colour image.Image) {
	area := mask.Bounds().Add(at).Intersect(d.clip())
	draw.DrawMask(d.img, area, colour, image.Point{}, mask, area.Min.Sub(at), draw.Over)
}
