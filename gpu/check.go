package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Checked makes all launches of a module run in check mode: slowly, and every access to memory is
// looked at. TakeReport tells what was seen.
func Checked() CompileOption {
	return func(c *compilation) { c.program.Check = true }
}

// CheckOption changes what Check looks at.
type CheckOption func(*checkRun)

type checkRun struct{ leaks, simulated bool }

// Simulated makes Check have the simulator look at the launches also where the device is a GPU, and count
// what they cost. A GPU's kernels are then run by the simulator once more, with copies of their buffers.
func Simulated() CheckOption { return func(c *checkRun) { c.simulated = true } }

// Leaks makes Check report buffers that were made in the function and are still there when
// it has returned: nobody has freed them, and a variable still holds them.
func Leaks() CheckOption { return func(c *checkRun) { c.leaks = true } }

// Check runs f and all kernels that it launches on the current device in check mode, and says
// what was seen. The error is f's, or the device's: that a kernel has a defect is none, but
// Report.Err makes it one. Kernels compiled without Checked are compiled again for it, and
// have other copies of their __device__ and __constant__ variables than usual: those know
// what the host has copied to them, and not what kernels wrote before.
//
// Launches of graphs are not watched. There is a report also if f fails. The simulator needs some ten
// times the memory that the kernels touch.
//
// On a GPU each launch is carried out first by other processes, with copies of the buffers that it is
// given, under the four tools of NVIDIA's compute-sanitizer. A launch that would harm other memory is
// not carried out on the GPU itself. Where compute-sanitizer is missing, those copies are checked by the
// simulator.
func Check(f func() error, opts ...CheckOption) (*Report, error) {
	const op = "checking kernels"
	var o checkRun
	for _, opt := range opts {
		opt(&o)
	}
	d, err := Current()
	if err != nil {
		return nil, wrap(op, err)
	}
	if err := d.open(); err != nil {
		return nil, wrap(op, err)
	}
	l := d.link
	// What other launches have shown is not this report's.
	if err := l.keepReport(); err != nil {
		return nil, wrap(op, err)
	}
	l.mu.Lock()
	l.checks.all++
	simulated := l.checks.simulated
	l.checks.simulated = o.simulated
	before := make(map[*allocation]bool, len(l.live))
	for a := range l.live {
		before[a] = true
	}
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.checks.all--
		l.checks.simulated = simulated
		l.mu.Unlock()
	}()
	// Buffers that f makes have no values yet, also if it launches nothing before.
	if err := l.with(l.watch); err != nil {
		return nil, wrap(op, err)
	}
	err = f()
	if syncErr := l.sync(); err == nil {
		err = wrap(op, syncErr)
	}
	r, reportErr := l.report()
	if err == nil {
		err = wrap(op, reportErr)
	}
	if o.leaks {
		r.Findings = append(r.Findings, l.leaks(before)...)
	}
	return r, err
}

// TakeReport returns what was seen of launches in check mode since the last time, outside
// Check, on all devices. It waits for them. It is nil if there were none.
func TakeReport() (*Report, error) {
	registry.mu.Lock()
	devices := append([]*Device(nil), registry.devices...)
	registry.mu.Unlock()
	var all *Report
	var errs []error
	for _, d := range devices {
		if !d.link.checks.used.Swap(false) {
			continue
		}
		if err := d.link.keepReport(); err != nil {
			errs = append(errs, wrap("asking for the report of check mode", err))
		}
		d.link.mu.Lock()
		r := d.link.checks.kept
		d.link.checks.kept = nil
		d.link.mu.Unlock()
		if all == nil {
			all = r
		} else if r != nil {
			all.add(r)
		}
	}
	return all, errors.Join(errs...)
}

// checks is the session's part of a device's check mode. The link's lock guards it.
type checks struct {
	on  bool // the device knows about the buffers
	all int  // calls of Check under way, in which all launches are watched
	// simulated says that the simulator is to look at the launches of a GPU.
	simulated bool
	unread    bool        // launches were watched since the last report
	used      atomic.Bool // TakeReport may have something; it must not wait for the lock otherwise
	kept      *Report
	retired   []*allocation     // were freed, in this order
	sources   map[string]string // of the programs with watched launches, by name
}

// checkGap is what is left free behind buffers that are made while check mode is on, in
// bytes, so that an index beyond the end finds no other buffer.
const checkGap = 64 << 10

func (c *checks) gap() uint64 {
	if c.on {
		return checkGap
	}
	return 0
}

// What was freed while check mode is on is not used again at once, so that a pointer to it does not find another
// buffer: that many, of at most that many bytes each.
const (
	mostRetired    = 64
	largestRetired = 1 << 20
)

// retire takes an allocation that was freed, and gives one whose memory may be used again, or nil.
func (c *checks) retire(a *allocation) *allocation {
	if !c.on || a.size > largestRetired {
		return a
	}
	c.retired = append(c.retired, a)
	if len(c.retired) <= mostRetired {
		return nil
	}
	a = c.retired[0]
	c.retired = slices.Delete(c.retired, 0, 1)
	return a
}

// watched makes a launch one of check mode, and tells the device what it works on. The lock
// is held.
func (c *Call) watched(p *process, cmd *wire.Command) error {
	k := c.k
	l := k.mod.dev.link
	if err := l.watch(p); err != nil {
		return err
	}
	if !k.mod.program.Check {
		fn, err := k.twin(p)
		if err != nil {
			return err
		}
		cmd.Func = fn
	}
	if err := c.tellPeers(p, wire.OpAllocated); err != nil {
		return err
	}
	var views []backend.View
	for _, r := range c.refs {
		views = append(views, k.view(r.param, r.addr, r.bytes))
	}
	for i := range c.peers {
		r := &c.peers[i]
		views = append(views, k.view(r.param, r.there(), r.bytes))
	}
	for _, m := range c.mapped {
		v := k.view(m.param, m.addr, m.bytes)
		v.Host = true
		views = append(views, v)
	}
	if err := l.push(p, &wire.Command{Op: wire.OpViews, Arg: flag(l.checks.simulated)}, wire.MarshalViews(views)); err != nil {
		return err
	}
	if l.checks.sources == nil {
		l.checks.sources = map[string]string{}
	}
	l.checks.sources[k.mod.program.Name] = k.mod.program.Source
	l.checks.unread = true
	l.checks.used.Store(true)
	return nil
}

// view describes memory that is passed to a parameter.
func (k *Kernel) view(param int, addr uint64, bytes int) backend.View {
	p := &k.params[param]
	return backend.View{Addr: addr, Size: uint64(bytes), Elem: elementSize(p.Elem), Name: p.Name, Arg: k.offsets[param]}
}

// A twin is a module's program, compiled for check mode.
type twin struct {
	handle uint32
	*loaded
}

// twin is the handle of the same kernel in check mode. The lock is held.
func (k *Kernel) twin(p *process) (uint32, error) {
	m := k.mod
	if m.sourceless {
		return 0, misuse("", "Check compiles kernels again, and %s was loaded without its source", m.program.Name)
	}
	if m.checked == nil {
		program := m.program
		program.Check = true
		l := m.dev.link
		handle, built, err := l.build(p, program, nil)
		if err != nil {
			return 0, err
		}
		if err := l.restoreGlobals(p, handle, m.loaded); err != nil {
			return 0, err
		}
		if m.loaded.globals == nil {
			m.loaded.globals = map[string][]byte{}
		}
		built.globals = m.loaded.globals // to be set again in a new process, too
		m.checked = &twin{handle, built}
		runtime.AddCleanup(m, l.unload, handle)
	}
	for _, t := range m.checked.kernels {
		if t.Name == k.name {
			return t.Func, nil
		}
	}
	return 0, misuse("", "the kernel is not there in check mode")
}

// watch makes the device keep books about buffers, if it does not do so yet. The lock is held.
func (l *link) watch(p *process) error {
	if l.checks.on {
		return nil
	}
	l.checks.on = true
	return l.tellBuffers(p)
}

// tellBuffers tells a device that has check mode on which buffers there are. What is in them
// counts as set. The lock is held.
func (l *link) tellBuffers(p *process) error {
	if !l.checks.on {
		return nil
	}
	for a := range l.live {
		if a.chunk.lost {
			continue
		}
		if err := l.push(p, &wire.Command{Op: wire.OpAllocated, Dst: a.addr, N: a.asked}, nil); err != nil {
			return err
		}
	}
	return nil
}

// allocated and freed keep the device informed. If they fail the process is dead, and its
// successor is told of all buffers. The lock is held.
func (l *link) allocated(a *allocation, fresh bool) {
	if l.checks.on && l.p != nil {
		_ = l.push(l.p, &wire.Command{Op: wire.OpAllocated, Dst: a.addr, N: a.asked, Arg: flag(fresh)}, nil)
	}
}

func (l *link) freed(a *allocation) {
	if l.checks.on && l.p != nil {
		_ = l.push(l.p, &wire.Command{Op: wire.OpFreed, Dst: a.addr}, nil)
	}
}

// keepReport puts what the device has seen to what it saw before.
func (l *link) keepReport() error {
	l.mu.Lock()
	unread := l.checks.unread
	l.mu.Unlock()
	if !unread {
		return nil
	}
	r, err := l.report()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.checks.kept == nil {
		l.checks.kept = r
	} else {
		l.checks.kept.add(r)
	}
	return nil
}

// report takes what the device has seen.
func (l *link) report() (*Report, error) {
	r := &Report{}
	err := l.with(func(p *process) error {
		l.checks.unread = false
		req := &wire.Report{}
		if err := l.request(p, req, -1); err != nil {
			return err
		}
		seen := &req.Report
		r.Launches, r.Findings, r.Accesses, r.Operations = seen.Launches, seen.Findings, seen.Accesses, seen.Operations
		r.Efforts, r.Note = seen.Efforts, seen.Note
		r.Sources = l.checks.sources
		l.checks.sources = nil
		r.tellSkipped()
		return nil
	})
	return r, err
}

// leaks finds the buffers that are there now and were not before.
func (l *link) leaks(before map[*allocation]bool) []Finding {
	// Buffers that nobody can reach are freed by and by: that is no leak.
	runtime.GC()
	time.Sleep(10 * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Finding
	for a := range l.live {
		if !before[a] {
			list = append(list, Finding{
				Kind: backend.KindLeak, Count: 1,
				Message: fmt.Sprintf("a buffer of %s, made at %s, was not freed and is still held by a variable: Free gives it back", byteCount(a.asked), a.made.at),
			})
		}
	}
	return list
}

// elementSize is the size of a Go type that a kernel's pointer can point to, in bytes, or 0.
func elementSize(name string) int {
	switch name {
	case "bool", "int8", "uint8", "byte":
		return 1
	case "int16", "uint16":
		return 2
	case "int32", "uint32", "float32":
		return 4
	case "int64", "uint64", "float64":
		return 8
	}
	return 0
}
