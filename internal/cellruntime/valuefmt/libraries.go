package valuefmt

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"reflect"
	"strings"
)

// The size in points at which plots of gonum.org/v1/plot are drawn: 640 × 400 pixels.
const gonumWidth, gonumHeight = 480.0, 300.0

// ofLibrary adds the representations of charts of gonum.org/v1/plot and of go-echarts, which are found by their methods, so that cells
// that do not use these libraries need not have them.
func ofLibrary(v any, data map[string]any) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return
	}
	switch path := t.Elem().PkgPath(); {
	case path == "gonum.org/v1/plot":
		gonumPlot(reflect.ValueOf(v), data)
	case strings.HasPrefix(path, "github.com/go-echarts/go-echarts/"):
		if page, ok := v.(interface{ Render(io.Writer) error }); ok {
			echarts(page, data)
		}
	}
}

// gonumPlot calls the method WriterTo(width, height vg.Length, format string) (io.WriterTo, error).
func gonumPlot(v reflect.Value, data map[string]any) {
	method := v.MethodByName("WriterTo")
	if !method.IsValid() || method.Type().NumIn() != 3 || method.Type().In(0).Kind() != reflect.Float64 {
		return
	}
	length := func(points float64) reflect.Value { return reflect.ValueOf(points).Convert(method.Type().In(0)) }
	for format, mime := range map[string]string{"svg": "image/svg+xml", "png": "image/png"} {
		out := method.Call([]reflect.Value{length(gonumWidth), length(gonumHeight), reflect.ValueOf(format)})
		if err, _ := out[1].Interface().(error); err != nil {
			data[mime] = fmt.Errorf("draw the plot: %w", err)
			continue
		}
		var b bytes.Buffer
		if w, ok := out[0].Interface().(io.WriterTo); ok {
			if _, err := w.WriteTo(&b); err != nil {
				data[mime] = fmt.Errorf("draw the plot: %w", err)
				continue
			}
		}
		data[mime] = b.Bytes()
	}
	text := "plot of gonum.org/v1/plot"
	if title := reflect.Indirect(v).FieldByName("Title"); title.Kind() == reflect.Struct {
		if name := title.FieldByName("Text"); name.Kind() == reflect.String && name.Len() > 0 {
			text = "plot " + name.String()
		}
	}
	data["text/plain"] = text
	if svg, ok := data["image/svg+xml"].([]byte); ok { // in a page: nbconvert makes no PDF of a notebook with SVG without Inkscape
		data["text/html"] = fmt.Sprintf(`<img alt="%s" src="data:image/svg+xml;base64,%s"/>`, html.EscapeString(text), base64.StdEncoding.EncodeToString(svg))
		delete(data, "image/svg+xml")
	}
}

// echarts shows the page that go-echarts writes in a frame of its own. Its script comes from the address that the chart names.
func echarts(chart interface{ Render(io.Writer) error }, data map[string]any) {
	var b bytes.Buffer
	name := strings.TrimPrefix(fmt.Sprintf("%T", chart), "*")
	data["text/plain"] = "chart of go-echarts (" + name + ")"
	if err := chart.Render(&b); err != nil {
		data["text/html"] = fmt.Errorf("draw the chart: %w", err)
		return
	}
	data["text/html"] = fmt.Sprintf(`<iframe title="%s" sandbox="allow-scripts" style="width:100%%;height:560px;border:0;background:#fff" srcdoc="%s"></iframe>`,
		html.EscapeString(name), html.EscapeString(b.String()))
}
