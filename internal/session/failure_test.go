package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// mustRun runs a cell that must not fail.
func (n *notebook) mustRun(text string) *recorder {
	n.t.Helper()
	r, err := n.cell(text)
	if err != nil {
		n.t.Fatalf("%s\nfailed: %v", text, err)
	}
	return r
}

func TestPanicNamesTheLines(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("type box struct{ items []int }\n\nfunc (b *box) get(i int) int {\n\treturn b.items[i]\n}")
	_, err := n.cell("b := &box{}\n\nb.get(7)")
	var run *session.RunError
	if !errors.As(err, &run) {
		t.Fatalf("error %v", err)
	}
	if run.Kind != "panic" || len(run.Frames) < 2 {
		t.Fatalf("%+v", run)
	}
	want := []session.Frame{
		{Func: "main.(*box).get", File: "cell[1]", Line: 4},
		{Func: "main.cell", File: "cell[2]", Line: 3},
	}
	if !slices.Equal(run.Frames[:2], want) {
		t.Errorf("frames %+v, want %+v", run.Frames[:2], want)
	}

	// The same statement is not compiled again, but errors have the lines of the new cell.
	n.mustRun("b = &box{}")
	if _, err := n.cell("b.get(7)"); err == nil {
		t.Fatal("no error")
	}
	_, err = n.cell("b.get(7)")
	if !errors.As(err, &run) || run.Frames[1].File != "cell[5]" {
		t.Errorf("error %v with frames %+v", err, run)
	}
}

func TestErrorNamesItsLine(t *testing.T) {
	n := newNotebook(t)
	for _, cell := range []string{
		"func f() error { return errors.New(\"no\") }\n\n\nf()",
		"x := 1\n\n\nx, err := must(strconv.Atoi(\"no\")), error(nil)",
		"\n\n\nvar y = must(strconv.Atoi(\"no\"))",
		"\n\n\nmust(strconv.Atoi(\"no\"))",
		"\n// a comment\n\nstrconv.Atoi(\"no\")",
		"/* a comment\n\n*/\nstrconv.Atoi(\"no\")",
	} {
		_, err := n.cell(cell)
		var run *session.RunError
		if !errors.As(err, &run) || len(run.Frames) == 0 || run.Frames[0].Line != 4 {
			t.Errorf("%s\nerror %v at %+v, want line 4", cell, err, run)
		}
	}
}

// TestPlaceBesideInlined fails in a call in a cell beside one of the standard library that is inlined.
func TestPlaceBesideInlined(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("func check(e error) {\n\tif e != nil {\n\t\tpanic(e)\n\t}\n}")
	n.mustRun("var f *os.File")
	_, err := n.cell("err := f.Close()\ncheck(err)")
	var run *session.RunError
	if !errors.As(err, &run) || len(run.Frames) == 0 || run.Frames[0] != (session.Frame{Func: "main.check", File: "cell[1]", Line: 3}) {
		t.Errorf("error %v, %+v", err, run)
	}
}

// TestDeepRecursion fails far from the cell's own line.
func TestDeepRecursion(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("func deep(n int) {\n\tif n == 0 {\n\t\tpanic(\"bottom\")\n\t}\n\tdeep(n - 1)\n}\nfunc ping(n int) {\n\tif n == 0 {\n\t\tpanic(\"bottom\")\n\t}\n\tpong(n - 1)\n}\nfunc pong(n int) {\n\tping(n)\n}")
	for cell, want := range map[string][]session.Frame{
		"deep(10000)": {
			{Func: "main.deep", File: "cell[1]", Line: 3},
			{Func: "main.deep", File: "cell[1]", Line: 5},
			{Func: "main.deep", File: "cell[1]", Line: 5, More: 9998},
		},
		"ping(5000)": {
			{Func: "main.ping", File: "cell[1]", Line: 9},
			{Func: "main.pong", File: "cell[1]", Line: 14},
			{Func: "main.ping", File: "cell[1]", Line: 11},
			{Func: "main.pong", File: "cell[1]", Line: 14},
			{Func: "main.ping", File: "cell[1]", Line: 11, More: 9996},
		},
	} {
		_, err := n.cell(cell)
		var run *session.RunError
		if !errors.As(err, &run) || len(run.Frames) < len(want) || !slices.Equal(run.Frames[:len(want)], want) {
			t.Errorf("%s: %v, %+v", cell, err, run)
			continue
		}
		if f := run.Frames[len(want)]; f.Func != "main.cell" || !strings.HasPrefix(f.File, "cell[") || f.Line != 1 {
			t.Errorf("%s: called in %+v", cell, f)
		}
	}
}

// TestStackOverflow runs an infinite recursion, which ends the session process without delay.
func TestStackOverflow(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("func limit() int { old := debug.SetMaxStack(1 << 20); debug.SetMaxStack(old); return old }")
	n.gives("limit() <= 64<<20", "true")
	n.mustRun("func rec(n int) int { return rec(n+1) + 1 }")
	_, err := n.cell("rec(0)")
	var died *session.DiedError
	if !errors.As(err, &died) || !strings.Contains(died.Why, "stack overflow") {
		t.Errorf("error %v", err)
	}
}

// TestGoroutineEndsTheCell lets a goroutine panic while the cell's own one waits.
func TestGoroutineEndsTheCell(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("resume, last := make(chan bool), make(chan bool, 1)\nran := false")
	_, err := n.cell("defer func() { last <- true }()\ngo func() { panic(\"boom\") }()\n<-resume\nran = true")
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("error %v", err)
	}
	n.gives("resume <- true\n<-last\nran", "false")
}

func TestInterrupt(t *testing.T) {
	for name, cell := range map[string]string{
		"endless loop":             "n = 2\nfor {\n}",
		"loop in a function":       "n = 2\nfunc spin() { for i := 0; ; i++ { _ = i } }\nspin()",
		"loop that recovers":       "n = 2\nfor { func() { defer func() { recover() }(); for {} }() }",
		"blocked in a channel":     "n = 2\n<-make(chan int)",
		"blocked in a sleep":       "n = 2\ntime.Sleep(time.Hour)",
		"blocked in a select":      "n = 2\nselect {}",
		"waiting for a goroutine":  "n = 2\nvar wg sync.WaitGroup\nwg.Add(1)\ngo func() { for {} }()\nwg.Wait()",
		"nested loops that count":  "n = 2\nx := 0\nfor i := 0; i < 1<<40; i++ { for j := 0; j < 100; j++ { x ^= j } }",
		"range over a channel":     "n = 2\nfor range make(chan int) { }",
		"range over a long number": "n = 2\nfor range 1 << 50 { time.Now() }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNotebook(t)
			n.mustRun("n := 1")
			started := filepath.Join(t.TempDir(), "started")
			go func() {
				for {
					if _, err := os.Stat(started); err == nil || t.Context().Err() != nil {
						break
					}
					time.Sleep(5 * time.Millisecond)
				}
				n.Interrupt()
			}()
			_, err := n.cell("os.WriteFile(" + strconv.Quote(started) + ", nil, 0o600)\n" + cell)
			var run *session.RunError
			if !errors.As(err, &run) || run.Kind != "Interrupted" {
				t.Fatalf("error %v, want an interrupt", err)
			}
			if got := n.mustRun("n").result(); got != "2" && got != "1" {
				t.Errorf("n is %s", got)
			}
			if got := n.mustRun("s := 0\nfor i := range 10 { s += i }\ns").result(); got != "45" {
				t.Errorf("a loop after the interrupt gives %s", got)
			}
		})
	}
}

func TestKilledProcess(t *testing.T) {
	n := newNotebook(t)
	pid, err := strconv.Atoi(n.mustRun("kept := 1\nos.Getpid()").result())
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	// Without waiting: the exit may be detected before the cell is sent, or afterwards.
	r := n.mustRun("x := 2\nx")
	if got := r.result(); got != "2" {
		t.Errorf("result %s", got)
	}
	if got := r.stdout.String(); !strings.Contains(got, "signal: killed") || !strings.Contains(got, "kept") {
		t.Errorf("the cell says %q, want how the session ended and what is gone", got)
	}
	if got := r.stderr.String(); got != "" {
		t.Errorf("the cell did nothing wrong, and standard error is %q", got)
	}
}

// TestLostNames uses names of a session that has ended.
func TestLostNames(t *testing.T) {
	n := newNotebook(t)
	n.mustRun("import calc \"math\"\nlost := 5\nlist := []int{1}\ntype pair struct{ a, b int }\nfunc double(x int) int { return 2 * x }")
	if _, err := n.cell("own := 1\nvar mu sync.Mutex\nmu.Unlock()"); err == nil {
		t.Fatal("the session has survived the unlock of an unlocked mutex")
	}
	for cell, want := range map[string]string{
		"lost":              "undefined: lost (cell[1] declared it, and it was lost when the session ended in cell[2])",
		"lost = 6":          "undefined: lost (cell[1] declared it, and it was lost when the session ended in cell[2])",
		"double(2)":         "undefined: double (cell[1] declared it, and it was lost when the session ended in cell[2])",
		"var p pair":        "undefined: pair (cell[1] declared it, and it was lost when the session ended in cell[2])",
		"own":               "undefined: own (cell[2] declared it, and it was lost when the session ended in cell[2])",
		"list.first":        "undefined: list (cell[1] declared it, and it was lost when the session ended in cell[2])",
		"calc.Sqrt(4)":      "undefined: calc (it was lost when the session ended in cell[2])",
		"never":             "undefined: never",
		"func f() { lots }": "undefined: lots",
	} {
		_, err := n.cell(cell)
		var list *session.CompileError
		if !errors.As(err, &list) || list.Problems[0].Message != want {
			t.Errorf("%s\n%v, want %s", cell, err, want)
			continue
		}
		if advised := list.Problems[0].Hint == "run the cells that you need again"; advised != strings.Contains(want, "lost when") {
			t.Errorf("%s\nhint %q", cell, list.Problems[0].Hint)
		}
	}
	n.mustRun("lost := 7")
	if got := n.mustRun("lost").result(); got != "7" {
		t.Errorf("after lost was declared anew it is %s", got)
	}
	pid := n.mustRun("os.Getpid()").result()
	n.mustRun("syscall.Kill(" + pid + ", syscall.SIGCONT)")
	if id, err := strconv.Atoi(pid); err != nil || syscall.Kill(id, syscall.SIGKILL) != nil {
		t.Fatal("the session process can't be killed")
	}
	n.mustRun("1")
	if _, err := n.cell("lost"); err == nil || !strings.Contains(err.Error(), "it was lost when the session ended after cell[") {
		t.Errorf("after the session was killed: %v", err)
	}
}

func TestProcessDiesInCell(t *testing.T) {
	for name, cell := range map[string]string{
		"killed":         "syscall.Kill(os.Getpid(), syscall.SIGKILL)\ntime.Sleep(time.Minute)",
		"fatal error":    "m := map[int]int{}\nfor range 8 { go func() { for { m[1]++ } }() }\ntime.Sleep(time.Minute)",
		"stack overflow": "func f(n int) int { return f(n+1) + 1 }\nf(0)",
		"wild pointer":   "*(*int)(unsafe.Add(unsafe.Pointer(nil), 1<<46)) = 1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNotebook(t)
			n.mustRun("kept := 1")
			_, err := n.cell(cell)
			var died *session.DiedError
			if name == "wild pointer" && err != nil && !errors.As(err, &died) {
				return // Go might turn it into a panic
			}
			if !errors.As(err, &died) || !slices.Contains(died.Lost, "kept") {
				t.Fatalf("error %v, want the end of the session and the lost variable", err)
			}
			if got := n.mustRun("1 + 1").result(); got != "2" {
				t.Errorf("the next cell gives %s", got)
			}
		})
	}
}

func TestOutputKeepsItsOrder(t *testing.T) {
	n := newNotebook(t)
	r := n.mustRun("for i := range 1000 {\n\tfmt.Println(i, \"é\")\n}\nprint(\"low\\x00level\")\n1")
	if got := strings.Count(r.stdout.String(), "é\n"); got != 1000 {
		t.Errorf("%d lines", got)
	}
	if got := r.stderr.String(); got != "low\x00level" {
		t.Errorf("standard error %q", got)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	n := newNotebook(t)
	pid := n.mustRun("go func() { for { time.Sleep(time.Second) } }()\nos.Getpid()").result()
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/" + pid); !os.IsNotExist(err) {
		t.Errorf("the session process is still there: %v", err)
	}
}

func TestThirdPartyImport(t *testing.T) {
	n := newNotebook(t)
	r := n.mustRun("import \"github.com/google/uuid\"\nuuid.NewSHA1(uuid.Nil, []byte(\"x\"))")
	if got := r.result(); got != "f3e951bb-a80b-5e6c-a038-a56ee0caa25d" {
		t.Errorf("result %s", got)
	}
	if got := r.stdout.String(); !strings.Contains(got, "Fetching github.com/google/uuid") {
		t.Errorf("progress %q", got)
	}
	if got := n.mustRun("uuid.Nil").result(); got != "00000000-0000-0000-0000-000000000000" {
		t.Errorf("the next cell gives %s", got)
	}
	_, err := n.cell("import \"no.such.host.invalid/module\"")
	if err == nil || !strings.Contains(err.Error(), "no.such.host.invalid") {
		t.Errorf("error %v", err)
	}
	n.mustRun("uuid.Nil")
}
