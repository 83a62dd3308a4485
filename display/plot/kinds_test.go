package plot

import (
	"errors"
	"fmt"
	"image"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestAreaAndScatter(t *testing.T) {
	x, y := []int{0, 1, 2}, []float64{1, -1, 3}
	list := elements(t, Lines("", Axis{}, Axis{}, Area("a", x, y)))
	areas := named(list, "polygon")
	if len(areas) != 1 {
		t.Fatalf("%d areas", len(areas))
	}
	points := strings.Fields(areas[0].attr["points"])
	first, last := points[0], points[len(points)-1]
	_, base, _ := strings.Cut(first, ",")
	zero := ""
	for _, e := range named(list, "text") {
		if e.text == "0" && e.attr["text-anchor"] == "end" {
			zero = e.attr["y"] // 4 below the tick
		}
	}
	b, _ := strconv.ParseFloat(base, 64)
	z, _ := strconv.ParseFloat(zero, 64)
	if !strings.HasSuffix(last, ","+base) || math.Abs(z-4-b) > 0.2 {
		t.Errorf("the area from %s to %s does not end at 0, which is at %v", first, last, z-4)
	}
	list = elements(t, Scatter("", Axis{}, Axis{}, Area("a", x, y), Line("b", x, x)))
	if len(named(list, "polygon"))+len(named(list, "polyline")) != 0 || len(named(list, "circle")) != 6 {
		t.Error("a scatter chart has lines")
	}
	elements(t, Lines("", Axis{}, Axis{Log: true}, Area("a", x, []int{1, 10, 100})))
}

// The numbers are those of matplotlib.cbook.boxplot_stats of the same values.
func TestBoxes(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 8, 20, -15}
	c := Boxes("Times", Axis{Label: "ms"}, []string{"a", "none"}, [][]float64{append([]float64{math.NaN()}, values...), nil})
	want := "Times\nms    values  min  1st quartile  median  3rd quartile  max\na         10  -15          2.25     4.5          6.75   20\nnone       0\n1 number cannot be drawn and is left out"
	if c.text != want {
		t.Errorf("got\n%s\nwant\n%s", c.text, want)
	}
	slices.Sort(values)
	s := summarise(values)
	if got := fmt.Sprint(s.low, s.hi, s.outside); got != "1 8 [-15 20]" {
		t.Errorf("whiskers and others %s", got)
	}
	if dots := named(elements(t, c), "circle"); len(dots) != 2 {
		t.Errorf("%d dots", len(dots))
	}
	elements(t, Boxes("", Axis{Log: true}, []string{"a"}, [][]int{{1, 10, 1000}}))
	elements(t, Boxes[int]("", Axis{}, nil, nil))
}

var coordinates = regexp.MustCompile(`-?[\d.]+`)

// TestContour checks that the lines of a cone are circles.
func TestContour(t *testing.T) {
	rows := make([][]float64, 41)
	for i := range rows {
		rows[i] = make([]float64, 41)
		for j := range rows[i] {
			rows[i][j] = math.Hypot(float64(i-20), float64(j-20))
		}
	}
	c := Contour("cone", Axis{}, Axis{}, rows, 10, 5)
	list := elements(t, c)
	frame := named(list, "rect")
	border := frame[len(frame)-1] // drawn last
	x0, y0, side := border.number(t, "x"), border.number(t, "y"), border.number(t, "width")/40
	paths := named(list, "path")
	if len(paths) != 2 {
		t.Fatalf("%d lines", len(paths))
	}
	for i, level := range []float64{5, 10} {
		numbers := coordinates.FindAllString(paths[i].attr["d"], -1)
		for k := 0; k+1 < len(numbers); k += 2 {
			x, _ := strconv.ParseFloat(numbers[k], 64)
			y, _ := strconv.ParseFloat(numbers[k+1], 64)
			if r := math.Hypot((x-x0)/side-20, (y-y0)/side-20); math.Abs(r-level) > 0.05 {
				t.Fatalf("a point of level %v is %v from the centre", level, r)
			}
		}
		if len(numbers) < 50 {
			t.Errorf("level %v has %d numbers", level, len(numbers))
		}
	}
	if !strings.Contains(c.text, "levels 5, 10") {
		t.Error(c.text)
	}
	elements(t, Contour("flat", Axis{}, Axis{}, [][]int{{1, 1}, {1, 1}}))
	elements(t, Contour("none", Axis{}, Axis{}, [][]float64{{math.NaN(), 1}, {1, 2}}))
	if got := pieces([4]float64{1, 0, 1, 0}, 0.4); fmt.Sprint(got) != "[[[0.6 0] [1 0.4]] [[0.4 1] [0 0.6]]]" {
		t.Errorf("the corners above the level are not joined: %v", got)
	}
}

func TestSurface(t *testing.T) {
	rows := make([][]float64, 100)
	for i := range rows {
		rows[i] = make([]float64, 30)
		for j := range rows[i] {
			rows[i][j] = float64(i * j)
		}
	}
	rows[0][0] = math.Inf(1)
	c := Surface("hill", Axis{Label: "x"}, Axis{Label: "y"}, Axis{Label: "z"}, rows)
	list := elements(t, c)
	if n := len(named(list, "polygon")); n != maxSquares*29-1 {
		t.Errorf("%d squares, want %d", n, maxSquares*29-1)
	}
	for _, want := range []string{"x", "y", "z", "1 number cannot be drawn and is left out"} {
		if !slices.Contains(texts(list), want) {
			t.Errorf("no %q among %q", want, texts(list))
		}
	}
	// Squares nearer to the viewer, who is at the front and above, are drawn later.
	_, _, far := project(-1, 1, 0)
	_, _, near := project(1, -1, 0)
	_, _, above := project(0, 0, 1)
	_, middle, _ := project(0, 0, 0)
	_, up, _ := project(0, 0, 1)
	if far >= near || above <= 0 || up >= middle {
		t.Errorf("depths: far %v, near %v, above %v; heights: %v, above %v", far, near, above, middle, up)
	}
	elements(t, Surface("flat", Axis{}, Axis{}, Axis{}, [][]int{{1, 1}, {1, 1}}))
	elements(t, Surface("none", Axis{}, Axis{}, Axis{}, [][]float64{{math.NaN(), 1}, {1, math.NaN()}}))
}

func TestImage(t *testing.T) {
	c := Image("picture", Axis{Label: "x"}, Axis{Label: "y"}, image.NewGray(image.Rect(0, 0, 30, 20)))
	list := elements(t, c)
	if p := named(list, "image"); len(p) != 1 || math.Abs(p[0].number(t, "width")/p[0].number(t, "height")-1.5) > 0.01 {
		t.Errorf("pictures %v", p)
	}
	if !slices.Contains(texts(list), "30") || c.text != "picture\npicture of 30 × 20 pixels" {
		t.Errorf("%q, %q", texts(list), c.text)
	}
}

func TestNothingToDraw(t *testing.T) {
	nan := []float64{math.NaN()}
	for _, c := range []*Chart{
		Lines("", Axis{}, Axis{}), Lines("", Axis{}, Axis{}, Line("", nan, nan)), Bars[int]("", "", nil, nil), Bars("", "", []string{"a"}, nan),
		Histogram("", Axis{}, nan, 0), Boxes("", Axis{}, []string{"a"}, [][]float64{nan}), Heat("", Axis{}, Axis{}, [][]float64{nan}),
		Contour("", Axis{}, Axis{}, [][]int{{1, 1}, {1, 1}}), Surface("", Axis{}, Axis{}, Axis{}, [][]float64{{math.NaN(), 0}, {0, 0}}),
	} {
		if !slices.Contains(texts(elements(t, c)), "no numbers to draw") {
			t.Errorf("an empty chart does not say so:\n%s", c.text)
		}
	}
}

func TestInvalidKinds(t *testing.T) {
	for _, c := range []struct {
		want string
		call func()
	}{
		{"1 names for 2 boxes", func() { Boxes("", Axis{}, []string{"a"}, [][]int{{1}, {2}}) }},
		{"contours need two rows and columns, and there are 1 × 2 values", func() { Contour("", Axis{}, Axis{}, [][]int{{1, 2}}) }},
		{"a contour plot of no values", func() { Contour[int]("", Axis{}, Axis{}, nil) }},
		{"row 1 of a surface has 1 values, row 0 has 2", func() { Surface("", Axis{}, Axis{}, Axis{}, [][]int{{1, 2}, {3}}) }},
		{"cannot be logarithmic", func() { Surface("", Axis{}, Axis{}, Axis{Log: true}, [][]int{{1, 2}, {3, 4}}) }},
		{"a picture of no pixels", func() { Image("", Axis{}, Axis{}, image.NewGray(image.Rect(0, 0, 0, 3))) }},
		{"a picture of 5000 × 1 pixels is larger than a chart shows", func() { Image("", Axis{}, Axis{}, image.NewGray(image.Rect(0, 0, 5000, 1))) }},
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

// TestPage checks that the page has the drawing as a picture with a description.
func TestPage(t *testing.T) {
	c := Lines(`a "title"`, Axis{}, Axis{}, Line("<b>", []int{1, 2}, []int{3, 4}))
	mime := c.MIMEBundle()
	page := mime["text/html"].(string)
	for _, want := range []string{`alt="a &#34;title&#34;; x  &lt;b&gt;; 1`, `src="data:image/svg+xml;base64,`, "<script>((id) =>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	if strings.Count(page, "<script>") != 1 || strings.Count(page, "</script>") != 1 {
		t.Error("the script ends within itself")
	}
	if !strings.Contains(c.svg, `data-x="1 2" data-y="3 4"`) || !strings.Contains(c.svg, `data-name="&lt;b&gt;"`) {
		t.Error("no values for the script")
	}
}
