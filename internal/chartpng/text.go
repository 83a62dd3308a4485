package chartpng

import (
	"image"
	"math"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// textSize is the size of texts that do not say theirs, in pixels of the drawing.
const textSize = 12

type faceKey struct {
	bold bool
	size float64
}

// faces are the fonts that have been used, which cannot be used at the same time.
var faces struct {
	sync.Mutex
	of map[faceKey]font.Face
}

// face returns a font. The lock is held.
func face(bold bool, size float64) font.Face {
	key := faceKey{bold, size}
	if f := faces.of[key]; f != nil {
		return f
	}
	data := goregular.TTF
	if bold {
		data = gobold.TTF
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		panic(err) // it is part of the program
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		panic(err)
	}
	if faces.of == nil {
		faces.of = map[faceKey]font.Face{}
	}
	faces.of[key] = f
	return f
}

// raised has the characters whose raised forms the font lacks.
var raised = map[rune]rune{'⁰': '0', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '-', '¹': '1', '²': '2', '³': '3'}

// A glyphRun is a part of a text in one size.
type glyphRun struct {
	text string
	up   bool
}

// runs splits a text into parts that are raised and others.
func runs(text string) (list []glyphRun) {
	for _, r := range text {
		plain, up := raised[r]
		if !up {
			plain = r
		}
		if n := len(list); n == 0 || list[n-1].up != up {
			list = append(list, glyphRun{up: up})
		}
		list[len(list)-1].text += string(plain)
	}
	return list
}

// write draws a text at its position.
func (d *drawing) write(a attributes, text string) {
	colour := paint(d.ink, "")
	text = strings.TrimSpace(text)
	if colour == nil || text == "" {
		return
	}
	size := float64(textSize)
	if v, err := strconv.ParseFloat(a["font-size"], 64); err == nil && v > 0 && v < 100 {
		size = v
	}
	size *= scale
	bold := a["font-weight"] == "bold"
	faces.Lock()
	defer faces.Unlock()
	// One pass measures, the next one draws.
	pass := func(mask *image.Alpha, x, y fixed.Int26_6) fixed.Int26_6 {
		for _, r := range runs(text) {
			drawer := font.Drawer{Face: face(bold, size), Dot: fixed.Point26_6{X: x, Y: y}}
			if r.up {
				drawer.Face, drawer.Dot.Y = face(bold, size*0.7), y-fixed.Int26_6(size*0.35*64)
			}
			if mask != nil {
				drawer.Dst, drawer.Src = mask, image.Opaque
				drawer.DrawString(r.text)
				x = drawer.Dot.X
			} else {
				x += drawer.MeasureString(r.text)
			}
		}
		return x
	}
	width := pass(nil, 0, 0).Ceil()
	above, below := int(math.Ceil(size)), int(math.Ceil(size*0.4))
	mask := image.NewAlpha(image.Rect(0, 0, width+2, above+below))
	pass(mask, 0, fixed.I(above))
	before := map[string]int{"middle": width / 2, "end": width}[a["text-anchor"]]
	x, y := round(a.number("x")), round(a.number("y"))
	if a["transform"] == "" {
		d.cover(mask, image.Pt(x-before, y-above), colour)
		return
	}
	// The only transformation is a rotation by 90° against the clock.
	d.cover(turned(mask), image.Pt(x-above, y+before-mask.Rect.Dx()), colour)
}

// turned returns a mask rotated by 90° against the clock.
func turned(m *image.Alpha) *image.Alpha {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	t := image.NewAlpha(image.Rect(0, 0, height, width))
	for y := range height {
		for x := range width {
			t.Pix[t.PixOffset(y, width-1-x)] = m.Pix[m.PixOffset(x, y)]
		}
	}
	return t
}
