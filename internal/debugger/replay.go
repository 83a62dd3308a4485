package debugger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// A replay steps through recordings of kernels, forwards and backwards. Nothing runs meanwhile: the cell has ended.
type replay struct {
	debugger   *Debugger
	recordings []gpuhooks.Recording // each with steps
	over       chan struct{}        // closed when it has ended

	mu     sync.Mutex
	at     position
	moving bool // between two stops
	ended  bool
}

// A position is a step of a recording.
type position struct{ recording, step int }

const (
	// replayThread is the thread ID of the thread of a kernel.
	replayThread = 1
	// announce is the delay of the event of a stop. A front end that is told of it before it has the response to "continue" forgets it.
	announce = 30 * time.Millisecond
)

// The kinds of variables of a replay. A reference is a kind plus kinds times the number of the frame, which is that of its step.
const (
	localVariables = iota + 1
	memoryVariables
	lineVariables
	launchVariables
	kinds
)

// launchFrame is the number of the frame of the line with the launch.
const launchFrame = 1 << 20

// A stopping is what is stopped: a run at a breakpoint of Go code, or a replay.
type stopping interface {
	// thread returns the ID of the stopped thread, or 0 if none is stopped.
	thread() int
	// request handles a request of the front end.
	request(command string, data json.RawMessage) (any, error)
}

// Replay stops at the breakpoints in recordings of a cell's launches, until the front end has continued after the last one, ctx ends, or the
// debugger is closed.
func (d *Debugger) Replay(ctx context.Context, list []gpuhooks.Recording, out session.Output) {
	r := &replay{debugger: d, over: make(chan struct{}), at: position{0, -1}}
	for _, recording := range list {
		if len(recording.Steps) > 0 {
			r.recordings = append(r.recordings, recording)
			continue
		}
		d.once(out, fmt.Sprint(recording.Program, recording.Block, d.Stops()[recording.Program]), fmt.Sprintf(
			"%s: no thread of block %s of %s came to a breakpoint. StopIn chooses another block and thread: gpu.For(n, 256).StopIn(gpu.Dim3{X: 1}, gpu.Dim3{X: 7}).\n",
			recording.Program, triple(recording.Block), recording.Kernel))
	}
	next, ok := r.breakpoint(r.at, 1)
	if !ok {
		return
	}
	r.at = next
	d.mu.Lock()
	d.replay = r
	d.mu.Unlock()
	d.event("stopped", r.stop("breakpoint"))
	select {
	case <-r.over:
	case <-ctx.Done():
		r.end()
	}
	d.mu.Lock()
	d.replay = nil
	d.mu.Unlock()
}

func (r *replay) thread() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.moving || r.ended {
		return 0
	}
	return replayThread
}

// end ends the replay, so that the cell ends.
func (r *replay) end() {
	r.mu.Lock()
	ended, moving := r.ended, r.moving
	r.ended = true
	r.mu.Unlock()
	if ended {
		return
	}
	if !moving {
		r.debugger.event("continued", dap.ContinuedEventBody{ThreadId: replayThread, AllThreadsContinued: true})
	}
	close(r.over)
}

// stop returns the body of the event for the current position.
func (r *replay) stop(reason string) dap.StoppedEventBody {
	recording, _ := r.here()
	text := fmt.Sprintf("thread %s of block %s of %s, as recorded", triple(recording.Thread), triple(recording.Block), recording.Kernel)
	return dap.StoppedEventBody{Reason: reason, Description: text, Text: text, ThreadId: replayThread, AllThreadsStopped: true}
}

// here returns the recording and the step of the current position.
func (r *replay) here() (*gpuhooks.Recording, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &r.recordings[r.at.recording], r.at.step
}

// moved returns the position that is n steps away, in another recording if need be, and whether there is one. n is 1 or -1.
func (r *replay) moved(from position, n int) (position, bool) {
	from.step += n
	for from.recording < len(r.recordings) && from.step >= len(r.recordings[from.recording].Steps) {
		from = position{from.recording + 1, 0}
	}
	for from.recording > 0 && from.step < 0 {
		from.recording--
		from.step = len(r.recordings[from.recording].Steps) - 1
	}
	return from, from.recording < len(r.recordings) && from.step >= 0
}

// breakpoint returns the next position at a breakpoint, in the direction of n.
func (r *replay) breakpoint(from position, n int) (position, bool) {
	stops := r.debugger.Stops()
	for {
		next, ok := r.moved(from, n)
		if !ok {
			return from, false
		}
		from = next
		recording := &r.recordings[from.recording]
		if step := recording.Steps[from.step]; slices.Contains(stops[recording.Program], gpuhooks.Stop{File: step.File, Line: step.Line}) {
			return from, true
		}
	}
}

// within returns the next position that is in the same function or, with more above, in its caller, and behind the kernel's end the next
// breakpoint.
func (r *replay) within(from position, above uint64) (position, bool) {
	steps := r.recordings[from.recording].Steps
	for i := from.step + 1; i < len(steps); i++ {
		if steps[i].Frame >= steps[from.step].Frame+above {
			return position{from.recording, i}, true
		}
	}
	return r.breakpoint(position{from.recording, len(steps) - 1}, 1)
}

// move moves by the named request. It ends the replay behind the last step, and stays at the first one.
func (r *replay) move(command string) {
	r.mu.Lock()
	from := r.at
	r.mu.Unlock()
	var to position
	reason, more := "step", true
	switch command {
	case "next":
		to, more = r.within(from, 0)
	case "stepOut":
		to, more = r.within(from, 1)
	case "stepIn":
		if to, more = r.moved(from, 1); to.recording != from.recording {
			to, more = r.breakpoint(from, 1)
		}
	case "stepBack":
		if before, ok := r.moved(from, -1); ok {
			to = before
		} else {
			to = from
		}
	case "reverseContinue":
		reason = "breakpoint"
		to, _ = r.breakpoint(from, -1) // or the first step
	default: // continue
		reason = "breakpoint"
		to, more = r.breakpoint(from, 1)
	}
	if !more {
		r.end()
		return
	}
	r.mu.Lock()
	r.at, r.moving = to, true
	r.mu.Unlock()
	r.debugger.event("continued", dap.ContinuedEventBody{ThreadId: replayThread, AllThreadsContinued: true})
	time.AfterFunc(announce, func() {
		r.mu.Lock()
		r.moving = false
		ended := r.ended
		r.mu.Unlock()
		if !ended {
			r.debugger.event("stopped", r.stop(reason))
		}
	})
}

// reverse has the requests that are also words to evaluate, for front ends without their buttons. The words are gdb's.
var reverse = map[string]string{"reverse-step": "stepBack", "reverse-next": "stepBack", "reverse-continue": "reverseContinue"}

func (r *replay) request(command string, data json.RawMessage) (any, error) {
	switch command {
	case "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue":
		r.move(command)
		return dap.ContinueResponseBody{AllThreadsContinued: true}, nil
	case "threads":
		recording, _ := r.here()
		return dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: replayThread, Name: fmt.Sprintf("thread %s of block %s", triple(recording.Thread), triple(recording.Block))}}}, nil
	case "stackTrace":
		frames := r.frames()
		return dap.StackTraceResponseBody{StackFrames: frames, TotalFrames: len(frames)}, nil
	case "scopes":
		q, err := decode[dap.ScopesArguments](command, data)
		if err != nil {
			return nil, err
		}
		return dap.ScopesResponseBody{Scopes: scopes(q.FrameId)}, nil
	case "variables":
		q, err := decode[dap.VariablesArguments](command, data)
		if err != nil {
			return nil, err
		}
		return dap.VariablesResponseBody{Variables: r.variables(q.VariablesReference)}, nil
	case "evaluate":
		q, err := decode[dap.EvaluateArguments](command, data)
		if err != nil {
			return nil, err
		}
		return r.evaluate(strings.TrimSpace(q.Expression), q.FrameId)
	}
	return nil, fmt.Errorf("%s: this kernel's debugger can't do that", command)
}

// program returns what is known of the program of the current position.
func (r *replay) program() program {
	recording, _ := r.here()
	r.debugger.mu.Lock()
	defer r.debugger.mu.Unlock()
	return r.debugger.programs[recording.Program]
}

// frames returns the functions of the thread, innermost first, and the line of the launch.
func (r *replay) frames() []dap.StackFrame {
	recording, step := r.here()
	d := r.debugger
	d.mu.Lock()
	defer d.mu.Unlock()
	of := d.programs[recording.Program]
	var frames []dap.StackFrame
	add := func(id int, name string, source dap.Source, line int) {
		frames = append(frames, dap.StackFrame{Id: id, Name: name, Source: &source, Line: line, Column: 1})
	}
	for i := step; i >= 0; i-- {
		at := &recording.Steps[i]
		if i < step && at.Frame <= recording.Steps[frames[len(frames)-1].Id].Frame {
			continue // it is in a function that had returned, or in the one above
		}
		add(i, of.function(recording, at), d.programSource(recording.Program, at.File), at.Line)
	}
	if name, number, ok := strings.Cut(recording.Site, ":"); ok && d.paths[name] != "" {
		line, _ := strconv.Atoi(number)
		add(launchFrame, name, dap.Source{Name: name, Path: d.paths[name]}, line)
	}
	return frames
}

// scopes returns the scopes of a frame. Front ends show the first one.
func scopes(frame int) []dap.Scope {
	launch := dap.Scope{Name: "Launch", VariablesReference: frame*kinds + launchVariables}
	if frame == launchFrame {
		return []dap.Scope{launch}
	}
	return []dap.Scope{
		{Name: "Locals", VariablesReference: frame*kinds + localVariables},
		{Name: "Memory", VariablesReference: frame*kinds + memoryVariables},
		{Name: "This line", VariablesReference: frame*kinds + lineVariables},
		launch,
	}
}

func (r *replay) variables(reference int) []dap.Variable {
	recording, step := r.here()
	frame, kind := reference/kinds, reference%kinds
	if frame >= len(recording.Steps) {
		frame = step
	}
	at := &recording.Steps[frame]
	list := []dap.Variable{}
	add := func(name, typ, value string) {
		if len(list) < maxVariables {
			list = append(list, dap.Variable{Name: name, Type: shownType(typ), Value: value, EvaluateName: name})
		}
	}
	of := r.program()
	say := of.words()
	switch kind {
	case localVariables:
		add(say.thread, "", triple(recording.Thread))
		add(say.block, "", triple(recording.Block))
		locals := of.variables(at.Function, at.Locals)
		if at.Function == "" {
			locals = of.arguments(recording)
		}
		for _, v := range locals {
			add(v.Name, v.Type, v.Value)
		}
	case memoryVariables:
		for _, e := range elements(recording.Steps[:step]) {
			add(e.Name, "", e.Value)
		}
	case lineVariables:
		for _, a := range at.Accesses {
			add(map[string]string{"r": "reads ", "w": "writes ", "a": "atomically "}[a.Op]+a.Name, "", a.Value)
		}
		for i, finding := range at.Findings {
			add(fmt.Sprintf("finding %d", i+1), "", finding)
		}
	case launchVariables:
		add(say.blockDim, "", triple(recording.BlockDim))
		add(say.gridDim, "", triple(recording.Grid))
		for _, p := range of.arguments(recording) {
			add(p.Name, p.Type, p.Value)
		}
		add("step", "", fmt.Sprintf("%d of %d", step+1, len(recording.Steps)))
		for i, note := range recording.Notes {
			add(fmt.Sprintf("note %d", i+1), "", note)
		}
	}
	return list
}

// shownType returns the type of a variable if JupyterLab shows its value, too, and otherwise "": it shows the value of a variable without
// a type, and of others the type instead.
func shownType(typ string) string {
	switch typ {
	case "int", "float", "bool":
		return typ
	}
	return ""
}

// elements returns the elements that steps have accessed, each with its last value, in the order of their first accesses.
func elements(steps []gpuhooks.RecordedStep) []gpuhooks.RecordedAccess {
	var list []gpuhooks.RecordedAccess
	index := map[string]int{}
	for i := range steps {
		for _, a := range steps[i].Accesses {
			if k, ok := index[a.Name]; ok {
				list[k] = a
				continue
			}
			index[a.Name] = len(list)
			list = append(list, a)
		}
	}
	return list
}

// evaluate returns the value of a variable, of a component such as threadIdx.x, or of an element; it moves backwards for the words of reverse.
func (r *replay) evaluate(expression string, frame int) (any, error) {
	if command, ok := reverse[expression]; ok {
		r.move(command)
		return dap.EvaluateResponseBody{Result: ""}, nil
	}
	recording, _ := r.here()
	of := r.program()
	say := of.words()
	for name, v := range map[string][3]int{say.thread: recording.Thread, say.block: recording.Block, say.blockDim: recording.BlockDim, say.gridDim: recording.Grid} {
		for i, component := range say.components {
			if expression == name+component {
				return dap.EvaluateResponseBody{Result: strconv.Itoa(v[i]), Type: "unsigned int"}, nil
			}
		}
	}
	for _, kind := range []int{localVariables, memoryVariables, launchVariables} {
		for _, v := range r.variables(frame*kinds + kind) {
			if v.Name == expression {
				return dap.EvaluateResponseBody{Result: v.Value, Type: v.Type}, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is not recorded: there are %s, %s, %s, %s, the variables, and elements that the thread has accessed, such as x[3]", expression, say.thread, say.block, say.blockDim, say.gridDim)
}

func triple(v [3]int) string { return fmt.Sprintf("(%d, %d, %d)", v[0], v[1], v[2]) }
