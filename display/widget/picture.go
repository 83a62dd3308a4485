package widget

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
)

// An Image is a picture that can be replaced many times a second: its bytes are not converted to text.
type Image struct{ *Widget }

// NewImage returns an empty picture.
func NewImage(options ...Option) *Image {
	p := &Image{newWidget(imageModel, nil, options)}
	p.open()
	return p
}

// encoder compresses little: a front end on the same machine has the picture sooner.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed}

// Show replaces the picture. It fails if the image has no pixels or the widget is closed.
func (p *Image) Show(img image.Image) error {
	if img == nil || img.Bounds().Empty() {
		return errors.New("show an image: it has no pixels")
	}
	var buf bytes.Buffer
	if err := encoder.Encode(&buf, img); err != nil {
		return fmt.Errorf("show an image: %w", err)
	}
	return p.Set(buf.Bytes())
}

// Set replaces the picture by the contents of a file of PNG, JPEG, GIF, WebP or SVG. The slice must not be changed later.
func (p *Image) Set(data []byte) error {
	format := formatOf(data)
	if format == "" {
		return errors.New("set an image: it is none of PNG, JPEG, GIF, WebP and SVG")
	}
	if p.get("format") != format {
		if err := p.SetTrait("format", format); err != nil {
			return err
		}
	}
	return p.SetTrait("value", data)
}

// formatOf returns the front end's name of a file's format, or "".
func formatOf(data []byte) string {
	head := string(data[:min(len(data), 512)])
	switch {
	case strings.HasPrefix(head, "\x89PNG\r\n"):
		return "png"
	case strings.HasPrefix(head, "\xff\xd8\xff"):
		return "jpeg"
	case strings.HasPrefix(head, "GIF8"):
		return "gif"
	case len(head) > 12 && head[:4] == "RIFF" && head[8:12] == "WEBP":
		return "webp"
	case strings.Contains(head, "<svg"):
		return "svg+xml"
	}
	return ""
}
