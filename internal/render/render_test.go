package render_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

func ExampleTable_Text() {
	t := render.Table{
		Columns: []render.Column{{Name: "name"}, {Name: "GB/s", Align: render.Right}},
		Rows:    [][]string{{"copy", "3150.2"}, {"größer\nals", "21.0"}},
		Rule:    true,
	}
	fmt.Print(t.Text())
	// Output:
	// name          GB/s
	// ──────────  ──────
	// copy        3150.2
	// größer als    21.0
}

// TestText compares tables of random texts with the standard library's tabwriter.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "a", "é", "a b", "日本", "longer than the rest"}
	for range 200 {
		rows := make([][]string, 1+r.IntN(5))
		width := 1 + r.IntN(4)
		for i := range rows {
			for range width {
				rows[i] = append(rows[i], words[r.IntN(len(words))])
			}
		}
		var want bytes.Buffer
		w := tabwriter.NewWriter(&want, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			fmt.Fprintln(w, strings.Join(row, "\t"))
		}
		w.Flush()
		lines := strings.Split(want.String(), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if got := render.FromRows(render.Left, rows).Text(); got != strings.Join(lines, "\n") {
			t.Fatalf("%q:\n%s\nwant\n%s", rows, got, strings.Join(lines, "\n"))
		}
	}
}

// TestHTML parses the page as XML.
func TestHTML(t *testing.T) {
	table := render.Table{
		Columns: []render.Column{{Name: "<a>"}, {Name: "b", Align: render.Right}},
		Rows:    [][]string{{"x & y", "1"}, {"two\nlines", "</td>"}, {"short"}},
		Gap:     2, Code: true,
	}
	var texts []string
	var aligned int
	for d := xml.NewDecoder(strings.NewReader(table.HTML())); ; {
		token, err := d.Token()
		if token == nil {
			if err.Error() != "EOF" {
				t.Fatal(err)
			}
			break
		}
		switch token := token.(type) {
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				texts = append(texts, text)
			}
		case xml.StartElement:
			if slices.Contains(token.Attr, xml.Attr{Name: xml.Name{Local: "style"}, Value: "text-align: right; white-space: nowrap"}) {
				aligned++
			}
		}
	}
	if want := []string{"<a>", "b", "x & y", "1", "two", "lines", "</td>", "⋮", "short"}; !slices.Equal(texts, want) || aligned != 3 {
		t.Errorf("got %q, want %q; %d to the right, want 3", texts, want, aligned)
	}
}

func TestWithoutEmpty(t *testing.T) {
	table := render.FromRows(render.Left, [][]string{{"a", "b", "c"}, {"1", "", ""}, {"2", "", "3"}, {"4"}})
	if got, want := table.WithoutEmpty().Text(), "a  c\n1\n2  3\n4\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestQuantities tests which columns are aligned to the right by themselves.
func TestQuantities(t *testing.T) {
	for _, tc := range []struct {
		texts []string
		right bool
	}{
		{[]string{"1", "-2.5", "1e+09", "12+"}, true},
		{[]string{"4.0 KiB", "94 %", "1.5 µs", "1840.2 GB/s", ""}, true},
		{[]string{"16 of 32", "8 (best 4)", "1.0 GiB of 2.0 GiB", "unknown"}, true},
		{[]string{"1", "at most 1024"}, false},
		{[]string{"cell[2].cu:6"}, false},
		{[]string{"2 elements: [\"copy\"]"}, false},
		{[]string{"", "unknown"}, false},
		{nil, false},
	} {
		table := render.Table{Columns: render.Columns(render.Default, "c")}
		for _, text := range tc.texts {
			table.Rows = append(table.Rows, []string{text})
		}
		if got := strings.Contains(table.HTML(), "text-align: right"); got != tc.right {
			t.Errorf("%q: to the right: %v, want %v", tc.texts, got, tc.right)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{render.Bytes(0), "0 B"},
		{render.Bytes(1023), "1023 B"},
		{render.Bytes(1024), "1.0 KiB"},
		{render.Bytes(1536), "1.5 KiB"},
		{render.Bytes(4000 << 20), "3.9 GiB"},
		{render.Bytes(1 << 40), "1.0 TiB"},
		{render.Bytes(1<<64 - 1), "16.0 EiB"},
		{render.Duration(0), "0 ns"},
		{render.Duration(999), "999 ns"},
		{render.Duration(1500), "1.5 µs"},
		{render.Duration(12_345_678), "12.35 ms"},
		{render.Duration(90 * time.Second), "90 s"},
		{render.Seconds(0.25e-9), "0.25 ns"},
		{render.Count(0, "cell", "cells"), "0 cells"},
		{render.Count(1, "cell", "cells"), "1 cell"},
		{render.Count(2, "cell", "cells"), "2 cells"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}
