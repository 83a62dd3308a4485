package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// inputStopped is the error of a request for input that was canceled. It is context.Canceled for its callers.
type inputStopped string

const (
	errInterrupted inputStopped = "input interrupted"
	errCellEnded   inputStopped = "input: the cell that asks has ended"
)

func (e inputStopped) Error() string { return string(e) }

func (inputStopped) Is(target error) bool { return target == context.Canceled }

// output is the output of one cell. It keeps the header of the cell's request, so that late output of a goroutine is shown below its
// cell.
type output struct {
	s      *server
	req    *request
	count  int
	silent bool
	stdin  bool // the front end can ask its user

	asking context.Context // ends with the cell or on interrupt
	hush   context.CancelCauseFunc

	mu     sync.Mutex
	cut    map[string]string          // stream name → first bytes of an incomplete code point
	result any                        // text of the last result, for the history
	pages  []any                      // payloads of the reply
	notes  map[string]json.RawMessage // metadata of the reply
}

func newOutput(ctx context.Context, s *server, req *request, count int, silent, stdin bool) *output {
	o := &output{s: s, req: req, count: count, silent: silent, stdin: stdin, cut: make(map[string]string)}
	o.asking, o.hush = context.WithCancelCause(ctx)
	return o
}

// Stream implements Output. Text may end within a code point: its bytes are kept until the next write.
func (o *output) Stream(name, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	text = o.cut[name] + text
	whole := wholePrefix(text)
	o.cut[name] = text[whole:]
	o.write(name, text[:whole])
}

// finish sends the bytes that Stream has kept.
func (o *output) finish() {
	o.hush(errCellEnded)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range []string{"stdout", "stderr"} {
		o.write(name, o.cut[name])
		o.cut[name] = ""
	}
	o.s.iopub.flush()
}

func (o *output) write(name, text string) {
	if text != "" && !o.silent {
		o.s.iopub.makeRoom()
		o.s.iopub.write(o.req.msg.RawHeader, name, strings.ToValidUTF8(text, "\uFFFD"))
	}
}

// wholePrefix returns the length of text without an incomplete code point at its end.
func wholePrefix(text string) int {
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if utf8.FullRuneInString(text[i:]) {
				return len(text)
			}
			return i
		}
	}
	return len(text)
}

// Display implements Output.
func (o *output) Display(data MIMEBundle, metadata map[string]any, id string) {
	o.publish("display_data", shown(o.encoded(data), o.encoded(metadata), id))
}

// UpdateDisplay implements Output.
func (o *output) UpdateDisplay(data MIMEBundle, metadata map[string]any, id string) {
	encoded := o.encoded(data)
	content := shown(encoded, o.encoded(metadata), id)
	switch {
	case o.silent:
	case runs(encoded):
		o.publish("update_display_data", content)
	default:
		o.s.iopub.makeRoom()
		o.s.iopub.update(id, o.req.msg.RawHeader, content)
	}
}

// shown returns the content of a message about a display.
func shown(data, metadata map[string]json.RawMessage, id string) content {
	transient := map[string]json.RawMessage{}
	if id != "" {
		transient["display_id"], _ = json.Marshal(id)
	}
	return content{}.object("data", data).object("metadata", metadata).object("transient", transient)
}

// runs reports whether what is shown runs when it is shown, so that it does something even if it is replaced at once.
func runs(data map[string]json.RawMessage) bool {
	if data["application/javascript"] != nil {
		return true
	}
	for _, begin := range []string{"<script", `\u003cscript`, "<SCRIPT", `\u003cSCRIPT`} {
		if bytes.Contains(data["text/html"], []byte(begin)) {
			return true
		}
	}
	return false
}

// Result implements Output.
func (o *output) Result(data MIMEBundle, metadata map[string]any) {
	o.mu.Lock()
	o.result = data["text/plain"]
	o.mu.Unlock()
	o.publish("execute_result", content{}.number("execution_count", o.count).object("data", o.encoded(data)).object("metadata", o.encoded(metadata)))
}

// lastResult returns the text of the last result, or nil.
func (o *output) lastResult() any {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.result
}

// ClearOutput implements Output.
func (o *output) ClearOutput(wait bool) {
	o.publish("clear_output", map[string]any{"wait": wait})
}

func (o *output) publish(msgType string, content any) {
	if !o.silent {
		o.s.iopub.makeRoom()
		o.s.iopub.send(msgType, o.req.msg.RawHeader, content)
	}
}

// encoded encodes values. It drops those that JSON cannot represent and shows a message in the cell, so that the other values are not
// lost.
func (o *output) encoded(values map[string]any) map[string]json.RawMessage {
	good := make(map[string]json.RawMessage, len(values))
	var bad []string
	for k, v := range values {
		raw, ok := v.(json.RawMessage)
		if !ok {
			var err error
			if raw, err = json.Marshal(v); err != nil {
				bad = append(bad, fmt.Sprintf("%s can't be shown: %v\n", k, err))
				continue
			}
		}
		good[k] = raw
	}
	sort.Strings(bad)
	for _, line := range bad {
		o.Stream("stderr", line)
	}
	return good
}

// connectTime is how long a cell that asks for input waits for the front end's stdin connection.
const connectTime = 10 * time.Second

// findStdin returns the stdin connection of the front end that sent the request.
func (o *output) findStdin(ctx context.Context) (*peer, error) {
	limited, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	to, err := o.s.stdin.find(limited, o.req.from.id)
	switch {
	case o.asking.Err() != nil:
		return nil, context.Cause(o.asking)
	case err != nil && ctx.Err() == nil:
		return nil, errors.New("input: the front end has no stdin connection with the identity of its request")
	}
	return to, err
}

// Input implements Output.
func (o *output) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if !o.stdin {
		return "", errors.New("input: this front end can't ask for input (it runs cells without a person); give the value in the cell instead")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(o.asking, cancel)()
	to, err := o.findStdin(ctx)
	if err != nil {
		return "", err
	}
	if prompt == "" {
		prompt = o.s.iopub.takeLine(o.req.msg.RawHeader)
	} else {
		o.s.iopub.flush() // the prompt follows earlier output
	}
	text, err := o.s.ask(ctx, to, o.req, prompt, password)
	if o.asking.Err() != nil { // has priority over an answer that arrives at the same time
		return "", context.Cause(o.asking)
	}
	return text, err
}
