// Package chartpng draws the SVG of package display/plot as PNG, for exports and pages that show no SVG. It knows only the elements and
// attributes that these charts have (parse.go), and draws them with golang.org/x/image (draw.go, text.go).
//
// It belongs to the kernel process: session processes, which make the charts, have no modules.
package chartpng

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
)

// scale is the number of pixels of the picture in a pixel of the drawing.
const scale = 2

// maxPixels is the maximum number of pixels of a picture.
const maxPixels = 16 << 20

// errForeign is the error for drawings that are not of package plot.
var errForeign = errors.New("the drawing has elements that charts do not have")

// PNG returns a chart's drawing as a PNG file. Other drawings give an error.
func PNG(svg string) ([]byte, error) {
	d, err := parse(svg)
	if err != nil {
		return nil, fmt.Errorf("draw a chart: %w", err)
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, d.img); err != nil {
		return nil, fmt.Errorf("draw a chart: %w", err)
	}
	return b.Bytes(), nil
}
