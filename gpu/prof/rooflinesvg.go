package prof

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The size of the image, and the positions of its axes, in pixels.
const (
	pictureWidth, pictureHeight = 640, 380
	plotLeft, plotRight         = 70, 620
	plotTop, plotBottom         = 20, 330
)

// axes map intensities and rates to pixels, on logarithmic scales.
type axes struct{ x0, x1, y0, y1 float64 } // the exponents at the ends

func (a axes) x(v float64) float64 {
	return plotLeft + (math.Log10(v)-a.x0)/(a.x1-a.x0)*(plotRight-plotLeft)
}

func (a axes) y(v float64) float64 {
	return plotBottom - (math.Log10(v)-a.y0)/(a.y1-a.y0)*(plotBottom-plotTop)
}

// point is a kernel in the image.
type point struct {
	name           string
	intensity, top float64
	gflops         float64 // 0 if unknown
}

// SVG returns the roofline as an image: arithmetic intensity on the x axis, operations per second on the y axis, and the roofs of the
// device's memory and its arithmetic units. A kernel is a dot; a circle on the roof is one whose rate is unknown. It is "" if there is
// nothing to show.
func (r *Report) SVG() string {
	points := r.points()
	if len(points) == 0 || r.Roofs.GBs == 0 || r.Roofs.FP32 == 0 {
		return ""
	}
	a := r.axes(points)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" font-family="sans-serif" font-size="12" fill="currentColor" role="img">`,
		pictureWidth, pictureHeight, pictureWidth)
	fmt.Fprintf(&b, "<title>Roofline</title><desc>%s</desc>", html.EscapeString(r.Roofline()))
	a.grid(&b)
	a.roof(&b, r.Roofs.GBs, r.Roofs.FP32, "FP32")
	if r.Roofs.FP64 > 0 && r.Roofs.FP64 < r.Roofs.FP32 {
		a.roof(&b, r.Roofs.GBs, r.Roofs.FP64, "FP64")
	}
	for i, p := range points {
		// Names of neighbours would overlap.
		at, anchor, dy := a.x(p.intensity), "start", 4+14*(i%3-1)
		if at > (plotLeft+plotRight)/2 {
			anchor = "end"
		}
		dx := 9
		if anchor == "end" {
			dx = -9
		}
		y := a.y(p.top)
		fill := "none"
		if p.gflops > 0 {
			y, fill = a.y(p.gflops), "#0072b2"
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="5" fill="%s" stroke="#0072b2" stroke-width="2"/>`, at, y, fill)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, at+float64(dx), y+float64(dy), anchor, html.EscapeString(p.name))
	}
	b.WriteString("</svg>")
	return b.String()
}

func (r *Report) points() []point {
	var list []point
	for i := range r.Kernels {
		k := &r.Kernels[i]
		intensity := k.Intensity()
		if intensity == 0 {
			continue
		}
		peak, _ := r.Roofs.peakOf(k)
		top, _ := r.Roofs.top(intensity, peak)
		p := point{name: k.Name, intensity: intensity, top: top}
		if !r.Simulated {
			p.gflops = k.GFlops()
		}
		list = append(list, p)
	}
	return list
}

// axes returns axes that enclose all points, and the ridge of the roof, up to the next powers of ten.
func (r *Report) axes(points []point) axes {
	ridge := r.Roofs.FP32 / r.Roofs.GBs
	a := axes{math.Log10(ridge), math.Log10(ridge), math.Log10(r.Roofs.FP32), math.Log10(r.Roofs.FP32)}
	for _, p := range points {
		x := math.Log10(p.intensity)
		a.x0, a.x1 = min(a.x0, x), max(a.x1, x)
		for _, v := range []float64{p.top, p.gflops} {
			if v > 0 {
				a.y0, a.y1 = min(a.y0, math.Log10(v)), max(a.y1, math.Log10(v))
			}
		}
	}
	a.x0, a.x1 = math.Floor(a.x0-0.3), math.Ceil(a.x1+0.3)
	a.y0, a.y1 = math.Floor(a.y0-0.3), math.Ceil(a.y1+0.1)
	return a
}

// grid draws and labels the powers of ten.
func (a axes) grid(b *strings.Builder) {
	for e := a.x0; e <= a.x1; e++ {
		x := a.x(math.Pow(10, e))
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="currentColor" stroke-opacity="0.15"/>`, x, plotTop, x, plotBottom)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%g</text>`, x, plotBottom+16, math.Pow(10, e))
	}
	for e := a.y0; e <= a.y1; e++ {
		y := a.y(math.Pow(10, e))
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="currentColor" stroke-opacity="0.15"/>`, plotLeft, y, plotRight, y)
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`, plotLeft-6, y+4, scaledShort(math.Pow(10, e)))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">FLOP/byte</text>`, (plotLeft+plotRight)/2, plotBottom+36)
	fmt.Fprintf(b, `<text x="14" y="%d" text-anchor="middle" transform="rotate(-90 14 %d)">GFLOP/s</text>`, (plotTop+plotBottom)/2, (plotTop+plotBottom)/2)
}

func scaledShort(v float64) string {
	if v >= 10000 {
		return fmt.Sprintf("%gk", v/1000)
	}
	return fmt.Sprintf("%g", v)
}

// roof draws the limit of memory up to the ridge, and that of the arithmetic units from there.
func (a axes) roof(b *strings.Builder, gbs, peak float64, name string) {
	left := math.Pow(10, a.x0)
	if bottom := math.Pow(10, a.y0); left*gbs < bottom {
		left = bottom / gbs // where the line enters the image
	}
	ridge := peak / gbs
	fmt.Fprintf(b, `<polyline points="%.1f,%.1f %.1f,%.1f %d,%.1f" fill="none" stroke="#d55e00" stroke-width="2"/>`,
		a.x(left), a.y(left*gbs), a.x(ridge), a.y(peak), plotRight, a.y(peak))
	fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#d55e00">%s</text>`, plotRight-4, a.y(peak)-5, name)
}
