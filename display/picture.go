package display

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// SVG is a drawing. A terminal shows the drawing's title and description.
type SVG string

// MIMEBundle returns the drawing, and its title and description as text.
func (s SVG) MIMEBundle() map[string]any {
	return map[string]any{"image/svg+xml": string(s), "text/plain": s.text()}
}

// text returns the contents of the drawing's own title and desc elements.
func (s SVG) text() string {
	var said []string
	depth := 0
	d := xml.NewDecoder(strings.NewReader(string(s)))
	for {
		token, err := d.Token()
		if err != nil {
			break // at the end, or where it is no XML; a browser reports that in more detail
		}
		switch t := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			if name := t.Name.Local; depth == 2 && (name == "title" || name == "desc") {
				var content string
				if d.DecodeElement(&content, &t) == nil {
					said = append(said, strings.TrimSpace(content))
				}
				depth--
			}
		}
	}
	if len(said) == 0 {
		return "SVG drawing without a title"
	}
	return strings.Join(said, "\n")
}

// PNG is a picture, given as the contents of a PNG file. A terminal shows its size.
type PNG []byte

// MIMEBundle returns the picture, and its size as text.
func (p PNG) MIMEBundle() map[string]any {
	config, err := png.DecodeConfig(bytes.NewReader(p))
	if err != nil {
		return map[string]any{"text/plain": fmt.Sprintf("%d bytes that are no PNG picture: %v", len(p), err)}
	}
	return map[string]any{
		"image/png":  base64.StdEncoding.EncodeToString(p),
		"text/plain": fmt.Sprintf("picture of %d × %d pixels", config.Width, config.Height),
	}
}

// Image returns a picture to be shown in the middle of a cell; as the cell's last value it needs no Image.
//
//	display.Show(display.Image(photo))
func Image(img image.Image) Bundle {
	var buf bytes.Buffer
	if err := encode(&buf, img); err != nil {
		return plain(err.Error())
	}
	return PNG(buf.Bytes())
}

func encode(w io.Writer, img image.Image) error {
	if img == nil {
		return fmt.Errorf("no picture: the image is nil")
	}
	if err := valuefmt.Refused(img); err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("a picture of %d × %d pixels cannot be shown: %w", img.Bounds().Dx(), img.Bounds().Dy(), err)
	}
	return nil
}

// plain is text that is shown unchanged.
type plain string

func (p plain) MIMEBundle() map[string]any { return map[string]any{"text/plain": string(p)} }

// Number is a constraint that permits the types of values that Gray accepts.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Gray returns a picture of a table of numbers, given in row-major order. Bytes are shades from 0, black, to 255, white; other numbers
// are scaled, so that the minimum is black and the maximum white, and NaN is black. It panics if the values do not fill whole rows.
func Gray[T Number](values []T, width int) *image.Gray {
	if width <= 0 || len(values)%width != 0 {
		panic(fmt.Sprintf("display.Gray: %d values do not fill rows of %d", len(values), width))
	}
	img := image.NewGray(image.Rect(0, 0, width, len(values)/width))
	if list, ok := any(values).([]uint8); ok {
		copy(img.Pix, list)
		return img
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			lo, hi = min(lo, f), max(hi, f)
		}
	}
	for i, v := range values {
		f := float64(v)
		switch {
		case math.IsNaN(f), math.IsInf(f, -1):
		case f >= hi && hi > lo, math.IsInf(f, 1):
			img.Pix[i] = 255
		case hi > lo:
			img.Pix[i] = color.Gray{Y: uint8(math.Round(255 * (f/(hi-lo) - lo/(hi-lo))))}.Y
		}
	}
	return img
}
