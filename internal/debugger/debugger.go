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

	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// Config says what a Debugger works with.
type Config struct {
	Cache string           // where delve is built if there is none
	Go    func() gotool.Go // what it is built with, once cells run
}

// A Debugger answers the debugger of a front end, and is the one of a session.
type Debugger struct {
	config Config

	mu          sync.Mutex
	tell        func(event string, body map[string]any)
	started     bool
	breakpoints map[string][]breakpoint // by source path
	texts       map[string]string       // of cells, by source path
	paths       map[string]string       // source paths, by cell name
	names       map[string][]string     // cell names by source path, the latest last
	prepared    map[string]bool         // names of the cells that were compiled for this
	told        map[string]bool         // what the person has been told of breakpoints
	run         *run                    // the cell that runs; nil if none does
}

var _ session.Debugger = (*Debugger)(nil)

// breakpoint is where to stop, as front ends say it.
type breakpoint struct {
	Line         int    `json:"line"`
	Condition    string `json:"condition,omitempty"`
	HitCondition string `json:"hitCondition,omitempty"`
}

// latestRuns is in how many of a cell's runs its breakpoints are set. Goroutines and values of
// earlier ones may still have their code.
const latestRuns = 8

// New makes a debugger that is off.
func New(config Config) *Debugger {
	return &Debugger{
		config: config, tell: func(string, map[string]any) {},
		breakpoints: map[string][]breakpoint{}, texts: map[string]string{}, paths: map[string]string{},
		names: map[string][]string{}, prepared: map[string]bool{}, told: map[string]bool{},
	}
}

// Events says who is told of events of the Debug Adapter Protocol.
func (d *Debugger) Events(tell func(event string, body map[string]any)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tell = tell
}

func (d *Debugger) event(name string, body map[string]any) {
	d.mu.Lock()
	tell := d.tell
	d.mu.Unlock()
	tell(name, body)
}

// Cell says that a cell with a text is about to run under a name.
func (d *Debugger) Cell(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path := sourcePath(text)
	d.texts[path], d.paths[name] = text, path
	d.names[path] = append(d.names[path], name)
}

// Started says whether a front end has turned the debugger on.
func (d *Debugger) Started() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.started
}

// arguments are those of all requests.
type arguments struct {
	Code   string `json:"code"`
	Source struct {
		Path string `json:"path"`
	} `json:"source"`
	Breakpoints []breakpoint `json:"breakpoints"`
	Thread      int          `json:"threadId"`
	Frame       int          `json:"frameId"`
	Reference   int          `json:"variablesReference"`
	Expression  string       `json:"expression"`
}

// ErrNotStopped says that a question can only be answered while a cell is stopped.
var ErrNotStopped = errors.New("no cell is stopped at a breakpoint")

// Request answers a request of a front end. on is called with this debugger when it is
// turned on, and with nil when it is turned off.
func (d *Debugger) Request(ctx context.Context, command string, data json.RawMessage, on func(session.Debugger)) (map[string]any, error) {
	var q arguments
	if len(data) > 0 {
		if err := json.Unmarshal(data, &q); err != nil {
			return nil, fmt.Errorf("read the arguments of %s: %w", command, err)
		}
	}
	switch command {
	case "initialize":
		return object{"supportsConfigurationDoneRequest": true, "supportsConditionalBreakpoints": true, "supportsHitConditionalBreakpoints": true}, nil
	case "attach":
		on(d)
		d.turn(true)
		d.event("initialized", object{})
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
		path := sourcePath(q.Code)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.texts[path] = q.Code
		return object{"sourcePath": path}, nil
	case "setBreakpoints":
		return d.setBreakpoints(ctx, q.Source.Path, q.Breakpoints)
	case "source":
		return d.source(q.Source.Path)
	}
	r := d.stopped()
	if r == nil {
		return nil, ErrNotStopped
	}
	return r.request(ctx, command, q)
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

func (d *Debugger) info() object {
	stopped := []int{}
	if r := d.stopped(); r != nil {
		stopped = append(stopped, r.thread())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	list := []object{}
	for _, path := range slices.Sorted(maps.Keys(d.breakpoints)) {
		list = append(list, object{"source": path, "breakpoints": d.breakpoints[path]})
	}
	return object{
		"isStarted": d.started, "breakpoints": list, "stoppedThreads": stopped,
		"richRendering": true, "copyToGlobals": false, "exceptionPaths": []any{},
		"hashMethod": "Murmur2", "hashSeed": hashSeed,
		"tmpFilePrefix": sourcePrefix(), "tmpFileSuffix": sourceSuffix,
	}
}

// setBreakpoints replaces the breakpoints of a source.
func (d *Debugger) setBreakpoints(ctx context.Context, path string, list []breakpoint) (object, error) {
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
	d.mu.Unlock()
	verified := make([]bool, len(list))
	if r != nil {
		var err error
		if verified, err = r.setBreakpoints(ctx, path, list); err != nil {
			return nil, err
		}
	}
	answer := make([]object, len(list))
	for i, b := range list {
		answer[i] = object{"id": i + 1, "verified": verified[i], "line": b.Line, "source": object{"path": path}}
		if !verified[i] {
			answer[i]["message"] = "takes effect when the cell runs"
		}
	}
	return object{"breakpoints": answer}, nil
}

// source is the text of a source that frames may name. It gives away no other files.
func (d *Debugger) source(path string) (object, error) {
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
	return object{"content": text, "mimeType": "text/x-go"}, nil
}

// stopped is the run that is stopped at a breakpoint, or nil.
func (d *Debugger) stopped() *run {
	d.mu.Lock()
	r := d.run
	d.mu.Unlock()
	if r == nil || r.thread() == 0 {
		return nil
	}
	return r
}

// Stopped says whether a cell is stopped at a breakpoint.
func (d *Debugger) Stopped() bool { return d.stopped() != nil }

// Loaded attaches delve to the session process if there are breakpoints.
func (d *Debugger) Loaded(cell session.Loaded, out session.Output) {
	ctx, cancel := context.WithCancel(context.Background())
	r := &run{debugger: d, cell: cell, out: out, ctx: ctx, cancel: cancel, ready: make(chan struct{}), stops: make(chan struct{}, 16), over: make(chan struct{}), files: map[string]bool{}}
	d.mu.Lock()
	d.run = r
	d.prepared[cell.Name] = true
	wanted := d.started && len(d.breakpoints) > 0 && d.paths[cell.Name] != ""
	d.mu.Unlock()
	if !wanted {
		return
	}
	if err := r.attach(); err != nil && ctx.Err() == nil {
		out.Stream("stderr", fmt.Sprintf("Breakpoints have no effect in this cell: %v\n", err))
	}
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

// Interrupted detaches delve, so that the cell runs on and can notice.
func (d *Debugger) Interrupted() {
	d.mu.Lock()
	r := d.run
	d.mu.Unlock()
	if r != nil {
		r.cancel()
		go r.release()
	}
}
