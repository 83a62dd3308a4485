package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
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
