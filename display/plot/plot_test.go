package plot

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An element of a drawing, with its attributes and contents.
type element struct {
	name, text string
	attr       map[string]string
}

func (e element) number(t *testing.T, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(e.attr[name], 64)
	if err != nil {
		t.Fatalf("%s of <%s %v>: %v", name, e.name, e.attr, err)
	}
	return v
}

// elements returns the elements of a drawing, all of which must be within its borders.
func elements(t *testing.T, c *Chart) []element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(c.svg))
	var list []element
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, c.svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			list = append(list, e)
		case xml.CharData:
			if n := len(list); n > 0 && strings.TrimSpace(string(token)) != "" {
				list[n-1].text += string(token)
			}
		}
	}
	width, height := list[0].number(t, "width"), list[0].number(t, "height")
	for _, e := range list {
		if e.name != "text" {
			continue
		}
		x, y := e.number(t, "x"), e.number(t, "y")
		from, to := x, x+textWidth(e.text)
		if e.attr["font-weight"] == "bold" {
			to = x + headingWidth*float64(len([]rune(e.text)))
		}
		switch e.attr["text-anchor"] {
		case "end":
			from, to = x-textWidth(e.text), x
		case "middle":
			from, to = x-textWidth(e.text)/2, x+textWidth(e.text)/2
		}
		if e.attr["transform"] == "" && (from < 0 || to > width+1) || y < 8 || y > height {
			t.Errorf("%q from %v to %v at height %v sticks out of %v × %v", e.text, from, to, y, width, height)
		}
	}
	return list
}

func named(list []element, name string) []element {
	return slices.DeleteFunc(slices.Clone(list), func(e element) bool { return e.name != name })
}

func texts(list []element) (texts []string) {
	for _, e := range named(list, "text") {
		texts = append(texts, e.text)
	}
	return texts
}

func TestLines(t *testing.T) {
	sizes := []int{1000, 10_000, 100_000, 1_000_000}
	c := Lines("Sum <of> n", Axis{Label: "n", Log: true}, Axis{Label: "ms", Log: true},
		Line("Go", sizes, []float64{0.001, 0.01, 0.1, 1}),
		Line("kernel", sizes, []time.Duration{5, 5, 6, math.MinInt64}),
	)
	list := elements(t, c)
	want := `Sum <of> n
n        Go (ms)  kernel (ms)
1000       0.001            5
10000       0.01            5
100000       0.1            6
1000000        1  -9.223·10¹⁸
1 number cannot be drawn and is left out`
	if c.text != want {
		t.Errorf("text\n%s\nwant\n%s", c.text, want)
	}
	lines := named(list, "polyline")
	if len(lines) != 2 || len(named(list, "circle")) != 7 {
		t.Fatalf("%d lines and %d dots", len(lines), len(named(list, "circle")))
	}
	// On two logarithmic axes y = x/10⁶ is straight.
	var xs, ys []float64
	for _, p := range strings.Fields(lines[0].attr["points"]) {
		x, y, _ := strings.Cut(p, ",")
		px, _ := strconv.ParseFloat(x, 64)
		py, _ := strconv.ParseFloat(y, 64)
		xs, ys = append(xs, px), append(ys, py)
	}
	for i := 2; i < len(xs); i++ {
		if math.Abs(xs[i]-2*xs[i-1]+xs[i-2]) > 0.3 || math.Abs(ys[i]-2*ys[i-1]+ys[i-2]) > 0.3 || ys[i] >= ys[i-1] {
			t.Errorf("not straight and rising: %v %v", xs, ys)
		}
	}
	for _, text := range []string{"Sum <of> n", "Go", "kernel", "n", "ms", "1000", "10⁴", "10⁶", "10⁻³", "1 number cannot be drawn and is left out"} {
		if !slices.Contains(texts(list), text) {
			t.Errorf("no %q among %q", text, texts(list))
		}
	}
}

func TestLinesWithGaps(t *testing.T) {
	c := Lines("", Axis{}, Axis{}, Line("", []int{1, 2, 3, 4, 5}, []float64{1, 2, math.NaN(), 4, 5}))
	if n := len(named(elements(t, c), "polyline")); n != 2 {
		t.Errorf("%d pieces of the line, want 2", n)
	}
	if strings.Count(c.text, "\n") != 6 || !strings.Contains(c.text, "NaN") {
		t.Errorf("text:\n%s", c.text)
	}
	// Long lines have no dots, and only some of their numbers as text.
	x := make([]int, 1000)
	for i := range x {
		x[i] = i
	}
	c = Lines("", Axis{}, Axis{}, Line("", x, x))
	if n := len(named(elements(t, c), "circle")); n != 0 {
		t.Errorf("%d dots on a long line", n)
	}
	if !strings.Contains(c.text, "40 of 1000 rows") || !strings.Contains(c.text, "\n999") || strings.Count(c.text, "\n") != 41 {
		t.Errorf("text:\n%s", c.text)
	}
	c = Lines("", Axis{}, Axis{}, Points("", x, x))
	if list := elements(t, c); len(named(list, "circle")) != 1000 || len(named(list, "polyline")) != 0 {
		t.Error("points are no points")
	}
}

func TestEmptyCharts(t *testing.T) {
	elements(t, Lines("nothing", Axis{}, Axis{Log: true}))
	elements(t, Lines("one point", Axis{}, Axis{}, Line("a", []int{3}, []int{3})))
	elements(t, Bars[int]("nothing", "", nil, nil))
	elements(t, Histogram[float32]("nothing", Axis{}, nil, 0))
	elements(t, Heat("one value", Axis{}, Axis{}, [][]int{{5}}))
}

func TestLongTexts(t *testing.T) {
	long := strings.Repeat("long ", 40)
	axis := Axis{Label: long}
	elements(t, Lines(long, axis, axis, Line(long[:60], []int{1}, []int{2}), Line(long[:60], []int{1}, []int{2})))
	elements(t, Bars(long, long, []string{long}, []float64{1}))
	elements(t, Histogram(long, axis, []int{1, 2}, 2))
	elements(t, Heat(long, axis, axis, [][]int{{1}, {2}, {3}}))
}

func TestBars(t *testing.T) {
	c := Bars("Copies", "GB/s", []string{"pageable", "pinned", "broken", "a name that is longer than anybody would read"}, []float64{10, 40, math.NaN(), -5})
	list := elements(t, c)
	bars := slices.DeleteFunc(named(list, "rect"), func(e element) bool { return e.attr["fill"] != palette[0] })
	if len(bars) != 3 {
		t.Fatalf("%d bars", len(bars))
	}
	pageable, pinned, negative := bars[0], bars[1], bars[2]
	if a, b := pageable.number(t, "width"), pinned.number(t, "width"); math.Abs(b-4*a) > 0.5 {
		t.Errorf("widths %v and %v, want 1 : 4", a, b)
	}
	if zero := pageable.number(t, "x"); math.Abs(negative.number(t, "x")+negative.number(t, "width")-zero) > 0.2 {
		t.Errorf("the negative bar does not end at 0")
	}
	want := `Copies
GB/s
pageable                                        10  ██████████
pinned                                          40  ████████████████████████████████████████
broken                                         NaN
a name that is longer than anybody would read   -5
1 number cannot be drawn and is left out`
	if c.text != want {
		t.Errorf("text\n%s\nwant\n%s", c.text, want)
	}
}

func TestHistogram(t *testing.T) {
	c := Histogram("", Axis{Label: "x", From: 0, To: 4}, []float64{0, 0.5, 1, 3.9, 4, 7, math.Inf(1)}, 4)
	want := `count of x
0 to 1  2  ████████████████████████████████████████
1 to 2  1  ████████████████████
2 to 3  0
3 to 4  2  ████████████████████████████████████████
2 numbers cannot be drawn and are left out`
	if c.text != want {
		t.Errorf("text\n%s\nwant\n%s", c.text, want)
	}
	bars := slices.DeleteFunc(named(elements(t, c), "rect"), func(e element) bool { return e.attr["fill"] != palette[0] })
	if len(bars) != 4 || bars[2].number(t, "height") != 0 || math.Abs(bars[0].number(t, "height")-2*bars[1].number(t, "height")) > 0.2 {
		t.Errorf("bars %v", bars)
	}
}

func TestHeat(t *testing.T) {
	c := Heat("T", Axis{Label: "x"}, Axis{Label: "y", From: 1, To: -1}, [][]float64{{0, 0.5, 1}, {1, math.NaN(), 0}})
	pictures := named(elements(t, c), "image")
	if len(pictures) != 2 {
		t.Fatalf("%d pictures", len(pictures))
	}
	_, data, _ := strings.Cut(pictures[0].attr["href"], ",")
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		x, y  int
		value float64
	}{{0, 0, 0}, {1, 0, 0.5}, {2, 0, 1}, {0, 1, 1}, {2, 1, 0}} {
		r, g, b, _ := img.At(p.x, p.y).RGBA()
		if want := shade(p.value); uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(b>>8) != want.B {
			t.Errorf("(%d, %d) is %d %d %d, want %v", p.x, p.y, r>>8, g>>8, b>>8, want)
		}
	}
	if _, _, _, a := img.At(1, 1).RGBA(); a != 0 {
		t.Error("what is no number has a colour")
	}
	want := "T\n2 × 3 values from 0 (blank) to 1 (█)\n| ▒█|\n|█? |\n1 number cannot be drawn and is left out"
	if c.text != want {
		t.Errorf("text\n%s\nwant\n%s", c.text, want)
	}
	// The upper edge is 1, the limit of y.
	heights := map[string]float64{}
	for _, e := range named(elements(t, c), "text") {
		heights[e.text] = e.number(t, "y")
	}
	if heights["-1"] <= heights["-0.5"] {
		t.Errorf("y counts downwards: %v", heights)
	}
}

func TestWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		want string
		call func()
	}{
		{`the line "a" has 2 numbers in x and 1 in y`, func() { Line("a", []int{1, 2}, []int{1}) }},
		{"1 names for 2 bars", func() { Bars("", "", []string{"a"}, []int{1, 2}) }},
		{"row 1 of a heat map has 1 values, row 0 has 2", func() { Heat("", Axis{}, Axis{}, [][]int{{1, 2}, {3}}) }},
		{"a heat map of no values", func() { Heat[int]("", Axis{}, Axis{}, nil) }},
		{"cannot be logarithmic", func() { Histogram("", Axis{Log: true}, []int{1}, 1) }},
		{"cannot be logarithmic", func() { Heat("", Axis{Log: true}, Axis{}, [][]int{{1}}) }},
		{"-3 bins", func() { Histogram("", Axis{}, []int{1}, -3) }},
		{"From must be less than To", func() { Lines("", Axis{From: 2, To: 1}, Axis{}) }},
		{"above 0 on a logarithmic axis", func() { Lines("", Axis{From: -1, To: 1, Log: true}, Axis{}) }},
		{"cannot be drawn: full", func() { Gonum(&gonumLike{err: errors.New("full")}, 100, 100) }},
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var e *Error
				if !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) {
					t.Errorf("panicked with %v, want %q", err, c.want)
				}
			}()
			c.call()
		}()
	}
}

// Far from 0 there are no numbers between two adjacent ones, and the difference of the largest ones overflows.
func TestNumbersAtTheLimits(t *testing.T) {
	for _, y := range [][]float64{
		{1e17, 1e17 + 32},
		{-1.7e18, -1.7e18 + 256},
		{1 << 53, 1<<53 + 2},
		{math.MaxFloat64, -math.MaxFloat64},
		{1e300, -1e300},
		{math.SmallestNonzeroFloat64, 0},
	} {
		for _, axis := range []Axis{{}, {Log: true}} {
			c := Lines("", Axis{}, axis, Line("", []int{1, 2}, y))
			for _, e := range named(elements(t, c), "circle") {
				if v := e.number(t, "cy"); math.IsNaN(v) || v < 0 || v > chartHeight {
					t.Errorf("%v: a point at height %v", y, v)
				}
			}
		}
		elements(t, Histogram("", Axis{}, y, 3))
		elements(t, Heat("", Axis{}, Axis{}, [][]float64{y}))
		elements(t, Bars("", "", []string{"a", "b"}, y))
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
		want   string
	}{
		{0, 1, false, "[0 0.2 0.4 0.6 0.8 1]"},
		{0, 7, false, "[0 1 2 3 4 5 6 7]"},
		{-3, 12, false, "[-5 0 5 10 15]"},
		{0.12, 0.13, false, "[0.12 0.122 0.124 0.126 0.128 0.13]"},
		{1e9, 1.3e9, false, "[1e+09 1.05e+09 1.1e+09 1.15e+09 1.2e+09 1.25e+09 1.3e+09]"},
		{1, 1e6, true, "[1 10 100 1000 10000 100000 1e+06]"},
		{1e-12, 1e12, true, "[1e-12 1e-09 1e-06 0.001 1 1000 1e+06 1e+09 1e+12]"},
		{30, 300, true, "[20 50 100 200 500]"},
		{5, 5, true, "[5 10]"},
		{10, 10, true, "[10 20]"},
	} {
		ticks := linearTicks
		if c.log {
			ticks = logTicks
		}
		got := ticks(c.lo, c.hi)
		if text := fmt.Sprint(got); text != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, text, c.want)
		}
	}
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		lo, hi float64
		want   string
	}{
		{Axis{Log: true}, 1e-4, 1e4, "[10⁻⁴ 10⁻³ 0.01 0.1 1 10 100 1000 10⁴]"},
		{Axis{}, 1.7e18, 1.7e18 + 1e9, "[1.7·10¹⁸ 1.7000000002·10¹⁸ 1.7000000004·10¹⁸ 1.7000000006·10¹⁸ 1.7000000008·10¹⁸ 1.700000001·10¹⁸]"},
	} {
		s := newScale(c.axis, c.lo, c.hi, 0, 1)
		var labels []string
		for _, tick := range s.ticks {
			labels = append(labels, s.label(tick))
		}
		if got := fmt.Sprint(labels); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -2.5: "-2.5", 123456: "123456", 1e6: "10⁶", 1.5e6: "1.5·10⁶", 2.5e-7: "2.5·10⁻⁷", 0.001: "0.001", 3150.24: "3150.24", math.Inf(1): "+Inf", 1e10: "10¹⁰",
	} {
		if got := number(v, 6); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	if got := number(12345.6, 4); got != "12346" {
		t.Errorf("all digits before the point: %s", got)
	}
}

// points is the type of gonum/plot's lengths.
type points float64

// gonumLike has the fields and methods of a plot of gonum.org/v1/plot that Gonum uses.
type gonumLike struct {
	Title struct{ Text string }
	X, Y  struct {
		Min, Max float64
		Label    struct{ Text string }
	}
	err error
}

func (g *gonumLike) WriterTo(width, height points, format string) (io.WriterTo, error) {
	return bytes.NewBufferString(fmt.Sprintf("<%s %v %v>", format, width, height)), g.err
}

func TestGonum(t *testing.T) {
	g := &gonumLike{}
	g.Title.Text, g.X.Label.Text, g.X.Max, g.Y.Min = "Sums", "n", 10, -1
	c := Gonum(g, 640, 400)
	if mime := c.MIMEBundle(); mime["image/svg+xml"] != "<svg 480 300>" || mime["text/plain"] != "Sums\nx from 0 to 10: n\ny from -1 to 0" {
		t.Errorf("%q", mime)
	}
}

func ExampleBars() {
	fmt.Println(Bars("Copies", "GB/s", []string{"pageable", "pinned"}, []float64{11.2, 55.1}))
	// Output:
	// Copies
	// GB/s
	// pageable  11.2  ████████
	// pinned    55.1  ████████████████████████████████████████
}
