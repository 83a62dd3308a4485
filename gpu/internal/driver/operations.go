package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/opcount"
)

// operations are the metrics of the counters in instrumented programs.
var operations = [opcount.Kinds]string{
	opcount.FAdd: backend.MetricFAdd, opcount.FMul: backend.MetricFMul, opcount.FFMA: backend.MetricFFMA,
	opcount.DAdd: backend.MetricDAdd, opcount.DMul: backend.MetricDMul, opcount.DFMA: backend.MetricDFMA,
	opcount.HAdd: backend.MetricHAdd, opcount.HMul: backend.MetricHMul, opcount.HFMA: backend.MetricHFMA,
}

// counting is a program with counters of its operations.
type counting struct {
	handle    uintptr
	counters  uint64            // address
	functions map[string]uint32 // by symbol
	// variables are the variables of the program with an address, in the original and in this program.
	variables []variablePair
	err       error // why there is no such program, or nil
}

type variablePair struct{ original, copy, size uint64 }

// countOperations runs a kernel once with counters, and then restores the device's memory. The reason says why the operations
// could not be counted; the error is the kernel's own.
func (d *device) countOperations(l *backend.Launch) (counted backend.Counters, reason, err error) {
	f, ok := d.functions[l.Func]
	if !ok {
		return nil, nil, unknownHandle("kernel", l.Func)
	}
	if d.readsHost(l.Args) {
		return nil, errors.New("it has page-locked host memory as an argument"), nil
	}
	if len(f.textures.Surfaces) > 0 {
		return nil, errors.New("it writes to a surface"), nil
	}
	m := d.modules[f.module]
	if m.counting == nil {
		m.counting = d.newCounting(m)
	}
	c := m.counting
	if c.err != nil {
		return nil, c.err, nil
	}
	twin, reason := d.countingFunction(c, f)
	if reason != nil {
		return nil, reason, nil
	}
	kept, reason := d.keepMemory()
	defer kept.free()
	if reason != nil {
		return nil, reason, nil
	}
	for _, v := range c.variables {
		if err := d.CopyDtoD(v.copy, v.original, v.size, 0); err != nil {
			return nil, nil, err
		}
	}
	if err := d.Fill(c.counters, []byte{0}, 8*uint64(opcount.Kinds), 0); err != nil {
		return nil, nil, err
	}
	again := *l
	again.Func = twin
	if err := errors.Join(d.Launch(&again), d.Sync()); err != nil {
		return nil, nil, err
	}
	values := make([]byte, 8*opcount.Kinds)
	if err := errors.Join(d.CopyDtoH(values, c.counters, 0), d.Sync()); err != nil {
		return nil, nil, err
	}
	counted = backend.Counters{}
	for kind, metric := range operations {
		counted[metric] = float64(binary.NativeEndian.Uint64(values[8*kind:]))
	}
	return counted, nil, kept.restore()
}

// newCounting compiles the program with counters.
func (d *device) newCounting(m *module) *counting {
	c := &counting{functions: map[string]uint32{}}
	c.err = func() error {
		if m.ptx == nil {
			return errors.New("its program was loaded without its PTX")
		}
		p, err := opcount.Instrument(string(m.ptx))
		if err != nil {
			return err
		}
		if p.Prints {
			return errors.New("its program calls printf, whose output would appear twice")
		}
		if c.handle, err = d.loadCode([]byte(p.Text)); err != nil {
			return err
		}
		var size uint64
		if err := d.api.check(d.api.ModuleGlobal(&c.counters, &size, c.handle, opcount.Symbol), "looking up counters"); err != nil {
			return err
		}
		for _, symbol := range p.Variables {
			var v variablePair
			if d.api.ModuleGlobal(&v.copy, &v.size, c.handle, symbol) == success &&
				d.api.ModuleGlobal(&v.original, &v.size, m.handle, symbol) == success && v.size > 0 {
				c.variables = append(c.variables, v)
			}
		}
		return nil
	}()
	return c
}

// firstCounting is the first handle of functions with counters, which is higher than those of sessions.
const firstCounting = 0xff00_0000

// countingFunction returns the handle of a kernel in a program with counters.
func (d *device) countingFunction(c *counting, of *function) (uint32, error) {
	if fn, ok := c.functions[of.symbol]; ok {
		return fn, nil
	}
	f := &function{symbol: of.symbol, module: of.module, textures: of.textures}
	if err := d.api.check(d.api.ModuleFunction(&f.handle, c.handle, of.symbol), "looking up a kernel with counters"); err != nil {
		return 0, err
	}
	dynamic, err := d.funcAttribute(f.handle, funcMaxDynamicShared)
	if err != nil {
		return 0, err
	}
	f.dynamicShared = uint32(dynamic)
	fn := firstCounting + d.profile.twins
	d.profile.twins++
	c.functions[of.symbol], d.functions[fn] = fn, f
	return fn, nil
}

// readsHost reports whether an argument is an address of page-locked host memory, which a kernel may change.
func (d *device) readsHost(args []byte) bool {
	for at := 0; at+8 <= len(args); at += 8 {
		p := uintptr(binary.NativeEndian.Uint64(args[at:]))
		for first, size := range d.hosts {
			if start := uintptr(unsafe.Pointer(first)); p >= start && p < start+uintptr(size) {
				return true
			}
		}
	}
	return false
}

// keptMemory is a copy of the device's memory.
type keptMemory struct {
	dev    *device
	pieces []keptPiece
}

type keptPiece struct{ at, size, copy uint64 }

// keepMemory copies all chunks, but not the variables of a program: the program with counters has its own.
func (d *device) keepMemory() (*keptMemory, error) {
	k := &keptMemory{dev: d}
	var total uint64
	for addr, c := range d.chunks {
		k.pieces = append(k.pieces, keptPiece{at: addr, size: c.size})
		total += c.size
	}
	free, _, err := d.MemInfo()
	if err != nil {
		return k, err
	}
	if total > free/2 {
		return k, fmt.Errorf("a copy of the device's memory needs %d MiB, and %d MiB are free", total>>20, free>>20)
	}
	for i := range k.pieces {
		p := &k.pieces[i]
		if err := d.api.check(d.api.MemAlloc(&p.copy, p.size), "copying the device's memory"); err != nil {
			return k, err
		}
		if err := d.CopyDtoD(p.copy, p.at, p.size, 0); err != nil {
			return k, err
		}
	}
	return k, d.Sync()
}

func (k *keptMemory) restore() error {
	for _, p := range k.pieces {
		if err := k.dev.CopyDtoD(p.at, p.copy, p.size, 0); err != nil {
			return err
		}
	}
	return k.dev.Sync()
}

func (k *keptMemory) free() {
	for _, p := range k.pieces {
		if p.copy != 0 {
			k.dev.api.MemFree(p.copy)
		}
	}
}
