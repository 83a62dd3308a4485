package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/gothread"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// debugged is the registry of the programs whose launches are recorded for a debugger, as gpuhooks.Record has set it; nil if there are none.
// A cell may launch on any device.
var debugged atomic.Pointer[debugRecorder]

// A debugRecorder records launches for a debugger.
type debugRecorder struct {
	stops gpuhooks.Stops

	mu       sync.Mutex
	launches []debugLaunch // whose recordings are not known yet, in their order
}

// A debugLaunch is what is known of a launch without the device's recording.
type debugLaunch struct {
	gpuhooks.Recording
	device  *Device
	stop    *gothread.At // the thread that the launch has chosen, or nil
	checked bool         // the module is in check mode anyway
}

// mostDebugged is the maximum number of launches that are recorded before Recorded takes them, and mostSteps that of a thread's steps.
const (
	mostDebugged = 64
	mostSteps    = 100_000
)

// recordLaunches implements gpuhooks.Record.
func recordLaunches(stops gpuhooks.Stops) {
	if len(stops) == 0 {
		debugged.Store(nil)
		return
	}
	debugged.Store(&debugRecorder{stops: stops})
}

// debug returns the blocks of the launch that are recorded for a debugger. There are none if it is not recorded. The lock is held.
func (c *Call) debug() backend.Blocks {
	r, m := debugged.Load(), c.k.mod
	if r == nil || r.stops[m.program.Name] == nil || m.dev.link.WatchesAll() || m.sourceless || !m.dev.link.Properties().Simulated {
		return backend.Blocks{}
	}
	l := debugLaunch{device: m.dev, stop: c.cfg.stop, checked: m.program.Check}
	l.Program, l.Kernel, l.Site = m.program.Name, c.k.name, c.at.String()
	for i, p := range c.k.params {
		l.Params = append(l.Params, gpuhooks.Variable{Name: p.Name, Type: p.CType, Value: c.argument(i)})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.launches) == mostDebugged {
		return backend.Blocks{}
	}
	r.launches = append(r.launches, l)
	blocks := backend.Blocks{N: 1, Locals: true}
	if at := c.cfg.stop; at != nil {
		x, y := max(c.cfg.Grid.X, 1), max(c.cfg.Grid.Y, 1)
		blocks.First = uint64(at.Block.X + x*(at.Block.Y+y*at.Block.Z))
	}
	return blocks
}

// argument returns the value of an argument as text.
func (c *Call) argument(i int) string {
	p := &c.k.params[i]
	var full [8]byte
	data := c.args[c.k.offsets[i]:][:p.Size]
	copy(full[:], data)
	bits := binary.LittleEndian.Uint64(full[:])
	switch {
	case p.Kind == wire.ParamBool:
		return fmt.Sprint(bits != 0)
	case p.Kind == wire.ParamUint && p.Size <= 8:
		return fmt.Sprint(bits)
	case p.Kind == wire.ParamInt && p.Size <= 8 && p.Size > 0:
		shift := 64 - 8*p.Size
		return fmt.Sprint(int64(bits<<shift) >> shift)
	case p.Kind == wire.ParamFloat && p.Size == 4:
		return fmt.Sprint(math.Float32frombits(uint32(bits)))
	case p.Kind == wire.ParamFloat && p.Size == 8:
		return fmt.Sprint(math.Float64frombits(bits))
	case p.Kind == wire.ParamPointer:
		bytes := 0
		for _, r := range c.refs {
			if r.param == i {
				bytes = r.bytes
			}
		}
		if elem, typ := elementType(p.Elem); elem > 0 && bytes > 0 {
			return fmt.Sprintf("%#x, %d × %s", bits, bytes/elem, typ)
		}
		return fmt.Sprintf("%#x", bits)
	}
	return fmt.Sprintf("%x", data)
}

// recordedLaunches implements gpuhooks.Recorded.
func recordedLaunches() ([]gpuhooks.Recording, error) {
	r := debugged.Load()
	if r == nil {
		return nil, nil
	}
	r.mu.Lock()
	launches := r.launches
	r.launches = nil
	r.mu.Unlock()
	var errs []error
	traces := map[*Device][]*trace.Trace{}
	for _, d := range known() {
		if !slices.ContainsFunc(launches, func(l debugLaunch) bool { return l.device == d }) {
			continue
		}
		if err := d.keepReport(); err != nil {
			errs = append(errs, wrap("asking for the recordings of launches", err))
		}
		for _, t := range d.watchers.reports.takeTraces(debuggedOnly(launches)) {
			decoded, err := trace.Decode(t.Data)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			traces[d] = append(traces[d], decoded)
		}
	}
	var list []gpuhooks.Recording
	for _, l := range launches {
		of := traces[l.device]
		i := slices.IndexFunc(of, func(t *trace.Trace) bool { return t.Kernel == l.Kernel && t.Program == l.Program })
		if i < 0 {
			continue // it did not run
		}
		l.fill(of[i], r.stops[l.Program])
		traces[l.device] = slices.Delete(of, i, i+1)
		list = append(list, l.Recording)
	}
	return list, errors.Join(errs...)
}

// debuggedOnly returns the programs that are in check mode only for the debugger.
func debuggedOnly(launches []debugLaunch) map[string]bool {
	names := map[string]bool{}
	for _, l := range launches {
		if !l.checked {
			names[l.Program] = true
		}
	}
	return names
}

// fill adds what the device has recorded.
func (l *debugLaunch) fill(t *trace.Trace, stops []gpuhooks.Stop) {
	l.Grid, l.BlockDim, l.Notes = t.Grid, t.Threads, t.Notes
	thread := -1
	if l.stop != nil {
		l.Block = [3]int{l.stop.Block.X, l.stop.Block.Y, l.stop.Block.Z}
		x, y := t.Threads[0], t.Threads[1]
		if l.stop.Thread.Within(gothread.Dim{X: x, Y: y, Z: t.Threads[2]}) {
			thread = l.stop.Thread.X + x*(l.stop.Thread.Y+y*l.stop.Thread.Z)
		}
	} else {
		var lines []trace.Line
		for _, s := range stops {
			lines = append(lines, trace.Line(s))
		}
		thread = t.First(0, lines)
	}
	if thread < 0 {
		return
	}
	x, y := t.Threads[0], t.Threads[1]
	l.Thread = [3]int{thread % x, thread / x % y, thread / x / y}
	for _, s := range t.Thread(0, thread, mostSteps) {
		step := gpuhooks.RecordedStep{File: s.File, Line: s.Line.Line, Function: s.Function, Frame: s.CFA}
		for _, v := range s.Locals {
			step.Locals = append(step.Locals, gpuhooks.Variable{Name: v.Name, Type: v.Type, Value: v.Value})
		}
		for _, a := range s.Accesses {
			step.Accesses = append(step.Accesses, gpuhooks.RecordedAccess{Op: a.Op, Name: a.Name, Value: fmt.Sprint(a.Value)})
		}
		for _, f := range t.Findings {
			if f.File == s.File && f.Line == s.Line.Line {
				step.Findings = append(step.Findings, f.Kind+": "+f.Message)
			}
		}
		l.Steps = append(l.Steps, step)
	}
}

// takeTraces removes and returns the traces of the kept reports. What these have on programs that are in check mode only for the traces is
// removed, too.
func (r *reports) takeTraces(only map[string]bool) []backend.Trace {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		return nil
	}
	traces := r.kept.Traces
	rest := &hook.Report{Report: r.kept.Report, Sources: r.kept.Sources}
	rest.Traces = nil
	for _, t := range traces {
		if only[t.Program] {
			rest.Launches--
		}
	}
	rest.Findings = slices.DeleteFunc(rest.Findings, func(f backend.Finding) bool { return only[f.Program] })
	rest.Accesses = slices.DeleteFunc(rest.Accesses, func(a backend.Access) bool { return only[a.Program] })
	rest.Operations = slices.DeleteFunc(rest.Operations, func(o backend.Operations) bool { return only[o.Program] })
	rest.Efforts = slices.DeleteFunc(rest.Efforts, func(e backend.Effort) bool { return only[e.Program] })
	r.kept = rest
	if rest.Launches <= 0 && len(rest.Findings) == 0 {
		r.kept = nil
	}
	return traces
}
