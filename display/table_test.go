package display

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

type timing struct {
	Name string
	rate float64 `table:"GB/s,%.1f"`
	took time.Duration
	seed int `table:"-"`
}

func TestTable(t *testing.T) {
	many := make([]int, 100)
	for i := range many {
		many[i] = i
	}
	for _, c := range []struct {
		name string
		rows any
		want string
	}{
		{"structs", []timing{{"copy", 3150.24, 1500, 1}, {"sum", 21, 2_345_678, 2}}, `
Name    GB/s     took
────  ──────  ───────
copy  3150.2    1.5µs
sum     21.0  2.346ms`},
		{"pointers, one nil", []*timing{{"copy", 1, 2, 3}, nil}, `
Name  GB/s  took
────  ────  ────
copy   1.0   2ns
`},
		{"one struct", timing{"copy", 1, 2, 3}, `
Name  GB/s  took
────  ────  ────
copy   1.0   2ns`},
		{"a map", map[int]string{10: "ten", 9: "nine\nmore"}, `
key  value
───  ─────────
  9  nine more
 10  ten`},
		{"a map of structs", map[string]timing{"b": {Name: "x"}, "a": {Name: "y"}}, `
key  Name  GB/s  took
───  ────  ────  ────
a    y      0.0    0s
b    x      0.0    0s`},
		{"maps", []map[string]any{{"n": 1, "who": "a"}, {"n": 22, "more": nil}}, `
more   n  who
────  ──  ───
       1  a
      22`},
		{"slices of different lengths", [][]float64{{1.5, 2}, {3}}, `
  0  1
───  ─
1.5  2
  3`},
		{"scalars", []string{"a", "b"}, "\nvalue\n─────\na\nb"},
		{"a comma in the name", []struct {
			f float64 `table:"Go, one core,%.2f"`
		}{{1}}, `
Go, one core
────────────
        1.00`},
		{"nothing", nil, "\n(no rows)"},
		{"no rows", []timing{}, "\nName  GB/s  took\n────  ────  ────\n(no rows)"},
		{"self-written", []time.Time{time.Unix(0, 0).UTC()}, "\nvalue\n" + strings.Repeat("─", 29) + "\n1970-01-01 00:00:00 +0000 UTC"},
	} {
		mime := Table(c.rows).MIMEBundle()
		if got := mime["text/plain"]; normal(got.(string)) != normal(c.want) {
			t.Errorf("%s:\n%s\nwant%s", c.name, got, c.want)
		}
		wellFormed(t, c.name, mime["text/html"].(string))
	}
	text := Table(many).MIMEBundle()["text/plain"].(string)
	lines := strings.Split(text, "\n")
	if len(lines) != 2+maxRows+1+1 || lines[2+30] != "    ⋮" || lines[2+31] != "   70" || lines[len(lines)-1] != "100 rows, of which the first and the last 30 are shown" {
		t.Errorf("a long table:\n%s", text)
	}
}

// normal returns a text without the spaces at the ends of its lines.
func normal(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func wellFormed(t *testing.T, name, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<p>" + page + "</p>"))
	d.Strict = true
	d.AutoClose, d.Entity = xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Errorf("%s: %v in\n%s", name, err, page)
			return
		}
	}
}

func TestTableEscapes(t *testing.T) {
	page := Table([]string{"<b>&"}).MIMEBundle()["text/html"].(string)
	if !strings.Contains(page, "&lt;b&gt;&amp;") {
		t.Errorf("not escaped: %s", page)
	}
}

func ExampleTable() {
	type run struct {
		Size int     `table:"numbers"`
		Rate float64 `table:"GB/s,%.1f"`
	}
	fmt.Println(Table([]run{{1 << 20, 310.25}, {1 << 26, 2980.5}}).MIMEBundle()["text/plain"])
	// Output:
	//  numbers    GB/s
	// ────────  ──────
	//  1048576   310.2
	// 67108864  2980.5
}

// TestTableOfCycles shows values that contain themselves, and pointers that lead to themselves.
func TestTableOfCycles(t *testing.T) {
	type loop *loop
	var self loop
	self = &self
	m := map[string]any{"a": 1}
	m["self"] = m
	for _, test := range []struct {
		rows any
		want string
	}{
		{m, "a     1\nself  map[a:1 self:<cycle>]"},
		{self, "(no rows)"},
		{[]any{m}, "\nmap[a:1 self:<cycle>]"},
		{[]loop{self}, "value"},
	} {
		text, _ := Table(test.rows).MIMEBundle()["text/plain"].(string)
		if !strings.Contains(text, test.want) {
			t.Errorf("%s\nwant %s", text, test.want)
		}
	}
}
