package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// pairs declares types each of which has two fields of the one before.
func pairs(n int, form string) string {
	var b strings.Builder
	b.WriteString("type t0 struct{ n int8 }\n")
	for i := range n {
		fmt.Fprintf(&b, form+"\n", i+1, i)
	}
	return b.String()
}

// doubled declares constant strings each of which is twice the one before.
func doubled(n int) string {
	b := "const s0 = \"0123456789\"\n"
	for i := range n {
		b += fmt.Sprintf("const s%d = s%d + s%[2]d\n", i+1, i)
	}
	return b
}

// TestExplosions runs short cells that would take Go years to check, or more memory than there is.
func TestExplosions(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("kept := 42\n" + pairs(8, "type t%d struct{ a, b t%d }"))
	const inTypes, inStrings = "part of each other so many times", "constant strings longer than 64 MiB"
	for name, test := range map[string]struct{ cell, err string }{
		"pairs":           {pairs(60, "type t%d struct{ a, b t%d }"), inTypes},
		"arrays of pairs": {pairs(60, "type t%d [2]struct{ a, b t%d }"), inTypes},
		"aliases":         {pairs(60, "type t%d = struct{ a, b t%d }"), inTypes},
		"generic":         {"type p[T any] struct{ a, b T }\n" + pairs(60, "type t%d p[t%d]"), inTypes},
		"interfaces":      {"type t0 interface{ M() }\n" + withoutFirst(pairs(60, "type t%d interface{ t%d; t%[2]d }")), inTypes},
		"constants":       {doubled(60), inStrings},
		"length":          {doubled(40) + "const n = len(s40)\nn", inStrings},
		"in a function":   {doubled(20) + "func f() int { const a = s20 + s20 + s20 + s20 + s20 + s20 + s20; return len(a) }", inStrings},
		"shift":           {"const big = 1 << 1_000_000_000\nx := big", "invalid shift count"},
		"power":           {"const a = 1 << 500\nconst b = a * a * a * a", "overflow"},
	} {
		start := time.Now()
		_, err := n.cell(test.cell)
		if err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %.200v, want %s", name, err, test.err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
	n.mustRun("x := t8{}\n" + doubled(16) + pairs(14, "type t%d struct{ a, b *t%d }"))
	n.gives("kept", "42")
}

// withoutFirst removes the first of the pairs.
func withoutFirst(text string) string { return strings.TrimPrefix(text, "type t0 struct{ n int8 }\n") }

// lines returns n lines, each formatted with its number.
func lines(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form+"\n", i)
	}
	return b.String()
}

// TestInterruptOfCompiling interrupts large cells at different times before they begin to run.
func TestInterruptOfCompiling(t *testing.T) {
	for name, cell := range map[string]string{
		"types":          pairs(19, "type t%d struct{ a, b t%d }"),
		"funcs":          lines(10_000, "func f%d(x int) int { return x + 1 }"),
		"variables":      lines(10_000, "v%d := 1"),
		"constants":      lines(10_000, "const c%d = iota"),
		"a long text":    "text := `" + strings.Repeat("a line of text\n", 1_000_000) + "`",
		"statements":     "x := 0\n" + strings.Repeat("x += 1; _ = x\n", 2_000_000/14),
		"a long sum":     "y := 0" + strings.Repeat(" + 1", 90_000),
		"a deep nesting": "z := " + strings.Repeat("(", 50_000) + "1" + strings.Repeat(")", 50_000),
		"a literal":      "var list = []int{" + strings.Repeat("1, ", 1_000_000) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			n := newNotebook(t)
			n.mustRun("kept := 42")
			for _, after := range []time.Duration{50 * time.Millisecond, 300 * time.Millisecond, 1500 * time.Millisecond} {
				interrupted := make(chan time.Time, 1)
				timer := time.AfterFunc(after, func() {
					interrupted <- time.Now()
					n.Interrupt()
				})
				_, err := n.cell(cell)
				if timer.Stop() {
					t.Logf("ended before %v: %.100v", after, err)
					break
				}
				took := time.Since(<-interrupted)
				if err == nil && took < time.Second {
					t.Logf("had begun to run after %v", after)
					break
				}
				var run *session.RunError
				if took > time.Second || !errors.As(err, &run) || run.Kind != "Interrupted" {
					t.Errorf("interrupted after %v: ended after another %v: %.100v", after, took, err)
				}
			}
			n.gives("kept", "42")
		})
	}
}

// TestInterruptOfWaiting interrupts a cell that waits for one that could not be stopped.
func TestInterruptOfWaiting(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("kept := 42")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	cell := session.Source{Name: "cell", Text: pairs(20, "type t%d struct{ a, b t%d }")}
	for range 3 {
		start := time.Now()
		err := n.Run(ctx, cell, &recorder{})
		if took := time.Since(start); took > 1300*time.Millisecond {
			t.Errorf("took %v", took)
		}
		var run *session.RunError
		if !errors.As(err, &run) || run.Kind != "Interrupted" {
			t.Errorf("error %v", err)
		}
	}
	r := n.mustRun("kept")
	if r.result() != "42" {
		t.Errorf("result %s", r.result())
	}
}
