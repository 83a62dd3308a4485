package session

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxStderr is how much of an exited process's last output is kept, in bytes.
	maxStderr = 4096
	// dumpTime is the maximum time that the runtime's report of a fatal error takes, and
	// maxDump its maximum size in bytes. Output beyond that is no report and is shown.
	// After a stack overflow the report takes longer, overflowTime, since the runtime
	// walks the whole stack.
	dumpTime     = 2 * time.Second
	overflowTime = time.Minute
	maxDump      = 1 << 20
	// maxRepeats is the maximum number of times that a call is shown in a row in a
	// traceback: an overflowing stack repeats the same call a hundred times.
	maxRepeats = 3
)

// dumpStart matches the line with which a report of Go's runtime begins.
var dumpStart = regexp.MustCompile(`(?m)^(fatal error: |panic: |runtime: out of memory|runtime: goroutine stack exceeds |SIG[A-Z]+: |unexpected fault address )`)

// A stderrTail passes on standard error and keeps its end, in case the process exits. A
// report of the runtime is held back: it is hundreds of lines about internals of the
// session. Its relevant parts become part of the DiedError.
type stderrTail struct {
	sink func(text string)

	mu     sync.Mutex
	recent []byte // output since the last call of alive
	held   []byte // a possible report
	ended  bool   // whether the process has exited
	late   *time.Timer
}

// print adds output of the process.
func (t *stderrTail) print(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.held) > 0 {
		if t.held = append(t.held, text...); len(t.held) > maxDump {
			t.releaseLocked()
		}
		return
	}
	if at := dumpStart.FindStringIndex(text); at != nil {
		t.held = []byte(text[at[0]:])
		limit := dumpTime
		if bytes.HasPrefix(t.held, []byte("runtime: goroutine stack")) {
			limit = overflowTime
		}
		t.late = time.AfterFunc(limit, t.tooLate)
		text = text[:at[0]]
	}
	t.passLocked(text)
}

// alive records that the process runs after its output, which therefore is no report.
func (t *stderrTail) alive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.releaseLocked()
	t.recent = nil
}

// tooLate releases what is held back, since the process still runs.
func (t *stderrTail) tooLate() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.releaseLocked()
}

func (t *stderrTail) releaseLocked() {
	if len(t.held) > 0 && !t.ended {
		t.late.Stop()
		t.passLocked(string(t.held))
		t.held = nil
	}
}

func (t *stderrTail) passLocked(text string) {
	if text == "" {
		return
	}
	t.recent = append(t.recent, text...)
	if n := len(t.recent); n > maxStderr {
		t.recent = slices.Clone(t.recent[n-maxStderr:])
	}
	t.sink(text)
}

// died records that there will be no more output, and that what is held back is a report.
func (t *stderrTail) died() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

// read returns the runtime's report of a fatal error, or "", and the output before it.
func (t *stderrTail) read() (dump, words string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.held), strings.TrimSpace(string(t.recent))
}

var (
	fatalLine  = regexp.MustCompile(`(?m)^(?:fatal error|panic): .*`)
	signalLine = regexp.MustCompile(`(?m)^(SIG[A-Z]+: [a-z ]+)$`)
	signalNote = regexp.MustCompile(`(?m)^\[signal (SIG[A-Z]+: [a-z ]+?)(?: code=\S+)? addr=`)
	// The first goroutine is the one that failed.
	firstStack = regexp.MustCompile(`(?ms)^goroutine \d+ [^\n]*\n(.*?)(?:^\n|\z)`)
	stackEntry = regexp.MustCompile(`(?m)^(?:created by )?(\S.*?)(?:\([^()\n]*\))?(?: in goroutine \d+)?\n\t(\S[^\n]*?):(\d+)(?: \+0x[0-9a-f]+)?(?: [^\n]*)?$`)
)

// crashReason returns the cause in a report as one line.
func crashReason(dump string) string {
	reason := fatalLine.FindString(dump)
	if m := signalLine.FindStringSubmatch(dump); m != nil && reason == "" {
		reason = m[1]
		if strings.Contains(dump, "during cgo execution") {
			reason = "a crash in C code: " + reason
		}
	}
	if m := signalNote.FindStringSubmatch(dump); m != nil && !strings.Contains(reason, m[1]) {
		reason += ", " + m[1]
	}
	return reason
}

// crashFrames returns the calls in cells that led to a crash, innermost first.
func crashFrames(dump string) []Frame {
	stack := firstStack.FindStringSubmatch(dump)
	if stack == nil {
		return nil
	}
	var frames []Frame
	repeats := 0
	for _, m := range stackEntry.FindAllStringSubmatch(stack[1], -1) {
		line, err := strconv.Atoi(m[3])
		if err != nil || !strings.HasPrefix(m[2], "cell[") {
			continue
		}
		f := Frame{Func: m[1], File: m[2], Line: line}
		if n := len(frames); n > 0 && frames[n-1] == f {
			if repeats++; repeats >= maxRepeats {
				continue
			}
		} else {
			repeats = 0
		}
		frames = append(frames, f)
	}
	return frames
}
