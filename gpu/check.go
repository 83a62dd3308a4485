package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

const codeNotSupported = 801

// Checked makes all launches of a module run in check mode, which only the simulator has:
// slowly, and every access to memory is looked at. TakeReport tells what was seen.
func Checked() CompileOption {
	return func(c *compilation) { c.program.Check = true }
}

// CheckOption changes what Check looks at.
type CheckOption func(*checkRun)

type checkRun struct{ leaks bool }

// Leaks makes Check report buffers that were made in the function and are still there when
// it has returned: nobody has freed them, and a variable still holds them.
func Leaks() CheckOption { return func(c *checkRun) { c.leaks = true } }

// Check runs f and all kernels that it launches on the current device in check mode, and says
// what was seen. The error is f's, or the device's: that a kernel has a defect is none, but
// Report.Err makes it one. Kernels compiled without Checked are compiled again for it, and
// have other copies of their __device__ and __constant__ variables than usual: those know
// what the host has copied to them, and not what kernels wrote before.
//
// Launches of graphs are not watched. Only the simulator has a check mode: on a GPU the error
// says so, and f is not run. Otherwise there is a report also if f fails. The device needs
// some ten times the memory that the kernels touch.
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
	if err := d.checkable(op); err != nil {
		return nil, err
	}
	l := d.link
	// What other launches have shown is not this report's.
	if err := l.keepReport(); err != nil {
		return nil, wrap(op, err)
	}
	l.mu.Lock()
	l.checks.all++
	before := make(map[*allocation]bool, len(l.live))
	for a := range l.live {
		before[a] = true
	}
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.checks.all--
		l.mu.Unlock()
	}()
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

// checkable returns an error if the device has no check mode.
func (d *Device) checkable(op string) error {
	if err := d.open(); err != nil {
		return wrap(op, err)
	}
	if d.link.properties().Simulated {
		return nil
	}
	return &Error{
		Code: codeNotSupported, Name: "CUDA_ERROR_NOT_SUPPORTED", Op: op,
		Message: fmt.Sprintf("%s has no check mode: only the simulator has (choose it with %%gpu sim, gpu.Use(\"sim\") or GOPHERWARP_DEVICE=sim); on a GPU compute-sanitizer does such checks on whole programs", d),
	}
}

// checks is the session's part of a device's check mode. The link's lock guards it.
type checks struct {
	on      bool        // the device knows about the buffers
	all     int         // calls of Check under way, in which all launches are watched
	unread  bool        // launches were watched since the last report
	used    atomic.Bool // TakeReport may have something; it must not wait for the lock otherwise
	kept    *Report
	sources map[string]string // of the programs with watched launches, by name
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

// watched makes a launch one of check mode, and tells the device what it works on. The lock
// is held.
func (c *Call) watched(p *process, cmd *wire.Command) error {
	k := c.k
	l := k.mod.dev.link
	if !l.checks.on {
		l.checks.on = true
		if err := l.tellBuffers(p); err != nil {
			return err
		}
	}
	if !k.mod.program.Check {
		fn, err := k.twin(p)
		if err != nil {
			return err
		}
		cmd.Func = fn
	}
	var views []backend.View
	for _, r := range c.refs {
		param := &k.params[r.param]
		views = append(views, backend.View{Addr: r.addr, Size: uint64(r.bytes), Elem: elementSize(param.Elem), Name: param.Name})
	}
	if err := l.push(p, &wire.Command{Op: wire.OpViews}, wire.MarshalViews(views)); err != nil {
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
		handle, built, err := l.build(p, program, wire.KindCompile, backend.Image{})
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
		reply, err := l.request(p, &wire.Request{Kind: wire.KindReport}, -1)
		if err != nil {
			return err
		}
		if reply.Report != nil {
			r.Launches, r.Findings, r.Accesses, r.Operations = reply.Report.Launches, reply.Report.Findings, reply.Report.Accesses, reply.Report.Operations
		}
		r.Sources = l.checks.sources
		l.checks.sources = nil
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
				Message: fmt.Sprintf("a buffer of %s, made at %s, was not freed and is still held by a variable: Free gives it back", byteCount(a.asked), site(a.made.pcs)),
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
