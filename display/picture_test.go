package display

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestSVGTellsItsTitle(t *testing.T) {
	for _, c := range []struct{ drawing, want string }{
		{`<svg><title> Rates </title><desc>two lines</desc><g><title>not this</title></g></svg>`, "Rates\ntwo lines"},
		{`<svg><g/></svg>`, "SVG drawing without a title"},
		{`no drawing`, "SVG drawing without a title"},
	} {
		mime := SVG(c.drawing).MIMEBundle()
		if mime["text/plain"] != c.want || mime["image/svg+xml"] != c.drawing {
			t.Errorf("%s: %q", c.drawing, mime)
		}
	}
}

func TestImage(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.Set(2, 1, color.NRGBA{10, 20, 30, 255})
	mime := Image(img).MIMEBundle()
	if mime["text/plain"] != "picture of 3 × 2 pixels" {
		t.Errorf("text %q", mime["text/plain"])
	}
	data, err := base64.StdEncoding.DecodeString(mime["image/png"].(string))
	if err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(bytes.NewReader(data))
	if err != nil || back.At(2, 1) != img.At(2, 1) {
		t.Errorf("came back as %v, %v", back, err)
	}
	for name, v := range map[string]Bundle{"nil": Image(nil), "empty": Image(image.NewGray(image.Rect(0, 0, 0, 5))), "no PNG": PNG("GIF")} {
		mime := v.MIMEBundle()
		if text, _ := mime["text/plain"].(string); mime["image/png"] != nil || !strings.Contains(text, "picture") && !strings.Contains(text, "image") {
			t.Errorf("%s: %v", name, mime)
		}
	}
}

func TestGray(t *testing.T) {
	if got := Gray([]byte{0, 7, 255, 9}, 2); !slices.Equal(got.Pix, []byte{0, 7, 255, 9}) || got.Rect.Dy() != 2 {
		t.Errorf("bytes: %v", got)
	}
	for _, c := range []struct {
		values []float64
		want   []byte
	}{
		{[]float64{-1, 0, 1}, []byte{0, 128, 255}},
		{[]float64{math.NaN(), math.Inf(1), math.Inf(-1), 2, 4}, []byte{0, 255, 0, 0, 255}},
		{[]float64{3, 3}, []byte{0, 0}},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, []byte{0, 255}},
	} {
		if got := Gray(c.values, 1); !slices.Equal(got.Pix, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got.Pix, c.want)
		}
	}
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "3 values do not fill rows of 2") {
			t.Errorf("panicked with %q", text)
		}
	}()
	Gray([]int{1, 2, 3}, 2)
}
