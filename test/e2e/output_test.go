package e2e

import (
	"strconv"
	"strings"
	"testing"
)

func TestMuchOutput(t *testing.T) {
	t.Parallel()
	n := open(t)
	var lines strings.Builder
	for i := range 1_000_000 {
		lines.WriteString(strconv.Itoa(i) + "\n")
	}
	for _, tc := range []struct{ name, cell, want string }{
		{"a million lines", "for i := range 1_000_000 { fmt.Println(i) }", lines.String()},
		{"a line of 20 MB", `fmt.Println(strings.Repeat("0123456789", 2_000_000))`, strings.Repeat("0123456789", 2_000_000) + "\n"},
		{"characters cut by the pipe", `fmt.Print("x" + strings.Repeat("é€", 100_000))`, "x" + strings.Repeat("é€", 100_000)},
		{"bytes that are no characters", `os.Stdout.Write([]byte("a\xff\x00b\xe2\x82c\xe2\x82"))`, "a\uFFFD\x00b\uFFFDc\uFFFD"},
		{"what looks like a marker", `fmt.Print("\x00gw:", "\x00gw:none:1\n", "\x00")`, "\x00gw:\x00gw:none:1\n\x00"},
	} {
		o := n.cell(tc.cell + ";")
		if o.reply.Status != "ok" || o.stdout != tc.want {
			at := 0
			for at < min(len(o.stdout), len(tc.want)) && o.stdout[at] == tc.want[at] {
				at++
			}
			t.Errorf("%s: %s, %d bytes, want %d; the first difference is at %d: %.40q", tc.name, o.reply.Status, len(o.stdout), len(tc.want), at, o.stdout[at:])
		}
	}
	// Standard error and displays stay after the output that was printed before them.
	o := n.cell(`for i := range 1000 { fmt.Println(i) }; fmt.Fprintln(os.Stderr, "err"); display.Show(display.Markdown("shown")); fmt.Println("last")`)
	if o.stderr != "err\n" || !strings.HasSuffix(o.stdout, "999\nlast\n") || o.shown == "" {
		t.Errorf("standard error %q, shown %q", o.stderr, o.shown)
	}
}
