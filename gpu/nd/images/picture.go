package images

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Pixel is a constraint that permits the types of a picture's elements.
type Pixel interface{ uint8 | float32 }

func fail(op, format string, args ...any) {
	panic(&nd.Error{Op: "images." + op, Msg: fmt.Sprintf(format, args...)})
}

// size returns a picture's height, width and number of channels.
func size[T Pixel](op string, a *nd.Array[T]) (height, width, channels int) {
	switch s := a.Shape(); len(s) {
	case 2:
		return s[0], s[1], 1
	case 3:
		return s[0], s[1], s[2]
	default:
		fail(op, "an array of %d axes is no picture: want (height, width) or (height, width, channels)", len(s))
		return 0, 0, 0
	}
}

// FromImage returns a picture as an array of shape (height, width, 4): red, green, blue and alpha, not premultiplied. Gray pictures have
// the shape (height, width).
func FromImage(m image.Image) *nd.Array[uint8] {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	if gray, ok := m.(*image.Gray); ok {
		host := make([]uint8, 0, w*h)
		for y := range h {
			host = append(host, gray.Pix[y*gray.Stride:][:w]...)
		}
		return nd.FromSlice(host, h, w)
	}
	host := make([]uint8, 0, 4*w*h)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			host = append(host, c.R, c.G, c.B, c.A)
		}
	}
	return nd.FromSlice(host, h, w, 4)
}

// ToImage returns an array of 1, 3 or 4 channels as a picture. Floats from 0 to 1 become 0 to 255; values outside are clipped. It waits
// for the device.
func ToImage[T Pixel](a *nd.Array[T]) image.Image {
	const op = "ToImage"
	h, w, channels := size(op, a)
	host := bytesOf(a)
	if channels == 1 {
		return &image.Gray{Pix: host, Stride: w, Rect: image.Rect(0, 0, w, h)}
	}
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	switch channels {
	case 4:
		copy(m.Pix, host)
	case 3:
		for i := range w * h {
			copy(m.Pix[4*i:], host[3*i:][:3])
			m.Pix[4*i+3] = 255
		}
	default:
		fail(op, "a picture of %d channels cannot be shown: want 1, 3 or 4", channels)
	}
	return m
}

// bytesOf returns the elements as numbers from 0 to 255.
func bytesOf[T Pixel](a *nd.Array[T]) []uint8 {
	switch list := any(a.ToHost()).(type) {
	case []uint8:
		return list
	case []float32:
		out := make([]uint8, len(list))
		for i, v := range list {
			if v > 0 { // which NaN is not
				out[i] = uint8(min(v, 1)*255 + 0.5)
			}
		}
		return out
	}
	panic("images: no such pixels")
}

// Normalized returns the array scaled so that its minimum is 0 and its maximum is 1, to show arrays that are not pictures.
func Normalized[T nd.Real](a *nd.Array[T]) *nd.Array[float32] {
	x := nd.AsType[float32](a)
	low, high := x.Min(), x.Max()
	if low.Item() == high.Item() {
		return nd.ZerosLike(x)
	}
	return x.Sub(low).Div(high.Sub(low))
}

// ReadPNG reads a PNG file and returns the picture as FromImage does.
func ReadPNG(path string) (*nd.Array[uint8], error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	defer f.Close()
	return DecodePNG(bufio.NewReader(f))
}

// DecodePNG reads a PNG picture and returns it as FromImage does.
func DecodePNG(r io.Reader) (a *nd.Array[uint8], err error) {
	m, err := png.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	err = nd.Try(func() { a = FromImage(m) })
	return a, err
}

// WritePNG writes a picture to a PNG file, converted as by ToImage. An existing file is replaced.
func WritePNG[T Pixel](path string, a *nd.Array[T]) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing a picture: %w", err)
	}
	err = EncodePNG(f, a)
	if closing := f.Close(); err == nil && closing != nil {
		err = fmt.Errorf("writing a picture: %w", closing)
	}
	return err
}

// EncodePNG writes a picture as PNG, converted as by ToImage.
func EncodePNG[T Pixel](w io.Writer, a *nd.Array[T]) error {
	var m image.Image
	if err := nd.Try(func() { m = ToImage(a) }); err != nil {
		return err
	}
	if err := png.Encode(w, m); err != nil {
		return fmt.Errorf("writing a picture: %w", err)
	}
	return nil
}

// Grayscale returns the brightness (luma) of a picture with at least 3 channels: 0.299·red + 0.587·green + 0.114·blue. Alpha is ignored.
func Grayscale[T Pixel](a *nd.Array[T]) *nd.Array[T] {
	_, _, channels := size("Grayscale", a)
	if channels < 3 {
		fail("Grayscale", "a picture of %d channels has no colours: want at least 3", channels)
	}
	x := nd.AsType[float32](a)
	channel := func(i int, weight float32) *nd.Array[float32] {
		return x.Slice(nd.Rest, nd.At(i)).MulScalar(weight)
	}
	sum := channel(0, 0.299).Add(channel(1, 0.587)).Add(channel(2, 0.114))
	if a.DType() == nd.Uint8 {
		sum = nd.Rint(sum)
	}
	return nd.AsType[T](sum)
}
