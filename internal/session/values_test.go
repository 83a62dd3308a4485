package session_test

import (
	"strings"
	"testing"
	"time"
)

// TestRecursiveValues displays values that contain themselves, or whose methods recur infinitely. This must not end the
// session process.
func TestRecursiveValues(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("kept := 42")
	n.mustRun(`type name struct{ First string }
func (v name) String() string { return fmt.Sprint(any(v)) }
type broken struct{ Code int }
func (b broken) Error() string { return fmt.Sprintf("broken: %v", any(b)) }
type drawn struct{ X int }
func (d drawn) Format(f fmt.State, verb rune) { fmt.Fprintf(f, "%v", any(d)) }
type coded struct{ X int }
func (c coded) GoString() string { return fmt.Sprintf("%#v", any(c)) }
type node struct { val int; next *node }
func (l *node) String() string { return strconv.Itoa(l.val) + " " + l.next.String() }
ring := &node{val: 1}
ring.next = ring
m := map[string]any{"a": 1}
m["self"] = m
s := []any{1, nil}
s[1] = s
func both() (any, any) { return m, s }`)
	const endless = "calls itself without end: 10000 calls inside each other"
	for _, test := range []struct{ cell, begin, end string }{
		{"m", "map[a:1 self:<cycle>]", ""},
		{"&m", "&map[a:1 self:<cycle>]", ""},
		{"s", "[1 <cycle>]", ""},
		{"both()", "map[a:1 self:<cycle>], [1 <cycle>]", ""},
		{"name{\"a\"}", "{First:a} (", "name.String " + endless + ")"},
		{"[]any{name{\"a\"}, name{\"b\"}, 1}", "[{First:a} {First:b} 1] (", endless + ")"},
		{"broken{3}", "{Code:3} (", "broken.Error " + endless + ")"},
		{"drawn{4}", "{X:4} (", "drawn.Format " + endless + ")"},
		{"ring", "&{val:1 next:0x", endless + ")"},
	} {
		got := n.mustRun(test.cell).result()
		if !strings.HasPrefix(got, test.begin) || !strings.HasSuffix(got, test.end) {
			t.Errorf("%s gives %.300s, want %s…%s", test.cell, got, test.begin, test.end)
		}
	}
	for _, test := range []struct{ cell, err string }{
		{"fmt.Println(name{\"a\"})", "name.String " + endless},
		{"fmt.Sprintf(\"%#v\", coded{1})", "coded.GoString " + endless},
		{"ring.String()", "(*node).String " + endless},
		{"func() (int, error) { return 0, broken{1} }()", endless},
		{"panic(broken{1})", endless},
		{"panic(m)", "self:<cycle>"},
		{"panic(ring)", endless},
		{"done := make(chan bool)\ngo func() { defer close(done); fmt.Println(name{\"a\"}) }()\n<-done\ntime.Sleep(time.Minute)", endless},
	} {
		_, err := n.cell(test.cell)
		if err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s gives %.300v, want %s", test.cell, err, test.err)
		}
	}
	n.gives("kept", "42")
}

// TestDeepText displays values whose methods recur often, but not infinitely.
func TestDeepText(t *testing.T) {
	n := newNotebook(t)
	n.mustRun(`type link struct { next *link }
func (l *link) String() string { if l == nil { return "." }; return fmt.Sprintf("-%v", l.next) }
var l *link
for range 5000 { l = &link{l} }`)
	n.gives("l", strings.Repeat("-", 5000)+".")
	n.gives("fmt.Sprint(l) == strings.Repeat(\"-\", 5000) + \".\"", "true")
	// Another deep recursion may use fmt at its end.
	n.mustRun("func deep(n int) string { if n == 0 { return fmt.Sprint(time.Second, n) }; return deep(n-1) }")
	n.gives("deep(200_000)", `"1s 0"`)
	n.gives("for range 3000 { if deep(20_000) == \"\" { break } }\n1", "1")
}

// TestLargeValues displays values whose text would have megabytes.
func TestLargeValues(t *testing.T) {
	n := newNotebook(t)
	n.mustRun(`m := map[int]int{}
for i := range 3_000_000 { m[i] = i }
ints := make([]int, 50_000_000)
text := strings.Repeat("x", 500_000_000)
type list struct { in []any }
l := list{}
for range 1_000_000 { l = list{[]any{l}} }
func all() (any, any, any) { return m, ints, text }`)
	for _, value := range []string{"m", "ints", "text", "l", "all()", "[]any{text, m}"} {
		start := time.Now()
		got := n.mustRun(value).result()
		if len(got) < 50 || len(got) > 20_200 || !strings.Contains(got, "…") {
			t.Errorf("%s: %d bytes: %.300s", value, len(got), got)
		}
		// The whole text of each takes 14 s on an idle machine; the shortened one takes some milliseconds, and on an
		// emulated processor half a second.
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v", value, took)
		}
	}
}
