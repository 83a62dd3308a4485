package e2e

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSurvived runs cells with failures that would end a Go program; here they end
// only the cell.
func TestSurvived(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("kept := 1\nflags := flag.NewFlagSet(\"x\", flag.ExitOnError)")
	for _, tc := range []struct{ name, cell, want string }{
		{"os.Exit", "os.Exit(3)", "os.Exit(3) ended the cell"},
		{"log.Fatal", `log.New(io.Discard, "", 0).Fatal("no")`, "Fatal ended the cell"},
		{"os.Exit in a library", `flags.Parse([]string{"-none"})`, "os.Exit with a status other than 0 ended the cell"},
		{"os.Exit in a library again", `flags.Parse([]string{"-none"})`, "in os.Exit"},
		{"os.Exit in a goroutine", "go flags.Parse([]string{\"-none\"})\nselect {}", "os.Exit"},
		{"a panic in a goroutine", "go func() { panic(\"there\") }()\nselect {}", "panic: there"},
		{"a panic in a goroutine of a WaitGroup", "var wg sync.WaitGroup\nwg.Go(func() { panic(\"there\") })\nwg.Wait()\nselect {}", "panic: there"},
		{"a panic in a timer", "time.AfterFunc(0, func() { panic(\"there\") })\nselect {}", "panic: there"},
		{"a nil pointer", "var p *int\n*p = 1", "nil pointer dereference"},
		{"a panic in a subtest", "func TestX(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { panic(\"there\") }) }\n%test", "TestX failed"},
		{"a panic in a benchmark", "func BenchmarkX(b *testing.B) { panic(\"there\") }\n%test -bench=.", "BenchmarkX failed"},
	} {
		n.fails(tc.cell, tc.want)
		n.gives("kept", "1")
	}
	n.cell(`flags.Parse([]string{"-h"}); kept = 2`) // os.Exit(0) ends it without an error
	n.gives("kept", "1")

	n.run("late := make(chan bool)\ngo func() { <-late; panic(\"late\") }()")
	if o := n.cell("late <- true\ntime.Sleep(100 * time.Millisecond)"); !strings.Contains(o.stderr, "panic: late\n\tcell[") {
		t.Errorf("standard error %q does not tell of a goroutine that outlived its cell", o.stderr)
	}
	n.gives("kept", "1")
}

// TestFatal runs cells with failures that end the session process: the cell reports the
// failure, its position and the lost variables, and %restore runs the other cells again.
func TestFatal(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("func f(n int) int { return f(n+1) + 1 }\nfunc count(m map[int]int) { for { m[1]++ } }")
	n.run(`/*
#include <stdlib.h>
#include <string.h>

static int length(size_t at) { return strlen((char *)at); }
*/
import "C"

func crash() { C.length(1) }

func abort() { C.abort() }

func quit() { C.exit(3) }`)
	n.run("kept := 1")
	for _, tc := range []struct{ name, cell, why, line string }{
		{"concurrent map writes", "m := map[int]int{}\nfor range 8 { go count(m) }\nselect {}", "fatal error: concurrent map", "m[1]++"},
		{"stack overflow", "// a comment\nf(0)", "fatal error: stack overflow", "f(n+1)"},
		{"deadlock of locks", "var mu sync.Mutex\nmu.Unlock()", "fatal error: sync: unlock of unlocked mutex", "mu.Unlock()"},
		{"out of memory", "var pages uint64\nfmt.Sscan(string(must(os.ReadFile(\"/proc/self/statm\"))), &pages)\nlimit := pages<<12 + 4<<30\nsyscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit})\nvar hold [][]byte\nfor { hold = append(hold, make([]byte, 256<<20)) }", "out of memory", "make([]byte"},
		{"a panic in a library's goroutine", "server := time.AfterFunc\nserver(0, func() { panic(\"there\") })\nselect {}", "panic: there", `panic("there")`},
		{"a crash in C", `crash()`, "a crash in C code: SIGSEGV: segmentation violation", `crash()`},
		{"abort in C", `abort()`, "a crash in C code: SIGABRT: abort", `abort()`},
		{"exit in C", `quit()`, "C code or syscall.Exit ended the process (exit status 3)", ""},
		{"killed", "syscall.Kill(os.Getpid(), syscall.SIGKILL)\nselect {}", "killed from outside", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := &notebook{t, n.Process}
			o := n.fails(tc.cell, tc.why)
			if o.reply.Name != "SessionDied" || !strings.Contains(o.reply.Value, "%restore") || !strings.Contains(o.reply.Value, "kept") {
				t.Errorf("%s: %s\nwant the lost variable and what to do", o.reply.Name, o.reply.Value)
			}
			if !strings.Contains(o.traceback, tc.line) {
				t.Errorf("traceback %s\nwant the line %q", o.traceback, tc.line)
			}
			if strings.Contains(o.stderr, "goroutine") {
				t.Errorf("standard error has the runtime's report: %.300s", o.stderr)
			}
			n.run("%restore")
			n.gives("kept", "1")
		})
	}
}

// TestNoReport prints text on standard error that resembles a report of the runtime.
func TestNoReport(t *testing.T) {
	t.Parallel()
	n := open(t)
	if got := n.cell(`fmt.Fprintln(os.Stderr, "panic: it is not")`).stderr; got != "panic: it is not\n" {
		t.Errorf("standard error %q", got)
	}
	o := n.cell("fmt.Fprint(os.Stderr, \"before\\nfatal error: it is not\\n\")\nfmt.Println(1)\npanic(3)")
	if o.stderr != "before\nfatal error: it is not\n" || o.reply.Name != "panic" {
		t.Errorf("standard error %q, %s", o.stderr, o.reply.Name)
	}
}

// TestLastResort interrupts a session process that can't react.
func TestLastResort(t *testing.T) {
	t.Parallel()
	n := open(t)
	pid, err := strconv.Atoi(n.run("kept := 1\nos.Getpid()").result)
	if err != nil {
		t.Fatal(err)
	}
	started := filepath.Join(t.TempDir(), "started")
	go func() {
		for !exists(started) {
			time.Sleep(10 * time.Millisecond)
		}
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		for range 3 { // the second one offers to kill the process, the third one does
			_ = n.Interrupt(t.Context())
			time.Sleep(2200 * time.Millisecond)
		}
	}()
	o := n.fails(`os.WriteFile("`+started+`", nil, 0o600); time.Sleep(time.Hour)`, "interrupted three times")
	if !strings.Contains(o.stderr, "Interrupt once more to end it") || !strings.Contains(o.reply.Value, "kept") {
		t.Errorf("%s\nstandard error %q", o.reply.Value, o.stderr)
	}
	n.gives("1 + 1", "2")
}
