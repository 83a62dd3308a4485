package driver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

type module struct {
	handle  uintptr
	lowered map[string]string
	entries []string // the kernels' symbols, if they can be read from the image
	ptx     []byte   // nil if not available
	// counting is the same program with counters of operations; nil until it is first used.
	counting *counting
}

type function struct {
	handle uintptr
	module uint32
	symbol string
	// dynamicShared is the present limit of the function's dynamic shared memory, in bytes.
	dynamicShared uint32
	// textures are the offsets of the texture arguments.
	textures backend.TextureArguments
}

func (d *device) Load(mod uint32, img backend.Image) error {
	if _, taken := d.modules[mod]; taken {
		return invalidValue("module %d is loaded already", mod)
	}
	if len(img.Data) == 0 {
		return invalidValue("the image of module %d is empty", mod)
	}
	handle, err := d.loadCode(img.Data)
	if err != nil {
		return err
	}
	m := &module{handle: handle, lowered: img.Lowered, entries: entries(img.Data), ptx: img.PTX}
	if isPTX(img.Data) {
		m.ptx = img.Data
	}
	if mayPrint(img.Data) {
		d.prints.Store(true)
	}
	d.modules[mod] = m
	return nil
}

// loadCode loads a cubin, a fatbin or PTX.
func (d *device) loadCode(data []byte) (handle uintptr, err error) {
	// The driver reads PTX up to a NUL; it finds the end of a cubin itself.
	if data[len(data)-1] != 0 {
		data = append(slices.Clip(data), 0)
	}
	log := make([]byte, 8<<10)
	options := [2]jitOption{jitErrorLogBuffer, jitErrorLogBufferSize}
	values := jitValues{log: &log[0], logSize: uintptr(len(log))}
	if r := d.api.ModuleLoad(&handle, &data[0], uint32(len(options)), &options[0], &values); r != success {
		err := d.api.failure(r, "loading compiled code")
		if text := goString(values.log); text != "" {
			err.Message += "\n" + strings.TrimSpace(text)
		}
		return 0, err
	}
	return handle, nil
}

// Unload also removes the module's functions.
func (d *device) Unload(mod uint32) error {
	m, ok := d.modules[mod]
	if !ok {
		return unknownHandle("module", mod)
	}
	delete(d.modules, mod)
	maps.DeleteFunc(d.functions, func(_ uint32, f *function) bool { return f.module == mod })
	err := d.api.check(d.api.ModuleUnload(m.handle), "unloading a module")
	if m.counting != nil {
		err = errors.Join(err, d.api.check(d.api.ModuleUnload(m.counting.handle), "unloading a module with counters"))
	}
	return err
}

func (d *device) Function(fn, mod uint32, name string) (backend.FunctionInfo, error) {
	var info backend.FunctionInfo
	if _, taken := d.functions[fn]; taken {
		return info, invalidValue("kernel %d exists already", fn)
	}
	m, ok := d.modules[mod]
	if !ok {
		return info, unknownHandle("module", mod)
	}
	symbol, ok := m.lowered[name]
	if !ok {
		symbol = findEntry(m.entries, name)
	}
	f := &function{module: mod, symbol: symbol}
	if r := d.api.ModuleFunction(&f.handle, m.handle, symbol); r != success {
		err := d.api.failure(r, fmt.Sprintf("looking up kernel %q", name))
		known := slices.Sorted(maps.Keys(m.lowered))
		if len(known) == 0 {
			known = m.entries
		}
		if r == errNotFound && len(known) > 0 {
			err.Message += "; the module has " + strings.Join(known, ", ")
		}
		return info, err
	}
	for _, v := range []struct {
		to   *int
		attr funcAttribute
	}{
		{&info.MaxThreadsPerBlock, funcMaxThreadsPerBlock},
		{&info.NumRegs, funcNumRegs},
		{&info.SharedSizeBytes, funcSharedSize},
		{&info.LocalSizeBytes, funcLocalSize},
		{&info.ConstSizeBytes, funcConstSize},
	} {
		n, err := d.funcAttribute(f.handle, v.attr)
		if err != nil {
			return info, err
		}
		*v.to = n
	}
	dynamic, err := d.funcAttribute(f.handle, funcMaxDynamicShared)
	if err != nil {
		return info, err
	}
	f.dynamicShared = uint32(dynamic)
	d.functions[fn] = f
	return info, nil
}

func (d *device) funcAttribute(function uintptr, attr funcAttribute) (int, error) {
	var n int32
	err := d.api.check(d.api.FuncGetAttr(&n, attr, function), "reading a kernel's properties")
	return int(n), err
}

// Symbol looks up the possible symbols of a variable: its name at the top level, and the mangled ones in a namespace and of a
// static variable.
func (d *device) Symbol(mod uint32, name string) (addr, size uint64, err error) {
	m, ok := d.modules[mod]
	if !ok {
		return 0, 0, unknownHandle("module", mod)
	}
	r := errNotFound
	for _, symbol := range variableSymbols(name) {
		if r = d.api.ModuleGlobal(&addr, &size, m.handle, symbol); r != errNotFound {
			break
		}
	}
	if r == errNotFound {
		return 0, 0, &backend.Error{
			Code: int(errNotFound), Name: "CUDA_ERROR_NOT_FOUND",
			Message: fmt.Sprintf("there is no __device__ or __constant__ variable %q, or no kernel uses it, so that the compiler left it out", name),
		}
	}
	return addr, size, d.api.check(r, fmt.Sprintf("looking up variable %q", name))
}
