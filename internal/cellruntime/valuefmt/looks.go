// Package valuefmt returns the representations of values in a notebook, for results of cells and for Display.
package valuefmt

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The interfaces of values with their own representations. MIMEBundle is this kernel's. The others are those of gophernotes,
// so that notebooks and packages written for it work unchanged.
type (
	bundle interface{ MIMEBundle() map[string]any }

	// rendering has the fields and type of gophernotes's, so that other packages can declare it, too.
	rendering    = struct{ Data, Metadata, Transient map[string]any }
	renderer     interface{ Render() rendering }
	simpleRender interface{ SimpleRender() map[string]any }
	htmler       interface{ HTML() string }
	javaScripter interface{ JavaScript() string }
	jpeger       interface{ JPEG() []byte }
	jsoner       interface{ JSON() map[string]any }
	latexer      interface{ Latex() string }
	markdowner   interface{ Markdown() string }
	pnger        interface{ PNG() []byte }
	pdfer        interface{ PDF() []byte }
	svger        interface{ SVG() string }
)

// Of returns the representations of a value by MIME type, and their metadata. ok reports whether the value has any
// besides its text.
func Of(v any) (data, metadata map[string]any, ok bool) {
	if b, ok := v.(bundle); ok {
		return b.MIMEBundle(), nil, true
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
		return nil, nil, false
	}
	data, metadata = map[string]any{}, map[string]any{}
	if ofLibrary(v, data); len(data) > 0 {
		return data, nil, true
	}
	add := func(mime string, content any) { data[mime] = content }
	if v, ok := v.(renderer); ok {
		r := v.Render()
		maps.Copy(data, r.Data)
		maps.Copy(metadata, r.Metadata)
	}
	if v, ok := v.(simpleRender); ok {
		maps.Copy(data, v.SimpleRender())
	}
	if v, ok := v.(htmler); ok {
		add("text/html", v.HTML())
	}
	if v, ok := v.(javaScripter); ok {
		add("application/javascript", v.JavaScript())
	}
	if v, ok := v.(jpeger); ok {
		add("image/jpeg", v.JPEG())
	}
	if v, ok := v.(jsoner); ok {
		add("application/json", v.JSON())
	}
	if v, ok := v.(latexer); ok {
		add("text/latex", v.Latex())
	}
	if v, ok := v.(markdowner); ok {
		add("text/markdown", v.Markdown())
	}
	if v, ok := v.(pnger); ok {
		add("image/png", v.PNG())
	}
	if v, ok := v.(pdfer); ok {
		add("application/pdf", v.PDF())
	}
	if v, ok := v.(svger); ok {
		add("image/svg+xml", v.SVG())
	}
	switch v := v.(type) {
	case rendering:
		maps.Copy(data, v.Data)
		maps.Copy(metadata, v.Metadata)
		if data["text/plain"] == nil && len(data) > 0 {
			add("text/plain", "data of type "+strings.Join(slices.Sorted(maps.Keys(v.Data)), ", "))
		}
	case image.Image:
		picture(v, data)
	}
	return data, metadata, len(data) > 0
}

func picture(img image.Image, data map[string]any) {
	b := img.Bounds()
	data["text/plain"] = fmt.Sprintf("%T of %d×%d pixels", img, b.Dx(), b.Dy())
	if err := Refused(img); err != nil {
		data["image/png"] = err
		return
	}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err == nil {
		data["image/png"] = buf.Bytes()
	}
}

// The largest picture that browsers show on all systems.
const (
	maxSide   = 16_384
	maxPixels = 64 << 20
)

// Refused returns an error if a picture is larger than browsers can show. It takes no time, where encoding it would take long.
func Refused(img image.Image) error {
	b := img.Bounds()
	if b.Dx() <= maxSide && b.Dy() <= maxSide && b.Dx()*b.Dy() <= maxPixels {
		return nil
	}
	return fmt.Errorf("a picture of %d × %d pixels (%d MB) is larger than browsers show (%d on a side, %d million in all): show a part of it, scale it down, or write it to a file",
		b.Dx(), b.Dy(), b.Dx()*b.Dy()*4/1_000_000, maxSide, maxPixels/1_000_000)
}
