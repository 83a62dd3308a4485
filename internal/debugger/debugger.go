package debugger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/google/go-dap"

	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// Config is the configuration of a Debugger.
type Config struct {
	Cache string           // directory in which delve is built
	Go    func() gotool.Go // returns the Go that builds it; called when a cell runs
}

// A Debugger handles the debug requests of a front end. It implements session.Debugger.
type Debugger struct {
	config Config

	mu          sync.Mutex
	tell        func(event string, body any)
	started     bool
	breakpoints map[string][]dap.SourceBreakpoint // by source path
	texts       map[string]string                 // of cells, by source path
	paths       map[string]string                 // source paths, by cell name
	names       map[string][]string               // cell names by source path, the latest last
	prepared    map[string]bool                   // names of cells that were compiled for the debugger
	told        map[string]bool                   // keys of messages about breakpoints that were printed
	run         *run                              // the running cell, or nil
	replay      *replay                           // of the cell's kernels, or nil
	programs    map[string]program                // with device code, by name
}

var _ session.Debugger = (*Debugger)(nil)

// latestRuns is the number of a cell's last runs in which its breakpoints are set. Goroutines and values of earlier runs may
// still use their code.
const latestRuns = 8

// New returns a debugger that is off.
func New(config Config) *Debugger {
	return &Debugger{
		config: config, tell: func(string, any) {},
		breakpoints: map[string][]dap.SourceBreakpoint{}, texts: map[string]string{}, paths: map[string]string{},
		names: map[string][]string{}, prepared: map[string]bool{}, told: map[string]bool{}, programs: map[string]program{},
	}
}

// Events sets the function that is called for events of the Debug Adapter Protocol, with a body for encoding/json.
func (d *Debugger) Events(tell func(event string, body any)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tell = tell
}

func (d *Debugger) event(name string, body any) {
	d.mu.Lock()
	tell := d.tell
	d.mu.Unlock()
	tell(name, body)
}

// Cell records that a cell with this text is about to run under a name.
func (d *Debugger) Cell(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path := sourcePath(text)
	d.texts[path], d.paths[name] = text, path
	d.names[path] = append(d.names[path], name)
}

// Started reports whether a front end has started the debugger.
func (d *Debugger) Started() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.started
}

// ErrNotStopped is the error of requests that require a stopped cell.
var ErrNotStopped = errors.New("no cell is stopped at a breakpoint")

// decode returns the arguments of a request. Without any it returns the zero T.
func decode[T any](command string, data json.RawMessage) (arguments T, err error) {
	if len(data) == 0 {
		return arguments, nil
	}
	if err := json.Unmarshal(data, &arguments); err != nil {
		return arguments, fmt.Errorf("read the arguments of %s: %w", command, err)
	}
	return arguments, nil
}

// Request handles a request of a front end and returns the body of the response, for encoding/json. on is called with this
// debugger when it is started, and with nil when it is stopped.
func (d *Debugger) Request(ctx context.Context, command string, data json.RawMessage, on func(session.Debugger)) (any, error) {
	switch command {
	case "initialize":
		return dap.Capabilities{SupportsConfigurationDoneRequest: true, SupportsConditionalBreakpoints: true, SupportsHitConditionalBreakpoints: true, SupportsStepBack: true}, nil
	case "attach":
		on(d)
		d.turn(true)
		d.event("initialized", nil)
		return nil, nil
	case "disconnect", "terminate":
		on(nil)
		d.turn(false)
		d.Interrupted()
		return nil, nil
	case "configurationDone", "setExceptionBreakpoints":
		return nil, nil
	case "debugInfo":
		return d.info(), nil
	case "dumpCell":
		return d.dumpCell(data)
	case "setBreakpoints":
		q, err := decode[dap.SetBreakpointsArguments](command, data)
		if err != nil {
			return nil, err
		}
		return d.setBreakpoints(ctx, q.Source.Path, q.Breakpoints)
	case "source":
		return d.source(data)
	}
	r := d.stopped()
	if r == nil {
		return nil, ErrNotStopped
	}
	return r.request(command, data)
}

func (d *Debugger) turn(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.started = on
	if !on {
		clear(d.breakpoints)
		clear(d.told)
	}
}

// debugInfo is the body of the response to debugInfo, a request that Jupyter adds to the protocol.
type debugInfo struct {
	IsStarted      bool                `json:"isStarted"`
	Breakpoints    []sourceBreakpoints `json:"breakpoints"`
	StoppedThreads []int               `json:"stoppedThreads"`
	RichRendering  bool                `json:"richRendering"`
	CopyToGlobals  bool                `json:"copyToGlobals"`
	ExceptionPaths []string            `json:"exceptionPaths"`
	HashMethod     string              `json:"hashMethod"`
	HashSeed       uint32              `json:"hashSeed"`
	TmpFilePrefix  string              `json:"tmpFilePrefix"`
	TmpFileSuffix  string              `json:"tmpFileSuffix"`
}

// sourceBreakpoints are the breakpoints of a source.
type sourceBreakpoints struct {
	Source      string                 `json:"source"`
	Breakpoints []dap.SourceBreakpoint `json:"breakpoints"`
}

func (d *Debugger) info() debugInfo {
	info := debugInfo{
		Breakpoints: []sourceBreakpoints{}, StoppedThreads: []int{}, RichRendering: true, ExceptionPaths: []string{},
		HashMethod: "Murmur2", HashSeed: hashSeed, TmpFilePrefix: sourcePrefix(), TmpFileSuffix: sourceSuffix,
	}
	if r := d.stopped(); r != nil {
		info.StoppedThreads = append(info.StoppedThreads, r.thread())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	info.IsStarted = d.started
	for _, path := range slices.Sorted(maps.Keys(d.breakpoints)) {
		info.Breakpoints = append(info.Breakpoints, sourceBreakpoints{path, d.breakpoints[path]})
	}
	return info
}

// dumped is the body of the response to dumpCell, a request that Jupyter adds to the protocol.
type dumped struct {
	SourcePath string `json:"sourcePath"`
}

// dumpCell records the text of a cell and returns its source path.
func (d *Debugger) dumpCell(data json.RawMessage) (any, error) {
	q, err := decode[struct {
		Code string `json:"code"`
	}]("dumpCell", data)
	if err != nil {
		return nil, err
	}
	path := sourcePath(q.Code)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.texts[path] = q.Code
	return dumped{path}, nil
}

// setBreakpoints replaces the breakpoints of a source.
func (d *Debugger) setBreakpoints(ctx context.Context, path string, wanted []dap.SourceBreakpoint) (any, error) {
	// Fields that the debugger's capabilities do not include are removed.
	list := make([]dap.SourceBreakpoint, len(wanted))
	for i, b := range wanted {
		list[i] = dap.SourceBreakpoint{Line: b.Line, Condition: b.Condition, HitCondition: b.HitCondition}
	}
	d.mu.Lock()
	if !d.started {
		d.mu.Unlock()
		return nil, errors.New("the debugger is off: attach first")
	}
	d.breakpoints[path] = list
	if len(list) == 0 {
		delete(d.breakpoints, path)
	}
	r := d.run
	if d.device(path) {
		r = nil
	}
	d.mu.Unlock()
	verified := make([]bool, len(list))
	if r != nil {
		var err error
		if verified, err = r.setBreakpoints(ctx, path, list); err != nil {
			return nil, err
		}
	}
	answer := make([]dap.Breakpoint, len(list))
	for i, b := range list {
		answer[i] = dap.Breakpoint{Id: i + 1, Verified: verified[i], Line: b.Line, Source: &dap.Source{Path: path}}
		if !verified[i] {
			answer[i].Message = "takes effect when the cell runs"
		}
	}
	return dap.SetBreakpointsResponseBody{Breakpoints: answer}, nil
}

// source returns the text of a source in a stack frame, and an error for any other file.
func (d *Debugger) source(data json.RawMessage) (any, error) {
	q, err := decode[dap.SourceArguments]("source", data)
	if err != nil {
		return nil, err
	}
	if q.Source == nil {
		return nil, errors.New("read the source: the request names none")
	}
	path := q.Source.Path
	d.mu.Lock()
	text, ok := d.texts[path]
	r := d.run
	d.mu.Unlock()
	if !ok {
		if r == nil || !r.named(path) {
			return nil, fmt.Errorf("%s is not the source of a frame", path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the source: %w", err)
		}
		text = string(data)
	}
	return dap.SourceResponseBody{Content: text, MimeType: "text/x-go"}, nil
}

// stopped returns what is stopped at a breakpoint, or nil.
func (d *Debugger) stopped() stopping {
	d.mu.Lock()
	run, replay := d.run, d.replay
	d.mu.Unlock()
	switch {
	case run != nil && run.thread() != 0:
		return run
	case replay != nil && replay.thread() != 0:
		return replay
	}
	return nil
}

// Stopped reports whether a cell is stopped at a breakpoint.
func (d *Debugger) Stopped() bool { return d.stopped() != nil }

// Loaded attaches delve to the session process if there are breakpoints.
func (d *Debugger) Loaded(cell session.Loaded, out session.Output) {
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{debugger: d, cell: cell, out: out, ctx: ctx, cancel: cancel, ready: make(chan struct{}), stops: make(chan struct{}, 16), over: make(chan struct{}), files: map[string]bool{}}
	d.mu.Lock()
	d.run = r
	d.prepared[cell.Name] = true
	wanted := d.started && d.paths[cell.Name] != "" && d.stopsGo()
	d.mu.Unlock()
	if !wanted {
		return
	}
	if err := r.attach(); err != nil && ctx.Err() == nil {
		out.Stream("stderr", fmt.Sprintf("Breakpoints have no effect in this cell: %v\n", err))
	}
}

// stopsGo reports whether there are breakpoints in Go code. d.mu is held.
func (d *Debugger) stopsGo() bool {
	for path := range d.breakpoints {
		if !d.device(path) {
			return true
		}
	}
	return false
}

// Ended detaches delve.
func (d *Debugger) Ended() {
	d.mu.Lock()
	r := d.run
	d.run = nil
	d.mu.Unlock()
	if r != nil {
		r.release()
	}
}

// Interrupted detaches delve, so that the cell continues and is interrupted, and ends the replay of kernels.
func (d *Debugger) Interrupted() {
	d.mu.Lock()
	r, replay := d.run, d.replay
	d.mu.Unlock()
	if replay != nil {
		replay.end()
	}
	if r != nil {
		r.cancel()
		go r.release()
	}
}
