package chartpng_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"github.com/gopherwarp/gopherwarp/display/plot"
	"github.com/gopherwarp/gopherwarp/internal/chartpng"
)

// charts returns a chart of each kind.
func charts() map[string]*plot.Chart {
	n := []float64{0, 1, 2, 3, 1000, 5}
	rows := [][]float64{{0, 1, 2}, {1, 4, math.NaN()}, {2, 3, 9}}
	x, y := plot.Axis{Label: "x <³>"}, plot.Axis{Label: "y"}
	return map[string]*plot.Chart{
		"lines":     plot.Lines("lines", x, plot.Axis{Label: "y", Log: true}, plot.Line("a", n, n), plot.Area("b", n, n), plot.Points("c", n, n)),
		"bars":      plot.Bars("bars", "GB/s", []string{"a", "b"}, []int{3, -5}),
		"histogram": plot.Histogram("histogram", x, n, 4),
		"boxes":     plot.Boxes("boxes", x, []string{"a"}, [][]float64{n}),
		"heat":      plot.Heat("heat", x, y, rows),
		"contour":   plot.Contour("contour", x, y, rows),
		"surface":   plot.Surface("surface", x, y, plot.Axis{}, rows),
		"image":     plot.Image("image", x, y, image.NewGray(image.Rect(0, 0, 3, 3))),
		"nothing":   plot.Lines("", x, y),
	}
}

// TestAllKinds draws all charts, and checks that each has colours besides the background.
func TestAllKinds(t *testing.T) {
	for name, c := range charts() {
		t.Run(name, func(t *testing.T) {
			img := drawn(t, c.SVG())
			colours := map[color.Color]int{}
			for y := range img.Bounds().Dy() {
				for x := range img.Bounds().Dx() {
					colours[img.At(x, y)]++
				}
			}
			if len(colours) < 20 {
				t.Errorf("%d colours", len(colours))
			}
		})
	}
}

func drawn(t *testing.T, svg string) image.Image {
	t.Helper()
	data, err := chartpng.PNG(svg)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestShapes(t *testing.T) {
	img := drawn(t, `<svg width="20" height="20" fill="#000000"><rect width="20" height="20" fill="#ffffff"/>`+
		`<clipPath id="field"><rect x="0" y="0" width="10" height="20"/></clipPath>`+
		`<g clip-path="url(#field)"><rect x="5" y="2" width="10" height="4" fill="#ff0000"/></g>`+
		`<line x1="2" y1="10" x2="18" y2="10" stroke="#0000ff"/>`+
		`<polyline points="2,14 10,14 10,18" fill="none" stroke="#00ff00" stroke-width="2"/>`+
		`<polygon points="14,12 19,12 19,19 14,19" fill="#000000" fill-opacity="0.5"/></svg>`)
	for _, tc := range []struct {
		what string
		x, y float64
		want color.NRGBA
	}{
		{"background", 1, 1, color.NRGBA{255, 255, 255, 255}},
		{"rectangle", 7, 4, color.NRGBA{255, 0, 0, 255}},
		{"its part beyond the clip path", 12, 4, color.NRGBA{255, 255, 255, 255}},
		{"line", 9, 10, color.NRGBA{0, 0, 255, 255}},
		{"above the line", 9, 9, color.NRGBA{255, 255, 255, 255}},
		{"polyline", 5, 14, color.NRGBA{0, 255, 0, 255}},
		{"its corner", 10, 14, color.NRGBA{0, 255, 0, 255}},
		{"half transparent", 16, 16, color.NRGBA{127, 127, 127, 255}},
	} {
		got := color.NRGBAModel.Convert(img.At(int(2*tc.x), int(2*tc.y))).(color.NRGBA)
		if d := int(got.R) - int(tc.want.R); got.G != tc.want.G && got.B != tc.want.B || d*d > 1 {
			t.Errorf("%s: %v, want %v", tc.what, got, tc.want)
		}
	}
}

func TestOtherDrawings(t *testing.T) {
	for _, svg := range []string{
		"", "<svg/>", "<svg width='10' height='10'>", "<svg width='10' height='10'><defs/></svg>", "<svg width='10' height='10' style='a'/>", "<svg width='1e9' height='10'/>",
		"<svg width='10' height='10'><svg width='10' height='10'/></svg>", "<rect width='10'/>", "<svg width='NaN' height='10'/>",
	} {
		if _, err := chartpng.PNG(svg); err == nil {
			t.Errorf("%q is drawn", svg)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = float64(i), math.Sin(20*float64(i)/float64(n))
			}
			svg := plot.Lines("many", plot.Axis{}, plot.Axis{}, plot.Line("a", x, y)).SVG()
			for b.Loop() {
				if _, err := chartpng.PNG(svg); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
