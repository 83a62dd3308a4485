package driver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver/opcount"
)

// operations are the metrics that programs count themselves.
var operations = [opcount.Kinds]string{
	opcount.FAdd: backend.MetricFAdd, opcount.FMul: backend.MetricFMul, opcount.FFMA: backend.MetricFFMA,
	opcount.DAdd: backend.MetricDAdd, opcount.DMul: backend.MetricDMul, opcount.DFMA: backend.MetricDFMA,
	opcount.HAdd: backend.MetricHAdd, opcount.HMul: backend.MetricHMul, opcount.HFMA: backend.MetricHFMA,
}

// counting is a program with counters of its operations.
type counting struct {
	handle    uintptr
	counters  uint64            // where they are
	functions map[string]uint32 // by symbol
	// variables are those of the program's variables that have an address, here and in the program as
	// it is.
	variables []variablePair
	err       error // why there is no such program
}

type variablePair struct{ original, copy, size uint64 }

// countOperations runs a kernel once with counters, and then puts the device's memory back to what it was
// before. The reason is why it did not; the error is the kernel's own.
func (d *device) countOperations(l *backend.Launch) (counted backend.Counters, reason, err error) {
	f, ok := d.functions[l.Func]
	if !ok {
		return nil, nil, unknownHandle("kernel", l.Func)
	}
	if d.readsHost(l.Args) {
		return nil, errors.New("it has pinned host memory as an argument"), nil
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

// newCounting has the driver compile the program with counters.
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
			return errors.New("its program prints, which would be seen twice")
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

// The handles of functions that count come from the far end of the numbers, which a session does not reach.
const firstCounting = 0xff00_0000

// countingFunction is the handle of a kernel in a program that counts.
func (d *device) countingFunction(c *counting, of *function) (uint32, error) {
	if fn, ok := c.functions[of.symbol]; ok {
		return fn, nil
	}
	f := &function{symbol: of.symbol, module: of.module, textures: of.textures}
	if err := d.api.check(d.api.ModuleFunction(&f.handle, c.handle, of.symbol), "looking up a kernel that counts"); err != nil {
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

// readsHost reports whether an argument is an address of pinned host memory, which a kernel may change.
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

// keptMemory is a copy of memory of the device.
type keptMemory struct {
	dev    *device
	pieces []keptPiece
}

type keptPiece struct{ at, size, copy uint64 }

// keepMemory copies all chunks. A program's variables need not be kept: one that counts has its own.
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
		return k, fmt.Errorf("keeping its memory takes %d MiB, and %d MiB are free", total>>20, free>>20)
	}
	for i := range k.pieces {
		p := &k.pieces[i]
		if err := d.api.check(d.api.MemAlloc(&p.copy, p.size), "keeping memory"); err != nil {
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
