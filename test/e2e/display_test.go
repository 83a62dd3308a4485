package e2e

import (
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/modproxy"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestTablesAndCharts checks that tables and charts need no import, and use the names and
// methods of a cell's own types.
func TestTablesAndCharts(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, tc := range []struct{ cell, want string }{
		{
			"type timed struct {\n\tsize int `table:\"numbers\"`\n\ttook time.Duration\n}\ndisplay.Table([]timed{{8, 1500}})",
			"numbers   took\n───────  ─────\n      8  1.5µs",
		},
		{`display.Table(map[string]timed{"a": {1, 2}})`, "key  numbers  took\n───  ───────  ────\na          1   2ns"},
		{`plot.Bars("rates", "GB/s", []string{"a"}, []int{3})`, "rates\nGB/s\na  3  ████████████████████████████████████████"},
		{`plot.Lines("times", plot.Axis{}, plot.Axis{}, plot.Line("of a", []int{1}, []time.Duration{2}))`, "times\nx  of a\n1     2"},
		{"display.Gray([]float64{1, 2}, 2)", "*image.Gray of 2×1 pixels"},
	} {
		if got := n.run(tc.cell).result; got != tc.want {
			t.Errorf("%s\ngives %q, want %q", tc.cell, got, tc.want)
		}
	}
}

// peak returns the maximum resident memory of a process, in bytes.
func peak(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	t.Fatalf("no peak in %s", status)
	return 0
}

func TestLargeDisplays(t *testing.T) {
	t.Parallel()
	n := open(t)
	parent, err := strconv.Atoi(n.run("kept := 7\nos.Getppid()").result)
	if err != nil {
		t.Fatal(err)
	}
	before := peak(t, parent)
	const size = 20_000_000 // displayed as Markdown and as text
	if o := n.run("display.Show(display.Markdown(strings.Repeat(`x`, 20_000_000)))"); len(o.shown) != size {
		t.Errorf("%d bytes came, want %d", len(o.shown), size)
	}
	used := peak(t, parent) - before
	t.Logf("the kernel took %d MB for a bundle of 40", used/1e6)
	if used > 6*2*size {
		t.Errorf("the kernel took %d MB for a bundle of 40", used/1e6)
	}
	for _, tc := range []struct{ name, cell, want string }{
		{"larger than a notebook holds", "display.Show(display.Markdown(strings.Repeat(`x`, 30_000_000)))", "60.0 MB at once are more than a notebook can hold (50 MB)"},
		{"one large value", "display.Show(display.HTML(strings.Repeat(`x`, 400_000_000)))", "400.0 MB at once"},
		{"a large picture", "img := image.NewRGBA(image.Rect(0, 0, 8000, 2500))\nfor i := range img.Pix { img.Pix[i] = byte(rand.Int()) | 3 }\nimg", "MB at once are more than a notebook can hold (50 MB): show a part of it, write it to a file"},
		{"a picture of 200 MB", "image.NewAlpha(image.Rect(0, 0, 20_000, 10_000))", "a picture of 20000 × 10000 pixels (800 MB) is larger than browsers show"},
		{"the same in the middle of a cell", "Display(image.NewAlpha(image.Rect(0, 0, 20_000, 10_000)))", "is larger than browsers show"},
		{"no MIME type", "Display(display.MIME(display.MIMEMap{`html`: `<b>`}, nil))", `"html" is no MIME type`},
		{"no base64", "Display(display.MIME(display.MIMEMap{`image/png`: `<png>`}, nil))", "image/png can't be shown: the string is not base64: give the contents of the file as []byte"},
		{"no text", "Display(display.MIME(display.MIMEMap{`text/html`: 3}, nil))", "text/html can't be shown: a value of type int is there instead of a string or bytes"},
		{"no UTF-8", "display.HTML(\"\\xff\")", "text/html can't be shown: the text is not valid UTF-8"},
		{"no JSON", "Display(display.MIME(display.MIMEMap{`application/json`: func() {}}, nil))", "application/json can't be shown: json: unsupported type: func()"},
		{"no JSON as the last value", "type odd struct{}\nfunc (odd) MIMEBundle() map[string]any { return map[string]any{`a/b`: math.Inf(1)} }\nodd{}", "a/b can't be shown: json: unsupported value: +Inf"},
		{"a limit of one's own", "%env GOPHERWARP_DISPLAY_MB=1\ndisplay.Show(display.HTML(strings.Repeat(`x`, 600_000)))", "set more by %env GOPHERWARP_DISPLAY_MB=2"},
		{"no number", "%env GOPHERWARP_DISPLAY_MB=many\ndisplay.Show(display.HTML(strings.Repeat(`x`, 60_000_000)))", "can hold (50 MB)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n.t = t
			n.fails(tc.cell, tc.want)
			n.gives("kept", "7")
		})
	}
	n.t = t
	if o := n.run("%env GOPHERWARP_DISPLAY_MB=100\ndisplay.Show(display.Markdown(strings.Repeat(`x`, 30_000_000)))"); len(o.shown) != 30_000_000 {
		t.Errorf("%d bytes came", len(o.shown))
	}
}

// TestRichCells checks the types of the output of cells in other languages, and of values of package display.
func TestRichCells(t *testing.T) {
	t.Parallel()
	n := open(t)
	types := func(code string) map[string]any {
		t.Helper()
		var data map[string]any
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
			var c struct{ Data map[string]any }
			if m.DecodeContent(&c) == nil && c.Data != nil {
				data = c.Data
			}
		}})
		if err != nil || reply.Status != "ok" {
			t.Fatalf("%s: %v, %+v", code, err, reply)
		}
		return data
	}
	for _, tc := range []struct{ cell, mime, want string }{
		{"%%html\n<b>a</b>", "text/html", "<b>a</b>"},
		{"%%latex\nx^2", "text/latex", "$$x^2$$"},
		{"%%latex\n$a$ and $b$", "text/latex", "$a$ and $b$"},
		{"%%markdown\n# a\n\n%gpu is text here", "text/markdown", "# a\n\n%gpu is text here"},
		{"%%javascript\nx = 1", "application/javascript", "x = 1"},
		{"%%svg\n<svg/>", "image/svg+xml", "<svg/>"},
		{"display.Math(`x^2`)", "text/latex", "$$x^2$$"},
		{"display.Show(display.Latex(`x`))", "text/latex", "$x$"},
		{"display.JSON(struct{ A int }{1})", "application/json", "map[A:1]"},
		{"display.JavaScript(`x = 1`)", "application/javascript", "x = 1"},
		{"display.Show(3)", "text/plain", "3"},
	} {
		if got := fmt.Sprint(types(tc.cell)[tc.mime]); got != tc.want {
			t.Errorf("%s gives %q as %s, want %q", tc.cell, got, tc.mime, tc.want)
		}
	}
	n.run("%%writefile a.mp3\nsound")
	for _, tc := range []struct{ cell, want string }{
		{"display.AudioFile(`a.mp3`)", "<audio controls"},
		{"display.Audio(8000, make([]float64, 80))", "audio/wav;base64,"},
		{"display.FileLink(`a.mp3`)", `href="a.mp3"`},
	} {
		if got := fmt.Sprint(types(tc.cell)["text/html"]); !strings.Contains(got, tc.want) {
			t.Errorf("%s gives %q, want %q in it", tc.cell, got, tc.want)
		}
	}
	n.fails("display.VideoFile(`a.mp3`)", "display.FileLink makes a link")
	n.fails("%%html", "the cell is empty")
	n.fails("%%latex -x\na", "no arguments")
}

// TestProgress checks loops whose progress is shown, one that is interrupted, and that a cell that has ended shows nothing more.
func TestProgress(t *testing.T) {
	t.Parallel()
	n := open(t)
	for _, tc := range []struct{ cell, want string }{
		{"for range display.Progress(3, `steps`) {}", "100 %, 3 of 3, "},
		{"for range display.Progress(3) { for range display.Progress(2, `inner`) {} }", "100 %, 3 of 3, "},
		{"io.Copy(io.Discard, display.ProgressReader(strings.NewReader(`abc`), 3));", "100 %, 3 B of 3 B, "},
		{"unclosed := display.NewMeter(5)\nunclosed.Add(1)", "0 %, 0 of 5, 0.0 s"},
	} {
		if got := n.run(tc.cell).shown; !strings.Contains(got, tc.want) || strings.Contains(got, "inner") {
			t.Errorf("%s shows %q, want %q", tc.cell, got, tc.want)
		}
	}
	if o := n.cell("for i := range display.Progress(10) { if i == 4 { panic(`here`) } }"); !strings.Contains(o.shown, " 40 %, 4 of 10, stopped after ") {
		t.Errorf("a panic shows %q", o.shown)
	}
	n.fails("for range display.Progress(-1, `a`) {}\npanic(`here`)", "here")
}

// TestLongResults checks the layout of long results, and %set, which changes it.
func TestLongResults(t *testing.T) {
	t.Parallel()
	n := open(t)
	const long = "make([]int, 1000)"
	n.gives(long, "[0 0 0 0 0 0 0 0 0 0 … 0 0 0 0 0 0 0 0 0 0]\n[]int of 1000 elements")
	n.run("%set display.rows=2")
	n.gives(long, "[0 … 0]\n[]int of 1000 elements")
	n.gives("type point struct { Name string; Values []int }\npoint{`a`, "+long+"}", "main.point{\n    Name: \"a\"\n    Values: [0 … 0] (1000 elements)\n}")
	if o := n.run("%set"); !strings.Contains(o.shown, "display.rows  2 ") || !strings.Contains(o.shown, "display.mb    50 ") {
		t.Errorf("%%set shows\n%s", o.shown)
	}
	n.run("%set display.rows 0")
	if got := n.run(long).result; len(got) != 2001 {
		t.Errorf("%d bytes of all elements", len(got))
	}
	n.fails("%set display.rows=many", `display.rows is the number of elements that are shown`)
	n.fails("%set display.row=3", "Did you mean display.rows?")
	n.fails("%set display.mb=0", "at most 1000")
}

// TestCharts checks the representations of charts, of animations, and of the charts of other libraries.
func TestCharts(t *testing.T) {
	t.Parallel()
	n := open(t)
	show := func(code string) (data, metadata map[string]any) {
		t.Helper()
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
			var c struct{ Data, Metadata map[string]any }
			if m.DecodeContent(&c) == nil && c.Data != nil {
				data, metadata = c.Data, c.Metadata
			}
		}})
		if err != nil || reply.Status != "ok" {
			t.Fatalf("%s: %v, %+v", code, err, reply)
		}
		return data, metadata
	}
	const pngStart = "iVBORw0KGgo"
	data, metadata := show("plot.Bars(`rates`, `GB/s`, []string{`a`}, []int{3})")
	for mime, want := range map[string]string{"text/html": `<div class="gw-chart"`, "image/png": pngStart, "text/plain": "rates\nGB/s"} {
		if got, _ := data[mime].(string); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %.40q, want %q", mime, got, want)
		}
	}
	if about, _ := metadata["image/png"].(map[string]any); !strings.HasPrefix(fmt.Sprint(about["alt"]), "rates\n") || data["image/svg+xml"] != nil {
		t.Errorf("%v has the metadata %v", data, metadata)
	}
	if data, _ = show("display.SVG(`<svg xmlns=\"http://www.w3.org/2000/svg\"><defs/></svg>`)"); data["image/png"] != nil {
		t.Error("another drawing has a PNG")
	}
	if data, _ = show("display.Animate(2, 5, func(i int) any { return display.Gray([]int{i, 1}, 1) })"); !strings.HasPrefix(fmt.Sprint(data["image/png"]), pngStart) {
		t.Errorf("an animation has %v", data)
	}
	n.fails("display.Animate(2, 5, func(i int) any { return i })", "is not a picture")
}

// TestChartsOfLibraries uses modules with the paths and methods of gonum's plot and of go-echarts.
func TestChartsOfLibraries(t *testing.T) {
	t.Parallel()
	proxy := t.TempDir()
	err := modproxy.Write(proxy,
		modproxy.Module{Path: "gonum.org/v1/plot", Version: "v0.17.0", Files: map[string]string{"plot.go": `package plot

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

type Length float64

type Plot struct {
	Title  struct{ Text string }
	Broken bool
}

func New() *Plot { return &Plot{} }

func (p *Plot) WriterTo(w, h Length, format string) (io.WriterTo, error) {
	if p.Broken {
		return nil, errors.New("no font")
	}
	return strings.NewReader(fmt.Sprintf("<%s %v %v>", format, w, h)), nil
}
`}},
		modproxy.Module{Path: "github.com/go-echarts/go-echarts/v2", Version: "v2.6.7", Files: map[string]string{"charts/charts.go": `package charts

import "io"

type Bar struct{}

func NewBar() *Bar { return &Bar{} }

func (*Bar) JSON() map[string]any { return map[string]any{"series": 1} }

func (*Bar) Render(w io.Writer) error {
	_, err := io.WriteString(w, "<html><b title=\"a\">bar</b></html>")
	return err
}
`}})
	if err != nil {
		t.Fatal(err)
	}
	n := open(t, modproxy.Env(proxy, t.TempDir())...)
	result := func(code string) (data map[string]any) {
		t.Helper()
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
			var c struct{ Data map[string]any }
			if m.Header.Type == "execute_result" && m.DecodeContent(&c) == nil {
				data = c.Data
			}
		}})
		if err != nil || reply.Status != "ok" {
			t.Fatalf("%s: %v, %+v", code, err, reply)
		}
		return data
	}
	data := result("import gplot \"gonum.org/v1/plot\"\np := gplot.New()\np.Title.Text = `sums`\np")
	for mime, want := range map[string]string{
		"text/plain": "plot sums",
		"image/png":  base64.StdEncoding.EncodeToString([]byte("<png 480 300>")),
		"text/html":  `<img alt="plot sums" src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte("<svg 480 300>")) + `"/>`,
	} {
		if data[mime] != want {
			t.Errorf("gonum's plot is %v as %s, want %s", data[mime], mime, want)
		}
	}
	n.fails("p.Broken = true\np", "can't be shown: draw the plot: no font")
	data = result("import \"github.com/go-echarts/go-echarts/v2/charts\"\ncharts.NewBar()")
	page := fmt.Sprint(data["text/html"])
	if !strings.Contains(page, `sandbox="allow-scripts"`) || !strings.Contains(page, `srcdoc="&lt;html&gt;&lt;b title=&#34;a&#34;&gt;`) || data["text/plain"] != "chart of go-echarts (charts.Bar)" || len(data) != 2 {
		t.Errorf("a chart of go-echarts is %v", data)
	}
}
