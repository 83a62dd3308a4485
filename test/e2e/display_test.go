package e2e

import "testing"

// Tables and charts need no import, and see the names and methods of a cell's own types.
func TestTablesAndCharts(t *testing.T) {
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
