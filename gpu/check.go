package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// WithCheck makes all launches of a module run in check mode, which is slow and checks every access to memory. check.TakeReport returns
// the findings.
func WithCheck() CompileOption {
	return func(c *compilation) { c.program.Check = true }
}

// runCheck implements hook.Check.
func runCheck(f func() error, how hook.Checking) (*hook.Report, error) {
	const op = "checking kernels"
	d, err := Current()
	if err != nil {
		return nil, wrap(op, err)
	}
	if err := d.open(); err != nil {
		return nil, wrap(op, err)
	}
	if how.Recorded.N > 0 && !d.Properties().Simulated {
		return nil, misuse(op, "launches are recorded on the simulator, and %s is a GPU: select the simulator first (%%gpu sim, or gpu.Use)", d.Properties().Name)
	}
	if f, err = d.settling(f); err != nil {
		return nil, wrap(op, err)
	}
	l := d.link
	// The findings of other launches are not part of this report.
	if err := d.keepReport(); err != nil {
		return nil, wrap(op, err)
	}
	before := l.Holders()
	defer l.WatchAll()()
	defer l.Checking(client.Checking{Simulated: how.Simulated, Recorded: how.Recorded})()
	// Buffers that f makes are uninitialized, even if it has launched nothing before.
	if err := l.With(l.Watch); err != nil {
		return nil, wrap(op, err)
	}
	err = f()
	if syncErr := l.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	r, reportErr := d.report()
	if err == nil {
		err = wrap(op, reportErr)
	}
	if how.Leaks {
		r.Findings = append(r.Findings, d.leaks(before)...)
	}
	return r, err
}

// takeReport implements hook.TakeReport, for all devices.
func takeReport() (*hook.Report, error) {
	devices := known()
	var all *hook.Report
	var errs []error
	for _, d := range devices {
		if !d.link.HasWatched() {
			continue
		}
		if err := d.keepReport(); err != nil {
			errs = append(errs, wrap("asking for the report of check mode", err))
		}
		r := d.watchers.reports.take()
		if all == nil {
			all = r
		} else if r != nil {
			all.Add(r)
		}
	}
	return all, errors.Join(errs...)
}

// watched makes cmd a launch in check mode whose blocks are recorded, and tells the device what memory its arguments are. The lock is held.
func (c *Call) watched(p *client.Process, cmd *wire.Command, recorded backend.Blocks) error {
	k := c.k
	l := k.mod.dev.link
	if err := l.Watch(p); err != nil {
		return err
	}
	if recorded.N > 0 || !k.mod.program.Check {
		fn, err := k.twin(p, recorded.N > 0)
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
		views = append(views, k.view(r.param, r.mapped(), r.bytes))
	}
	for _, m := range c.mapped {
		v := k.view(m.param, m.addr, m.bytes)
		v.Host = true
		views = append(views, v)
	}
	return l.WatchLaunch(p, &k.mod.program, views, recorded)
}

// view describes memory that is passed to a parameter.
func (k *Kernel) view(param int, addr uint64, bytes int) backend.View {
	p := &k.params[param]
	elem, typ := elementType(p.Elem)
	return backend.View{Addr: addr, Size: uint64(bytes), Elem: elem, Type: typ, Name: k.memoryName(param), Arg: k.offsets[param]}
}

// A twin is a module's program, compiled for check mode.
type twin struct {
	handle uint32
	*client.LoadedModule
}

// twin returns the handle of the same kernel in check mode, compiled so that it can be recorded if recorded is set. The lock is held.
func (k *Kernel) twin(p *client.Process, recorded bool) (uint32, error) {
	m := k.mod
	if m.sourceless {
		return 0, misuse("", "Check compiles kernels again, and %s was loaded without its source", m.program.Name)
	}
	known := &m.checked
	if recorded {
		known = &m.recorded
	}
	if *known == nil {
		l := m.dev.link
		program := m.program
		program.Record = recorded
		handle, built, err := l.LoadChecked(p, program, m.loaded)
		if err != nil {
			return 0, err
		}
		*known = &twin{handle, built}
		runtime.AddCleanup(m, l.Unload, handle)
	}
	for _, t := range (*known).Kernels {
		if t.Name == k.name {
			return t.Func, nil
		}
	}
	return 0, misuse("", "the kernel is not there in check mode")
}

// keepReport adds the device's new findings to those kept before.
func (d *Device) keepReport() error {
	if !d.link.UnreadReport() {
		return nil
	}
	r, err := d.report()
	if err == nil {
		d.watchers.reports.add(r)
	}
	return err
}

// report takes the device's findings.
func (d *Device) report() (*hook.Report, error) {
	r := &hook.Report{}
	seen, sources, err := d.link.TakeReport()
	if seen != nil {
		r.Report = *seen
	}
	r.Sources = sources
	return r, err
}

// leaks returns the buffers that exist now and did not before.
func (d *Device) leaks(before []*client.Allocation) []backend.Finding {
	client.FreeUnreachable() // what the garbage collector would free is no leak
	var list []backend.Finding
	for _, a := range d.link.Holders() {
		if !slices.Contains(before, a) {
			list = append(list, backend.Finding{
				Kind: backend.KindLeak, Count: 1,
				Message: fmt.Sprintf("a buffer of %s, made at %s, was not freed and is still held by a variable: Free gives it back", render.Bytes(a.Asked), a.Made.At),
			})
		}
	}
	return list
}

// elementType returns the size in bytes of an element that a kernel's pointer points to, and the type of its numbers, or 0 and "" if they
// are not known. A vector has several numbers.
func elementType(name string) (size int, typ string) {
	if number, n := vectorElement(name); n > 0 {
		size, typ = elementType(number)
		return n * size, typ
	}
	switch name {
	case "bool", "int8", "uint8", "byte":
		size = 1
	case "int16", "uint16", "gpu.Float16", "gpu.BFloat16":
		size = 2
	case "int32", "uint32", "float32":
		size = 4
	case "int64", "uint64", "float64":
		size = 8
	default:
		return 0, ""
	}
	return size, strings.TrimPrefix(name, "gpu.")
}

// vectorElement returns the type and the number of the numbers of a vector: float32 and 4 of vec.Float4. Of other types n is 0.
func vectorElement(name string) (number string, n int) {
	if half, ok := strings.CutSuffix(name, "16x2"); ok {
		return half + "16", 2
	}
	name, isVector := strings.CutPrefix(name, "vec.")
	if !isVector {
		return "", 0
	}
	n = int(name[len(name)-1] - '0')
	return vectorElements[name[:len(name)-1]], n
}

var vectorElements = map[string]string{
	"Char": "int8", "Uchar": "uint8", "Short": "int16", "Ushort": "uint16", "Int": "int32", "Uint": "uint32", "Long": "int64",
	"Ulong": "uint64", "Longlong": "int64", "Ulonglong": "uint64", "Float": "float32", "Double": "float64",
}

// memoryName returns the name of the memory that a parameter refers to. A slice of a kernel in Go is two parameters, x_data and x_len, of a
// program that was made from another text; users know it as x.
func (k *Kernel) memoryName(param int) string {
	name := k.params[param].Name
	of, made := strings.CutSuffix(name, "_data")
	if made && k.mod.program.Shown != "" && param+1 < len(k.params) && k.params[param+1].Name == of+"_len" {
		return of
	}
	return name
}
