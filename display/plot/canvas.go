package plot

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// The appearance of all charts. The drawing has a white background, since a picture does not know the theme of the page that it is on. The
// script of page.js replaces these colours by those of the page.
const (
	ground    = "#ffffff"
	light     = "#fefefe" // on coloured areas, in all themes
	ink       = "#22313f"
	faint     = "#d8dee4"
	fontSize  = 12.0
	charWidth = 6.8 // of a character in that size, approximately: there are no fonts here to measure
	lineGap   = 17.0

	headingSize  = 15
	headingWidth = 9.6
)

// palette has colours that are also distinguishable with colour blindness.
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b"}

// canvas collects the elements of an SVG document.
type canvas struct {
	body          strings.Builder
	width, height float64
	facts         string // for the script, as JSON
}

// document returns the whole drawing, with its title as a description for those who cannot see it.
func (c *canvas) document(title string) string {
	w, h := number(c.width, 6), number(c.height, 6)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif" font-size="%v" fill="%s"%s>`, w, h, w, h, fontSize, ink, c.attribute("data-gw", c.facts)) +
		"\n<title>" + escape(title) + "</title>\n" +
		fmt.Sprintf(`<rect width="%s" height="%s" fill="%s"/>`, w, h, ground) + "\n" + c.body.String() + "</svg>\n"
}

// attribute returns an attribute with a space before it, or nothing if the value is empty.
func (c *canvas) attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, name, escape(value))
}

// tip returns an attribute with the text that is shown under the pointer.
func (c *canvas) tip(format string, args ...any) string {
	return c.attribute("data-tip", fmt.Sprintf(format, args...))
}

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(&c.body, format+"\n", args...) }

func (c *canvas) line(x1, y1, x2, y2 float64, colour string) {
	c.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"/>`, at(x1), at(y1), at(x2), at(y2), colour)
}

func (c *canvas) rect(x, y, width, height float64, colour string) {
	c.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`, at(x), at(y), at(width), at(height), colour)
}

// An anchor is the part of a text that is at its position.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

func (c *canvas) text(x, y float64, a anchor, text string) {
	if text != "" {
		c.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, at(x), at(y), a, escape(text))
	}
}

func (c *canvas) heading(x, y float64, text string) {
	if text != "" {
		c.add(`<text x="%s" y="%s" font-size="%d" font-weight="bold">%s</text>`, at(x), at(y), headingSize, escape(text))
	}
}

// upward writes a text rotated by 90°, to be read from bottom to top.
func (c *canvas) upward(x, y float64, text string) {
	if text != "" {
		c.add(`<text x="%s" y="%s" text-anchor="middle" transform="rotate(-90 %[1]s %[2]s)">%[3]s</text>`, at(x), at(y), escape(text))
	}
}

// at formats a position in pixels.
func at(v float64) string { return number(math.Round(v*10)/10, 6) }

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder returns no errors
	return b.String()
}

// textWidth returns the approximate width of a text, in pixels.
func textWidth(s string) float64 { return charWidth * float64(utf8.RuneCountInString(s)) }

// shortened truncates a text that has more than most characters.
func shortened(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
