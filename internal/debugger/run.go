package debugger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	// answerLimit is how long delve may take for an answer. When it attaches it reads what describes all
	// the cells that were compiled for it.
	answerLimit = time.Minute
	// settle is how long the process runs without breakpoints before delve is detached, drains
	// times.
	settle = 10 * time.Millisecond
	drains = 3
	// pauseAgain is how long it may take to stop the process before it is asked for once more,
	// pauses times.
	pauseAgain = 100 * time.Millisecond
	pauses     = 50
)

// A run is one run of a cell, during which delve may be attached.
type run struct {
	debugger *Debugger
	cell     session.Loaded
	out      session.Output
	ctx      context.Context // of attaching; ended by an interrupt
	cancel   context.CancelFunc
	ready    chan struct{} // closed when delve takes breakpoints
	stops    chan struct{} // a token for each stop while detaching
	over     chan struct{} // closed when the process has ended

	changing sync.Mutex // held by who attaches or detaches
	released bool       // it is not attached any more, or never will be

	mu       sync.Mutex
	adapter  *adapter        // nil if delve is not attached
	sources  map[string]bool // cell names that have breakpoints in delve
	halted   bool            // the process is stopped
	shown    int             // the goroutine that the front end knows as stopped, or 0
	draining bool            // detaching
	ended    bool            // the process is
	files    map[string]bool // sources of frames
}

func (r *run) thread() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shown
}

func (r *run) attached() *adapter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.adapter
}

// ask sends a request to delve.
func (r *run) ask(command string, arguments object, reply any) error {
	a := r.attached()
	if a == nil {
		return errEnded
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
	defer cancel()
	return a.request(ctx, command, arguments, reply)
}

// attach starts delve, has it attach to the session process, and sets all breakpoints.
func (r *run) attach() error {
	r.changing.Lock()
	defer r.changing.Unlock()
	if r.released || r.attached() != nil {
		return nil
	}
	path, err := InstallDelve(r.ctx, r.debugger.config.Cache, r.debugger.config.Go(), func(step string) { r.out.Stream("stdout", step+" …\n") })
	if err != nil {
		return err
	}
	if path == "" {
		return errors.New("breakpoints need delve, which " + DelveEnv + "=off has switched off")
	}
	a, err := startAdapter(path, r.event)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.adapter, r.sources = a, map[string]bool{}
	r.mu.Unlock()
	if err := r.prepare(a); err != nil {
		r.mu.Lock()
		r.adapter, r.draining = nil, true
		r.mu.Unlock()
		a.close()
		return err
	}
	go r.watch(a)
	return nil
}

func (r *run) prepare(a *adapter) error {
	err := r.ask("initialize", object{
		"clientID": "gopherwarp", "adapterID": "go", "pathFormat": "path",
		"linesStartAt1": true, "columnsStartAt1": true, "supportsVariableType": true,
	}, nil)
	if err != nil {
		return err
	}
	if err := r.ask("attach", object{"mode": "local", "processId": r.cell.PID, "hideSystemGoroutines": true}, nil); err != nil {
		return err
	}
	select {
	case <-r.ready:
	case <-a.ended:
		return errEnded
	}
	d := r.debugger
	d.mu.Lock()
	all := map[string][]breakpoint{}
	for path, list := range d.breakpoints {
		all[path] = list
	}
	d.mu.Unlock()
	for path, list := range all {
		if _, err := r.set(path, list); err != nil {
			return err
		}
	}
	return r.ask("configurationDone", object{}, nil)
}

// watch says so if delve ends before it is detached.
func (r *run) watch(a *adapter) {
	<-a.ended
	r.mu.Lock()
	expected := r.draining || r.ended
	thread := r.shown
	r.shown = 0
	r.mu.Unlock()
	if expected {
		return
	}
	r.out.Stream("stderr", "The debugger (delve) ended unexpectedly. Breakpoints may be left in the Go session, which ends it when one is reached.\n")
	if thread != 0 {
		r.debugger.event("continued", object{"threadId": thread, "allThreadsContinued": true})
	}
}

// setBreakpoints replaces the breakpoints of a source while the cell runs, and says for each
// whether delve has found its line. It attaches delve if that is the first.
func (r *run) setBreakpoints(_ context.Context, path string, list []breakpoint) ([]bool, error) {
	if r.attached() == nil {
		if len(list) > 0 {
			go func() {
				if err := r.attach(); err != nil && r.ctx.Err() == nil {
					r.out.Stream("stderr", fmt.Sprintf("Breakpoints have no effect in this cell: %v\n", err))
				}
			}()
		}
		return make([]bool, len(list)), nil
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	if r.released {
		return make([]bool, len(list)), nil
	}
	return r.set(path, list)
}

// set is setBreakpoints for the one who holds r.changing.
func (r *run) set(path string, list []breakpoint) ([]bool, error) {
	d := r.debugger
	d.mu.Lock()
	var names []string
	for _, name := range d.names[path] {
		if d.prepared[name] {
			names = append(names, name)
		}
	}
	ran := len(d.names[path]) > 0
	d.mu.Unlock()
	if ran && len(names) == 0 && len(list) > 0 {
		d.once(r.out, path, "A breakpoint is in a cell that ran before the debugger was on. Run that cell again.\n")
	}
	names = names[max(0, len(names)-latestRuns):]
	verified := make([]bool, len(list))
	for _, name := range names {
		var reply struct{ Breakpoints []struct{ Verified bool } }
		if list == nil {
			list = []breakpoint{}
		}
		if err := r.ask("setBreakpoints", object{"source": object{"path": name}, "breakpoints": list}, &reply); err != nil {
			return nil, fmt.Errorf("set breakpoints in %s: %w", name, err)
		}
		r.mu.Lock()
		r.sources[name] = len(list) > 0
		r.mu.Unlock()
		for i, b := range reply.Breakpoints {
			if i < len(verified) {
				verified[i] = verified[i] || b.Verified
			}
		}
	}
	for i, b := range list {
		if len(names) > 0 && !verified[i] {
			name := names[len(names)-1]
			d.once(r.out, fmt.Sprint(path, b.Line), fmt.Sprintf("%s has no code to stop at in line %d.\n", name, b.Line))
		}
	}
	return verified, nil
}

// once tells the person something about breakpoints that is not to be repeated.
func (d *Debugger) once(out session.Output, key, text string) {
	d.mu.Lock()
	told := d.told[key]
	d.told[key] = true
	d.mu.Unlock()
	if !told {
		out.Stream("stderr", text)
	}
}

// event takes an event of delve. It must not wait for delve.
func (r *run) event(name string, body json.RawMessage) {
	switch name {
	case "initialized":
		close(r.ready)
	case "stopped":
		r.mu.Lock()
		r.halted = true
		draining := r.draining
		r.mu.Unlock()
		if !draining {
			go r.halt(body)
			return
		}
		select {
		case r.stops <- struct{}{}:
		default:
		}
	case "continued":
		r.mu.Lock()
		r.halted = false
		r.mu.Unlock()
	case "terminated":
		r.mu.Lock()
		ended := r.ended
		r.ended = true
		r.mu.Unlock()
		if ended {
			return
		}
		close(r.over)
		go r.release() // Linux reports the end of a process only when its debugger is gone
	}
}

// halt tells the front end of a stop. A step into or out of the user's code goes on.
func (r *run) halt(body json.RawMessage) {
	var stop struct {
		Reason      string `json:"reason"`
		Thread      int    `json:"threadId"`
		Text        string `json:"text"`
		Description string `json:"description"`
	}
	if json.Unmarshal(body, &stop) != nil {
		return
	}
	if stop.Reason == "step" {
		var frames []frame
		frames, _ = r.frames(stop.Thread)
		if len(frames) > 0 && r.own(frames[0]) {
			command := "continue"
			for _, f := range frames {
				if !r.own(f) && inCell(f.Source.Path) {
					command = "stepOut"
				}
			}
			_ = r.resume(command, stop.Thread)
			return
		}
	}
	r.mu.Lock()
	if r.draining || !r.halted {
		r.mu.Unlock()
		return
	}
	r.shown = stop.Thread
	r.mu.Unlock()
	told := object{"reason": stop.Reason, "threadId": stop.Thread, "allThreadsStopped": true}
	if stop.Text != "" {
		told["text"], told["description"] = userText(stop.Text), userText(stop.Description)
	}
	r.debugger.event("stopped", told)
}

// resume lets the process run on.
func (r *run) resume(command string, thread int) error {
	r.mu.Lock()
	if r.draining {
		r.mu.Unlock()
		return ErrNotStopped
	}
	r.halted = false
	shown := r.shown
	r.shown = 0
	r.mu.Unlock()
	if shown != 0 {
		r.debugger.event("continued", object{"threadId": shown, "allThreadsContinued": true})
	}
	return r.ask(command, object{"threadId": thread}, nil)
}

// own says whether a frame is the session's own code, not the user's.
func (r *run) own(f frame) bool {
	return strings.HasPrefix(f.Source.Path, filepath.Join(r.cell.Sources, "internal", "cellruntime")+"/") || strings.HasPrefix(f.Name, "runtime.")
}

// release detaches delve, for good.
//
// A thread may have run into a breakpoint without delve having noticed, most of all while
// many goroutines come by the one that is stepped over. Detached in that state, the process
// would end by the trap. So all breakpoints are removed first and the process runs and
// stops a few times, which has delve put such threads back.
func (r *run) release() {
	r.cancel()
	r.changing.Lock()
	defer r.changing.Unlock()
	r.released = true
	r.mu.Lock()
	a, shown := r.adapter, r.shown
	r.draining, r.shown = true, 0
	r.mu.Unlock()
	if a == nil {
		return
	}
	if shown != 0 {
		r.debugger.event("continued", object{"threadId": shown, "allThreadsContinued": true})
	}
	r.drain()
	_ = r.ask("disconnect", object{"terminateDebuggee": false}, nil)
	a.close()
	r.mu.Lock()
	r.adapter = nil
	r.mu.Unlock()
}

func (r *run) drain() {
	r.mu.Lock()
	halted := r.halted
	for name, set := range r.sources {
		if !set {
			delete(r.sources, name)
		}
	}
	// At least one, because only that stops a process that has not stopped yet: see pause.
	r.sources[r.cell.Name] = false
	r.mu.Unlock()
	for name := range r.sources {
		if err := r.ask("setBreakpoints", object{"source": object{"path": name}, "breakpoints": []breakpoint{}}, nil); errors.Is(err, errEnded) {
			return
		}
	}
	for range drains {
		if halted && r.ask("continue", object{"threadId": 1}, nil) != nil {
			return
		}
		if !r.stopsWithin(settle) && !r.pause() {
			return
		}
		halted = true
	}
}

// pause stops the process. Delve takes the request to mean that it should no longer look for debugging
// information of libraries, and does nothing else, until the process has stopped for another reason. So
// it is repeated, without waiting for answers.
func (r *run) pause() bool {
	a := r.attached()
	for range pauses {
		if a.send("pause", object{"threadId": 1}, make(chan message, 1)) != nil {
			return false
		}
		if r.stopsWithin(pauseAgain) {
			return true
		}
	}
	return false
}

// stopsWithin waits for the process to stop.
func (r *run) stopsWithin(limit time.Duration) bool {
	a := r.attached()
	select {
	case <-r.stops:
		return true
	case <-r.over:
	case <-a.ended:
	case <-time.After(limit):
	}
	return false
}
