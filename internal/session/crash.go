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
	// lastWords is how much of what a dead process printed last is kept, in bytes.
	lastWords = 4096
	// dumpTime is how long the runtime's report of a fatal error may take, and maxDump how
	// long it may be, in bytes. What looks like one and is not is shown after that. A stack
	// that overflows is walked to its end for it.
	dumpTime     = 2 * time.Second
	overflowTime = time.Minute
	maxDump      = 1 << 20
	// maxRepeats is how often a call is shown in a row in a traceback: a stack that
	// overflows is a hundred times the same.
	maxRepeats = 3
)

// dumpStart matches the line with which a report of Go's runtime begins.
var dumpStart = regexp.MustCompile(`(?m)^(fatal error: |panic: |runtime: out of memory|runtime: goroutine stack exceeds |SIG[A-Z]+: |unexpected fault address )`)

// A stderrTail passes on standard error and keeps the end of it, in case the process dies. A
// report of the runtime is held back: it is hundreds of lines about the inner life of the
// session, and what a reader wants of it becomes part of the DiedError.
type stderrTail struct {
	sink func(text string)

	mu     sync.Mutex
	recent []byte // what was printed last, since the process was known to be well
	held   []byte // a report, if the process dies now
	ended  bool   // it has died
	late   *time.Timer
}

// print takes what the process has printed.
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

// alive says that the process is well after what it printed.
func (t *stderrTail) alive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.releaseLocked()
	t.recent = nil
}

// tooLate says that the process has not died of what it printed.
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
	if n := len(t.recent); n > lastWords {
		t.recent = slices.Clone(t.recent[n-lastWords:])
	}
	t.sink(text)
}

// died says that nothing will come any more, and that what is held back is a report.
func (t *stderrTail) died() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}

// read returns the runtime's report of what ended the process, if there is one, and what
// was printed before it.
func (t *stderrTail) read() (dump, words string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.held), strings.TrimSpace(string(t.recent))
}

var (
	fatalLine  = regexp.MustCompile(`(?m)^(?:fatal error|panic): .*`)
	signalLine = regexp.MustCompile(`(?m)^(SIG[A-Z]+: [a-z ]+)$`)
	signalNote = regexp.MustCompile(`(?m)^\[signal (SIG[A-Z]+: [a-z ]+?)(?: code=\S+)? addr=`)
	// The goroutine at fault is the first one.
	firstStack = regexp.MustCompile(`(?ms)^goroutine \d+ [^\n]*\n(.*?)(?:^\n|\z)`)
	stackEntry = regexp.MustCompile(`(?m)^(?:created by )?(\S.*?)(?:\([^()\n]*\))?(?: in goroutine \d+)?\n\t(\S[^\n]*?):(\d+)(?: \+0x[0-9a-f]+)?(?: [^\n]*)?$`)
)

// why says in a line what a report is about.
func why(dump string) string {
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

// crashFrames lists the calls in cells that led to a crash, innermost first.
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
