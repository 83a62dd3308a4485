package display

import (
	"fmt"
	"image"
	"strings"
	"testing"
)

func TestAnimate(t *testing.T) {
	a := Animate(3, 20, func(i int) any { return image.NewGray(image.Rect(0, 0, 1+i, 2)) })
	mime := a.MIMEBundle()
	page := mime["text/html"].(string)
	if n := strings.Count(page, "data:image/png;base64,"); n != 4 { // the first one is there twice
		t.Errorf("%d pictures", n)
	}
	for _, want := range []string{`max="2"`, `alt="animation of 3 pictures, 20 per second`, ", 50)</script>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	want := "animation of 3 pictures, 20 per second\npicture 0:\n*image.Gray of 1×2 pixels\npicture 2:\n*image.Gray of 3×2 pixels"
	if mime["text/plain"] != want {
		t.Errorf("%q", mime["text/plain"])
	}
	if png, ok := mime["image/png"].([]byte); !ok || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Error("no first picture")
	}
	if text := Animate(1, 1, func(int) any { return SVG("<svg><title>t</title></svg>") }).MIMEBundle()["text/plain"]; text != "animation of 1 picture, 1 per second\npicture 0:\nt" {
		t.Errorf("%q", text)
	}
}

func TestAnimateInvalid(t *testing.T) {
	for _, tc := range []struct {
		n         int
		perSecond float64
		v         any
		want      string
	}{
		{0, 1, nil, "0 pictures"},
		{1, 0, nil, "0 per second"},
		{2, 1, 3, "picture 0: a value of type int is not a picture"},
		{2, 1, Markdown("a"), "has no picture"},
		{2, 1, image.NewAlpha(image.Rect(0, 0, 20_000, 10_000)), "larger than browsers show"},
	} {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, tc.want) {
					t.Errorf("%q, want %q", text, tc.want)
				}
			}()
			Animate(tc.n, tc.perSecond, func(int) any { return tc.v })
		}()
	}
}
