package images

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// host is a picture in plain Go.
type host struct {
	h, w, channels int
	data           []float64
}

func (p *host) at(y, x, c int, border Border) float64 {
	bend := func(i, n int) int {
		for i < 0 || i >= n {
			switch border {
			case Reflect:
				if i < 0 {
					i = -1 - i
				} else {
					i = 2*n - 1 - i
				}
			case Nearest:
				i = min(max(i, 0), n-1)
			case Wrap:
				i = (i + n) % n
			case Zero:
				return -1
			}
		}
		return i
	}
	y, x = bend(y, p.h), bend(x, p.w)
	if y < 0 || x < 0 {
		return 0
	}
	return p.data[(y*p.w+x)*p.channels+c]
}

// each returns a picture made of another one, pixel by pixel.
func (p *host) each(h, w int, f func(y, x, c int) float64) *host {
	out := &host{h: h, w: w, channels: p.channels}
	for y := range h {
		for x := range w {
			for c := range p.channels {
				out.data = append(out.data, f(y, x, c))
			}
		}
	}
	return out
}

// random returns a picture on the device and on the host. Floats are whole numbers, too.
func random[T Pixel](h, w, channels int) (*nd.Array[T], *host) {
	r := rand.New(rand.NewPCG(3, uint64(h*w*channels)))
	p := &host{h: h, w: w, channels: channels}
	list := make([]T, h*w*channels)
	for i := range list {
		list[i] = T(r.IntN(256))
		p.data = append(p.data, float64(list[i]))
	}
	shape := []int{h, w, channels}
	if channels == 1 {
		shape = shape[:2]
	}
	return nd.FromSlice(list, shape...), p
}

// compare fails unless the pictures of the device and of the host are equal: within a tolerance for float32, and for uint8 except for
// numbers that are nearly halfway between two integers.
func compare[T Pixel](t *testing.T, what string, got *nd.Array[T], want *host, within float64) {
	t.Helper()
	list := got.ToHost()
	if len(list) != len(want.data) {
		t.Fatalf("%s: there are %d numbers, want %d", what, len(list), len(want.data))
	}
	for i, v := range list {
		w := want.data[i]
		limit := within
		if got.DType() == nd.Uint8 {
			w = min(max(w, 0), 255)
			limit += 0.5
		}
		if math.Abs(float64(v)-w) > limit {
			t.Fatalf("%s: number %d is %v, want %v", what, i, v, w)
		}
	}
}

func TestFilters(t *testing.T) {
	t.Run("uint8", filters[uint8])
	t.Run("float32", filters[float32])
}

func filters[T Pixel](t *testing.T) {
	for _, shape := range [][3]int{{7, 9, 1}, {5, 4, 3}, {1, 1, 1}, {2, 30, 4}} {
		a, p := random[T](shape[0], shape[1], shape[2])
		what := fmt.Sprint(" of ", shape)
		weights := []float64{0.25, -1, 0.5, 0.125, 2, 0, -0.5, 1}
		w := nd.AsType[float32](nd.FromSlice(weights, 2, 4))
		for _, border := range []Border{Reflect, Nearest, Wrap, Zero} {
			compare(t, fmt.Sprint("Correlate, border ", border, what), Correlate(a, w, border), p.each(p.h, p.w, func(y, x, c int) (sum float64) {
				for i, v := range weights {
					sum += v * p.at(y+i/4-1, x+i%4-2, c, border)
				}
				return sum
			}), 0)
			compare(t, fmt.Sprint("Convolve, border ", border, what), Convolve(a, w, border), p.each(p.h, p.w, func(y, x, c int) (sum float64) {
				for i, v := range weights {
					sum += v * p.at(y-i/4+1, x-i%4+2, c, border)
				}
				return sum
			}), 0)
		}
		compare(t, "Sobel"+what, Sobel(a, 0), p.each(p.h, p.w, func(y, x, c int) (sum float64) {
			for i, v := range []float64{1, 2, 1} {
				sum += v * (p.at(y+1, x+i-1, c, Reflect) - p.at(y-1, x+i-1, c, Reflect))
			}
			return sum
		}), 0)
		compare(t, "Median"+what, Median(a, 3), p.each(p.h, p.w, func(y, x, c int) float64 {
			var list []float64
			for i := range 9 {
				list = append(list, p.at(y+i/3-1, x+i%3-1, c, Reflect))
			}
			slices.Sort(list)
			return list[4]
		}), 0)
		const sigma = 1.3
		radius := 5
		bell := func(i int) float64 { return math.Exp(-float64(i*i) / (2 * sigma * sigma)) }
		compare(t, "GaussianBlur"+what, GaussianBlur(a, sigma), p.each(p.h, p.w, func(y, x, c int) float64 {
			sum, total := 0.0, 0.0
			for i := -radius; i <= radius; i++ {
				for j := -radius; j <= radius; j++ {
					sum += bell(i) * bell(j) * p.at(y+i, x+j, c, Reflect)
					total += bell(i) * bell(j)
				}
			}
			return sum / total
		}), 1e-3)
		for _, to := range [][2]int{{p.h, p.w}, {2 * p.h, 3 * p.w}, {4, 3}, {1, 1}} {
			compare(t, fmt.Sprint("Resize to ", to, what), Resize(a, to[0], to[1], NearestPixel), p.each(to[0], to[1], func(y, x, c int) float64 {
				return p.at((2*y+1)*p.h/(2*to[0]), (2*x+1)*p.w/(2*to[1]), c, Nearest)
			}), 0)
			compare(t, fmt.Sprint("Resize, linear, to ", to, what), Resize(a, to[0], to[1], Linear), p.each(to[0], to[1], func(y, x, c int) (sum float64) {
				fy, fx := (float64(y)+0.5)*float64(p.h)/float64(to[0])-0.5, (float64(x)+0.5)*float64(p.w)/float64(to[1])-0.5
				for i := range 4 {
					py, px := math.Floor(fy)+float64(i/2), math.Floor(fx)+float64(i%2)
					sum += (1 - math.Abs(fy-py)) * (1 - math.Abs(fx-px)) * p.at(int(py), int(px), c, Nearest)
				}
				return sum
			}), 1e-3)
		}
	}
	a, p := random[T](6, 5, 3)
	compare(t, "Grayscale", Grayscale(a), &host{data: (&host{h: 6, w: 5, channels: 1}).each(6, 5, func(y, x, _ int) float64 {
		return 0.299*p.at(y, x, 0, Zero) + 0.587*p.at(y, x, 1, Zero) + 0.114*p.at(y, x, 2, Zero)
	}).data}, 1e-3)
	turned := a.Transpose(1, 0, 2)
	compare(t, "a turned picture", Median(turned, 1), p.each(5, 6, func(y, x, c int) float64 { return p.at(x, y, c, Zero) }), 0)
}

func TestEdges(t *testing.T) {
	step := nd.FromSlice([]float32{0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4}, 3, 4)
	if got, want := Edges(step).ToHost()[4:8], []float32{0, 16, 16, 0}; !slices.Equal(got, want) {
		t.Errorf("the edges of a step are %v, want %v", got, want)
	}
}

func TestPNG(t *testing.T) {
	path := filepath.Join(t.TempDir(), "picture.png")
	for _, channels := range []int{1, 4} {
		a, _ := random[uint8](5, 7, channels)
		if err := WritePNG(path, a); err != nil {
			t.Fatal(err)
		}
		back, err := ReadPNG(path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Shape(), a.Shape()) || !slices.Equal(back.ToHost(), a.ToHost()) {
			t.Errorf("a picture of %d channels comes back as\n%v, it was\n%v", channels, back, a)
		}
	}
	rgb, p := random[uint8](2, 3, 3)
	if got, want := ToImage(rgb).At(1, 1), (color.NRGBA{uint8(p.at(1, 1, 0, Zero)), uint8(p.at(1, 1, 1, Zero)), uint8(p.at(1, 1, 2, Zero)), 255}); got != want {
		t.Errorf("pixel (1, 1) is %v, want %v", got, want)
	}
	floats := nd.FromSlice([]float32{-1, 0.5, float32(math.NaN()), 2}, 2, 2)
	if got := ToImage(floats).(*image.Gray).Pix; !bytes.Equal(got, []byte{0, 128, 0, 255}) {
		t.Errorf("floats are shown as %v", got)
	}
	if got := Normalized(nd.FromSlice([]int32{-2, 0, 2})).ToHost(); !slices.Equal(got, []float32{0, 0.5, 1}) {
		t.Errorf("normalized: %v", got)
	}
	part := image.NewGray(image.Rect(0, 0, 4, 4)).SubImage(image.Rect(1, 1, 3, 4))
	if got := FromImage(part).Shape(); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("a part of a picture has the shape %v", got)
	}
}

func TestErrors(t *testing.T) {
	a := nd.Zeros[uint8](4, 4)
	for want, f := range map[string]func(){
		"images.Median: a window of 4 pixels":                      func() { Median(a, 4) },
		"images.Grayscale: a picture of 1 channels has no colours": func() { Grayscale(a) },
		"images.Correlate: an array of 1 axes is no picture":       func() { Correlate(nd.Zeros[uint8](4), nd.Ones[float32](1, 1), Zero) },
		"images.Correlate: the weights have shape [3]":             func() { Correlate(a, nd.Ones[float32](3), Zero) },
		"images.ToImage: a picture of 2 channels":                  func() { ToImage(nd.Zeros[uint8](1, 1, 2)) },
		"a picture of 0 × 4 pixels cannot become one of 2 × 2":     func() { Resize(nd.Zeros[uint8](4, 0), 2, 2, Linear) },
		"images.Sobel: axis 2 of a picture":                        func() { Sobel(a, 2) },
		"images.GaussianBlur: the standard deviation is NaN":       func() { GaussianBlur(a, math.NaN()) },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if _, err := ReadPNG("nowhere.png"); err == nil || !strings.Contains(err.Error(), "reading a picture: open nowhere.png") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := DecodePNG(strings.NewReader("no picture")); err == nil {
		t.Error("text was taken for a picture")
	}
}
