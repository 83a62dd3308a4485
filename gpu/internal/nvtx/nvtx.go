package nvtx

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Variable is the environment variable with the path of a profiler's library.
const Variable = "NVTX_INJECTION64_PATH"

// A Tool is a profiler that receives ranges.
type Tool struct {
	tables *tables
}

// The constants of NVTX's interface between programs and tools (version 3).
const (
	tableCallbacks   = 1 // NVTX_ETID_CALLBACKS
	tableVersionInfo = 3 // NVTX_ETID_VERSIONINFO
	version          = 3

	moduleCore = 1 // NVTX_CB_MODULE_CORE
	rangeStart = 5 // NVTX_CBID_CORE_RangeStartA
	rangeEnd   = 7 // NVTX_CBID_CORE_RangeEnd
)

// modules has the number of functions of each module; module 0 does not exist. Tools fail if a module that they support is
// missing.
var modules = [...]int{0, 16, 9, 15, 7, 16, 7}

// tables are the tables passed to the tool. It keeps pointers to them, so they must never move or be freed.
type tables struct {
	callbacks struct {
		size   uintptr
		module uintptr // a function that returns the table of a module
	}
	versionInfo struct {
		size       uintptr
		version    uint32
		_          uint32
		setVersion uintptr // a function that sets the tool's version
	}
	functions [len(modules)][16]uintptr
	places    [len(modules)][16]*uintptr // pointers to the functions
}

// Load loads and initializes the profiler's library. It returns nil without an error if there is no profiler. It must be called
// at most once in a process.
func Load() (*Tool, error) {
	path := os.Getenv(Variable)
	if path == "" {
		return nil, nil
	}
	lib, err := purego.Dlopen(path, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load the profiler's library of %s: %w", Variable, err)
	}
	start, err := purego.Dlsym(lib, "InitializeInjectionNvtx2")
	if err != nil {
		return nil, fmt.Errorf("%s is not a profiler's library: %w", path, err)
	}
	t := newTables()
	if ok, _, _ := purego.SyscallN(start, purego.NewCallback(t.export)); int32(ok) == 0 {
		return nil, fmt.Errorf("the profiler's library %s returned an error", path)
	}
	return &Tool{t}, nil
}

func newTables() *tables {
	t := &tables{}
	// The tool writes to the tables, so the garbage collector must not free them.
	new(runtime.Pinner).Pin(t)
	t.callbacks.size = unsafe.Sizeof(t.callbacks)
	t.callbacks.module = purego.NewCallback(t.module)
	t.versionInfo.size = unsafe.Sizeof(t.versionInfo)
	t.versionInfo.version = version
	t.versionInfo.setVersion = purego.NewCallback(func(uint32) uintptr { return 0 })
	for m := range t.places {
		for f := range t.places[m] {
			t.places[m][f] = &t.functions[m][f]
		}
	}
	return t
}

// export returns a table by its number.
func (t *tables) export(id uint32) uintptr {
	switch id {
	case tableCallbacks:
		return uintptr(unsafe.Pointer(&t.callbacks))
	case tableVersionInfo:
		return uintptr(unsafe.Pointer(&t.versionInfo))
	}
	return 0
}

// module returns pointers to the functions of a module, which the tool sets.
func (t *tables) module(id uint32, table *uintptr, size *uint32) uintptr {
	if id == 0 || int(id) >= len(modules) {
		return 0
	}
	if table != nil {
		*table = uintptr(unsafe.Pointer(&t.places[id]))
	}
	if size != nil {
		*size = uint32(modules[id])
	}
	return 1
}

// Start starts a range and returns its number.
func (t *Tool) Start(name string) uint64 {
	f := t.tables.functions[moduleCore][rangeStart]
	if f == 0 {
		return 0 // the tool does not support ranges
	}
	text := append([]byte(name), 0)
	id, _, _ := purego.SyscallN(f, uintptr(unsafe.Pointer(&text[0])))
	runtime.KeepAlive(text)
	return uint64(id)
}

// End ends a range.
func (t *Tool) End(id uint64) {
	if f := t.tables.functions[moduleCore][rangeEnd]; f != 0 {
		purego.SyscallN(f, uintptr(id))
	}
}
