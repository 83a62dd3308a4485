package debugger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

const (
	// answerLimit is the maximum time for a response of delve. When it attaches, it reads the debugging information of all
	// cells that were compiled for it.
	answerLimit = time.Minute
	// settle is how long the process runs without breakpoints before delve is detached: drains times, and more often while a
	// trap is pending, for at most drainLimit.
	settle     = 10 * time.Millisecond
	drains     = 3
	drainLimit = 20 * time.Second
	// pauseAgain is the interval at which the request to stop the process is repeated, at most pauses times.
	pauseAgain = 100 * time.Millisecond
	pauses     = 50
)

// A run is one run of a cell, during which delve may be attached.
type run struct {
	debugger *Debugger
	cell     session.Loaded
	out      session.Output
	ctx      context.Context // for attaching; cancelled by an interrupt
	cancel   context.CancelFunc
	ready    chan struct{} // closed when delve accepts breakpoints
	stops    chan struct{} // one value for each stop while detaching
	over     chan struct{} // closed when the process has exited

	changing sync.Mutex // held while delve is attached or detached
	released bool       // whether delve was detached or must not be attached

	mu       sync.Mutex
	adapter  *adapter        // nil if delve is not attached
	sources  map[string]bool // cell names that have breakpoints in delve
	halted   bool            // the process is stopped
	shown    int             // the ID of the goroutine that the front end shows as stopped, or 0
	draining bool            // whether delve is being detached
	ended    bool            // whether the process has exited
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

// ask sends a request to delve and returns its response.
func (r *run) ask(q dap.RequestMessage) (dap.ResponseMessage, error) {
	a := r.attached()
	if a == nil {
		return nil, errEnded
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerLimit)
	defer cancel()
	return a.request(ctx, q)
}

// askFor is like ask, for a request with a response of type R.
func askFor[R dap.ResponseMessage](r *run, q dap.RequestMessage) (R, error) {
	m, err := r.ask(q)
	answer, ok := m.(R)
	if err == nil && !ok {
		err = fmt.Errorf("the debugger answered %s by a %T", q.GetRequest().Command, m)
	}
	return answer, err
}

// attach starts delve, attaches it to the session process, and sets all breakpoints.
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

// prepare attaches delve to the session process and sets the breakpoints.
func (r *run) prepare(a *adapter) error {
	_, err := r.ask(&dap.InitializeRequest{Request: command("initialize"), Arguments: dap.InitializeRequestArguments{
		ClientID: "gopherwarp", AdapterID: "go", PathFormat: "path",
		LinesStartAt1: true, ColumnsStartAt1: true, SupportsVariableType: true,
	}})
	if err != nil {
		return err
	}
	// The arguments of attach are specific to delve.
	arguments, err := json.Marshal(map[string]any{"mode": "local", "processId": r.cell.PID, "hideSystemGoroutines": true})
	if err != nil {
		return err
	}
	if _, err := r.ask(&dap.AttachRequest{Request: command("attach"), Arguments: arguments}); err != nil {
		return err
	}
	select {
	case <-r.ready:
	case <-a.ended:
		return errEnded
	}
	d := r.debugger
	d.mu.Lock()
	all := maps.Clone(d.breakpoints)
	maps.DeleteFunc(all, func(path string, _ []dap.SourceBreakpoint) bool { return d.device(path) })
	d.mu.Unlock()
	for path, list := range all {
		if _, err := r.set(path, list); err != nil {
			return err
		}
	}
	_, err = r.ask(&dap.ConfigurationDoneRequest{Request: command("configurationDone")})
	return err
}

// watch reports if delve exits before it is detached.
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
		r.debugger.event("continued", dap.ContinuedEventBody{ThreadId: thread, AllThreadsContinued: true})
	}
}

// setBreakpoints replaces the breakpoints of a source while the cell runs, and returns for each whether delve has found its
// line. It attaches delve if it is not attached.
func (r *run) setBreakpoints(_ context.Context, path string, list []dap.SourceBreakpoint) ([]bool, error) {
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

// set is like setBreakpoints. r.changing is held.
func (r *run) set(path string, list []dap.SourceBreakpoint) ([]bool, error) {
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
		reply, err := askFor[*dap.SetBreakpointsResponse](r, breakpointsIn(name, d.conditional(list)))
		if err != nil {
			return nil, fmt.Errorf("set breakpoints in %s: %w", name, err)
		}
		r.mu.Lock()
		r.sources[name] = len(list) > 0
		r.mu.Unlock()
		for i, b := range reply.Body.Breakpoints {
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

// breakpointsIn returns the request that replaces the breakpoints of a source.
func breakpointsIn(path string, list []dap.SourceBreakpoint) *dap.SetBreakpointsRequest {
	return &dap.SetBreakpointsRequest{
		Request:   command("setBreakpoints"),
		Arguments: dap.SetBreakpointsArguments{Source: dap.Source{Path: path}, Breakpoints: list},
	}
}

// once prints a message about breakpoints, unless it has printed one with the same key.
func (d *Debugger) once(out session.Output, key, text string) {
	d.mu.Lock()
	told := d.told[key]
	d.told[key] = true
	d.mu.Unlock()
	if !told {
		out.Stream("stderr", text)
	}
}

// event handles an event of delve. It must not wait for delve.
func (r *run) event(event dap.EventMessage) {
	switch event := event.(type) {
	case *dap.InitializedEvent:
		close(r.ready)
	case *dap.StoppedEvent:
		r.mu.Lock()
		r.halted = true
		draining := r.draining
		r.mu.Unlock()
		if !draining {
			go r.halt(event.Body)
			return
		}
		select {
		case r.stops <- struct{}{}:
		default:
		}
	case *dap.ContinuedEvent:
		r.mu.Lock()
		r.halted = false
		r.mu.Unlock()
	case *dap.TerminatedEvent:
		r.mu.Lock()
		ended := r.ended
		r.ended = true
		r.mu.Unlock()
		if ended {
			return
		}
		close(r.over)
		go r.release() // Linux reports the exit of a process only when its debugger has exited
	}
}

// halt sends a stop to the front end. After a step into or out of the user's code it continues instead.
func (r *run) halt(stop dap.StoppedEventBody) {
	if stop.Reason == "step" {
		frames, _ := r.frames(stop.ThreadId)
		if len(frames) > 0 && r.own(frames[0]) {
			next := "continue"
			for _, f := range frames {
				if !r.own(f) && inCell(f.Source.Path) {
					next = "stepOut"
				}
			}
			_ = r.resume(next, stop.ThreadId)
			return
		}
	}
	r.mu.Lock()
	if r.draining || !r.halted {
		r.mu.Unlock()
		return
	}
	r.shown = stop.ThreadId
	r.mu.Unlock()
	told := dap.StoppedEventBody{Reason: stop.Reason, ThreadId: stop.ThreadId, AllThreadsStopped: true}
	if stop.Text != "" {
		told.Text, told.Description = userText(stop.Text), userText(stop.Description)
	}
	r.debugger.event("stopped", told)
}

// resumption returns the request that continues a thread: "continue", "next", "stepIn" or "stepOut".
func resumption(name string, thread int) dap.RequestMessage {
	q := command(name)
	switch name {
	case "next":
		return &dap.NextRequest{Request: q, Arguments: dap.NextArguments{ThreadId: thread}}
	case "stepIn":
		return &dap.StepInRequest{Request: q, Arguments: dap.StepInArguments{ThreadId: thread}}
	case "stepOut":
		return &dap.StepOutRequest{Request: q, Arguments: dap.StepOutArguments{ThreadId: thread}}
	}
	return &dap.ContinueRequest{Request: q, Arguments: dap.ContinueArguments{ThreadId: thread}}
}

// resume continues the process with the named request.
func (r *run) resume(name string, thread int) error {
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
		r.debugger.event("continued", dap.ContinuedEventBody{ThreadId: shown, AllThreadsContinued: true})
	}
	_, err := r.ask(resumption(name, thread))
	return err
}

// own reports whether a frame is code of the session or the runtime, not the user's.
func (r *run) own(f dap.StackFrame) bool {
	return strings.HasPrefix(f.Source.Path, filepath.Join(r.cell.Sources, "internal", "cellruntime")+"/") || strings.HasPrefix(f.Name, "runtime.") ||
		r.runsKernels(f.Source.Path)
}

// release detaches delve and prevents attaching it again.
//
// A thread may have hit a breakpoint that delve has not processed yet, especially if many goroutines pass the one that is
// stepped over. If delve were detached in that state, the trap would kill the process. So all breakpoints are removed first,
// and the process continues and stops a few times, which makes delve reset such threads. Delve also stops the process by a
// SIGTRAP, which stays pending if a thread hits a breakpoint at the same time. So it is detached only when none is pending.
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
		r.debugger.event("continued", dap.ContinuedEventBody{ThreadId: shown, AllThreadsContinued: true})
	}
	r.drain()
	// Without an argument, delve leaves a process running that it was attached to.
	_, _ = r.ask(&dap.DisconnectRequest{Request: command("disconnect")})
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
	// At least one request is needed, because only a request stops a process that runs: see pause.
	r.sources[r.cell.Name] = false
	r.mu.Unlock()
	for name := range r.sources {
		if _, err := r.ask(breakpointsIn(name, nil)); errors.Is(err, errEnded) {
			return
		}
	}
	limit := time.Now().Add(drainLimit)
	for n := 1; time.Now().Before(limit); n++ {
		if halted {
			if _, err := r.ask(resumption("continue", 1)); err != nil {
				return
			}
		}
		if !r.stopsWithin(settle) && !r.pause() {
			return
		}
		halted = true
		if n >= drains && !trapPending(r.cell.PID) {
			return
		}
	}
}

// pause stops the process. Until the process has stopped for another reason, delve interprets the request as cancelling its
// search for debugging information of libraries, and ignores it otherwise. So it is repeated, without waiting for responses.
func (r *run) pause() bool {
	a := r.attached()
	for range pauses {
		q := &dap.PauseRequest{Request: command("pause"), Arguments: dap.PauseArguments{ThreadId: 1}}
		if a.send(q, make(chan dap.ResponseMessage, 1)) != nil {
			return false
		}
		if r.stopsWithin(pauseAgain) {
			return true
		}
	}
	return false
}

// stopsWithin waits for the process to stop, and reports whether it did.
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
