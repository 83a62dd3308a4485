package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestGophernotes runs cells as gophernotes' users write them, without imports, and compares the displays with that kernel's.
func TestGophernotes(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("type page struct{ title string }\nfunc (p page) HTML() string { return \"<h1>\" + p.title + \"</h1>\" }")
	n.run("type note struct{ page }\nfunc (n note) SimpleRender() display.MIMEMap { return display.MIMEMap{\"text/markdown\": \"# \" + n.title, \"text/plain\": n.title} }")
	n.run("type full struct{}\nfunc (full) Render() display.Data { return display.Data{Data: display.MIMEMap{display.MIMETypeText: \"full\", display.MIMETypeLatex: \"$x$\"}, Metadata: display.MIMEMap{\"of\": \"x\"}} }")
	n.run("type pixel struct{}\nfunc (pixel) PNG() []byte { return []byte{1, 2} }")
	for _, tc := range []struct{ cell, want string }{
		{"display.HTML(`<h1 style=\"color:green;\">Hello</h1>`)", `result: text/html <h1 style="color:green;">Hello</h1>, text/plain <h1 style="color:green;">Hello</h1>`},
		{"{\n    Display(display.Markdown(\"* hello\"))\n    Display(display.Math(`e^{i\\Pi}+1=0`))\n}", `data: text/markdown * hello, text/plain * hello; data: text/latex $$e^{i\Pi}+1=0$$, text/plain e^{i\Pi}+1=0`},
		{"page{\"A\"}", "result: text/html <h1>A</h1>, text/plain {title:A}"},
		{"func show(ps ...page) { for _, p := range ps { Display(p) } }\nshow(page{\"A\"}, page{\"B\"})", "data: text/html <h1>A</h1>, text/plain {title:A}; data: text/html <h1>B</h1>, text/plain {title:B}"},
		{"note{page{\"C\"}}", "result: text/html <h1>C</h1>, text/markdown # C, text/plain C"},
		{"full{}", "result of map[of:x]: text/latex $x$, text/plain full"},
		{"pixel{}", "result: image/png AQI=, text/plain {}"},
		{"var p *page\np", "result: text/plain <nil>"},
		{"display.MIME(display.MIMEMap{\"text/html\": \"<b>\"}, nil)", "result: text/html <b>, text/plain data of type text/html"},
		{"display.Any(\"\", image.NewGray(image.Rect(0, 0, 1, 1))).Data[\"text/plain\"]", `result: text/plain "*image.Gray of 1×1 pixels"`},
		{"Display(5)", "data: text/plain 5"},
		{"Display := func(int) {}\nDisplay(5)", ""},
	} {
		var got []string
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: tc.cell, OnOutput: func(m *kernel.Message) { got = append(got, looks(m)...) }})
		if err != nil || reply.Status != "ok" {
			t.Errorf("%s\n%v %s", tc.cell, err, reply.Value)
		}
		if got := strings.Join(got, "; "); got != tc.want {
			t.Errorf("%s\nshows %s, want %s", tc.cell, got, tc.want)
		}
	}
}

// looks returns the content of a message by MIME type.
func looks(m *kernel.Message) []string {
	kind := map[string]string{"execute_result": "result", "display_data": "data"}[m.Header.Type]
	var c struct{ Data, Metadata map[string]any }
	if kind == "" || m.DecodeContent(&c) != nil {
		return nil
	}
	var types []string
	for _, mime := range slices.Sorted(maps.Keys(c.Data)) {
		types = append(types, fmt.Sprint(mime, " ", c.Data[mime]))
	}
	if len(c.Metadata) > 0 {
		kind += fmt.Sprint(" of ", c.Metadata)
	}
	return []string{kind + ": " + strings.Join(types, ", ")}
}
