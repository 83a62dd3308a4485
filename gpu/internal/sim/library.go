package sim

import (
	"bytes"
	"fmt"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/arrays"
)

// entry mirrors gwsim::Entry.
type entry struct {
	argBytes   uint32
	maxThreads uint32
	run, touch uintptr
	split      uintptr
	cluster    [3]uint32
}

// manner mirrors gwsim::Manner.
type manner struct {
	order       order
	unsplit     uint32
	seed        uint64
	gang        [3]uint32
	cooperative uint32
}

// order mirrors gwsim::Order.
type order uint32

const (
	forward order = iota
	backward
	shuffled
)

// failure mirrors gwsim::Failure.
type failure struct {
	code    int32
	message [1020]byte
	at      uint64 // offset in the kernel's library of the instruction that faulted, or 0
}

// A simRuntime is the loaded runtime.
type simRuntime struct {
	launch uintptr
}

// theRuntime is the runtime of the process. There is at most one: it owns the worker threads and
// the process's fault handlers, and kernels bind to its symbols.
var theRuntime struct {
	sync.Mutex
	loaded *simRuntime
}

func startRuntime(t *toolchain, workers int) (*simRuntime, error) {
	theRuntime.Lock()
	defer theRuntime.Unlock()
	if theRuntime.loaded != nil {
		return theRuntime.loaded, nil
	}
	path, err := t.buildRuntime()
	if err != nil {
		return nil, err
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, wrap(codeSystemNotReady, err, "loading the simulator's runtime")
	}
	rt := &simRuntime{}
	start, err := purego.Dlsym(lib, "gw_start")
	if err == nil {
		rt.launch, err = purego.Dlsym(lib, "gw_launch")
	}
	if err != nil {
		return nil, wrap(codeSystemNotReady, err, "loading the simulator's runtime %s (delete it to have it built again)", path)
	}
	if errno, _, _ := purego.SyscallN(start, uintptr(workers)); errno != 0 {
		return nil, wrap(codeSystemNotReady, unix.Errno(errno), "starting the simulator's worker threads")
	}
	theRuntime.loaded = rt
	return rt, nil
}

// run runs a kernel and waits for it.
func (rt *simRuntime) run(e *entry, args []byte, dims *[6]uint32, shared uint32, m *manner, name *byte, f *failure) int {
	r, _, _ := purego.SyscallN(rt.launch, uintptr(unsafe.Pointer(e)), uintptr(unsafe.Pointer(unsafe.SliceData(args))),
		uintptr(unsafe.Pointer(dims)), uintptr(shared), uintptr(unsafe.Pointer(m)), uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(f)))
	return int(int32(r))
}

func (f *failure) text() string {
	text, _, _ := bytes.Cut(f.message[:], []byte{0})
	return string(text)
}

// A module is a loaded image.
type module struct {
	handle  uintptr
	fd      int // of the memory file that the loader read; see loadModule
	lowered map[string]string
	shared  staticShared
	checked *checkedModule  // nil unless the module is for check mode
	array   *arrays.Program // instead of a library: a kernel of package nd
	// variables are the variables at namespace scope, by symbol.
	variables map[string]variable
	constants []variable // the sections with constants, such as the texts of literals
}

// loadModule loads an image through a memory file. Every load must have its own variables, but the
// loader returns the existing library if it is given the same file again. The descriptor stays
// open, so that no other load gets a path of the same name.
func loadModule(img backend.Image) (*module, error) {
	shared, err := readStaticShared(img.Data)
	if err != nil {
		return nil, wrap(codeInvalidImage, err, "reading the compiled program")
	}
	fd, err := unix.MemfdCreate("gopherwarp-module", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, wrap(codeOutOfMemory, err, "loading a module")
	}
	for data := img.Data; len(data) > 0; {
		n, err := unix.Write(fd, data)
		if err != nil {
			unix.Close(fd)
			return nil, wrap(codeOutOfMemory, err, "loading a module")
		}
		data = data[n:]
	}
	mode := purego.RTLD_NOW | purego.RTLD_LOCAL
	checked := isChecked(img.Data)
	if checked {
		mode |= rtldDeepBind
	}
	handle, err := purego.Dlopen(fmt.Sprintf("/proc/self/fd/%d", fd), mode)
	if err != nil {
		unix.Close(fd)
		return nil, wrap(codeInvalidImage, err, "loading a module")
	}
	m := &module{handle: handle, fd: fd, lowered: img.Lowered, shared: shared}
	if checked {
		if err := m.loadChecked(img.Data); err != nil {
			_ = m.unload() // the first error is returned
			return nil, err
		}
	}
	return m, nil
}

func (m *module) unload() error {
	if m.array != nil {
		return nil
	}
	if m.checked != nil && m.checked.program != nil {
		m.checked.program.Unload()
	}
	err := purego.Dlclose(m.handle)
	unix.Close(m.fd)
	if err != nil {
		return wrap(codeInvalidHandle, err, "unloading a module")
	}
	return nil
}

// kernel returns the entry point of the kernel with that name in the source.
func (m *module) kernel(name string) (*entry, error) {
	symbol, ok := m.lowered[name]
	if !ok {
		return nil, errorf(codeNotFound, "the module has no kernel %q", name)
	}
	if m.array != nil {
		return &arrayEntry, nil
	}
	addr, err := purego.Dlsym(m.handle, symbol)
	if err != nil {
		return nil, wrap(codeNotFound, err, "looking for kernel %q", name)
	}
	return (*entry)(pointer(uint64(addr))), nil
}

// pointer converts an address outside Go's memory to a pointer.
func pointer(addr uint64) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&addr))
}
