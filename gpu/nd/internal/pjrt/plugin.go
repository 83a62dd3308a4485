package pjrt

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Plugin is a loaded library. It remains loaded, since libraries of CUDA cannot be unloaded.
type Plugin struct {
	path string
	api  *api
	// waitStream makes a stream of CUDA wait for a buffer; 0 if the plugin cannot.
	waitStream uintptr
	// nothing is a function of C without an effect.
	nothing uintptr
}

// loaded has the plugins of this process, which has each once.
var loaded struct {
	sync.Mutex
	plugins map[string]*Plugin
}

// Load loads the library at an absolute path.
func Load(path string) (*Plugin, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if p := loaded.plugins[path]; p != nil {
		return p, nil
	}
	p, err := load(path)
	if err != nil {
		return nil, err
	}
	if loaded.plugins == nil {
		loaded.plugins = map[string]*Plugin{}
	}
	loaded.plugins[path] = p
	return p, nil
}

func load(path string) (*Plugin, error) {
	library, err := purego.Dlopen(path, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	symbol, err := purego.Dlsym(library, "GetPjrtApi")
	if err != nil {
		return nil, fmt.Errorf("it is no plugin of XLA: %w", err)
	}
	var get func() *api
	purego.RegisterFunc(&get, symbol)
	// A callback of Go's would take longer, for threads of the plugin.
	nothing, err := purego.Dlsym(purego.RTLD_DEFAULT, "getpagesize")
	if err != nil {
		return nil, err
	}
	p := &Plugin{path: path, api: get(), nothing: nothing}
	if p.api == nil {
		return nil, errors.New("it offers no interface")
	}
	if p.api.size < unsafe.Sizeof(*p.api) {
		return nil, fmt.Errorf("its interface has version %d.%d, which is too old: install a newer one", p.api.version.major, p.api.version.minor)
	}
	for e := p.api.extension; e != nil; e = e.next {
		if e.kind == extensionStream && e.size >= unsafe.Sizeof(*e) {
			p.waitStream = e.waitStream
		}
	}
	return p, call(p, pluginInitialize, &header{})
}

// String returns the path and the version of the interface.
func (p *Plugin) String() string {
	return fmt.Sprintf("%s (PJRT %d.%d)", p.path, p.api.version.major, p.api.version.minor)
}

// arguments are the arguments of a function, which begin with a header.
type arguments[T any] interface {
	*T
	head() *header
}

// call calls a function of the plugin.
func call[T any, A arguments[T]](p *Plugin, f function, args A) error {
	args.head().size = unsafe.Sizeof(*(*T)(args))
	return p.invoke(p.api.functions[f], unsafe.Pointer(args))
}

// invoke calls a function that returns a PJRT_Error.
func (p *Plugin) invoke(function uintptr, args unsafe.Pointer) error {
	failed, _, _ := purego.SyscallN(function, uintptr(args))
	runtime.KeepAlive(args)
	if failed == 0 {
		return nil
	}
	e := &errorArgs{header: header{size: unsafe.Sizeof(errorArgs{})}, err: failed}
	_, _, _ = purego.SyscallN(p.api.functions[errorMessage], uintptr(unsafe.Pointer(e)))
	err := errors.New(text(e.message, e.messageSize))
	gone := &objectArgs{header: header{size: unsafe.Sizeof(objectArgs{})}, object: failed}
	_, _, _ = purego.SyscallN(p.api.functions[errorDestroy], uintptr(unsafe.Pointer(gone)))
	return err
}

// destroy gives an object of the plugin back.
func (p *Plugin) destroy(f function, object *uintptr) error {
	if *object == 0 {
		return nil
	}
	args := &objectArgs{object: *object}
	*object = 0
	return call(p, f, args)
}

// await waits for an event and gives it back.
func (p *Plugin) await(event uintptr) error {
	if event == 0 {
		return nil
	}
	return errors.Join(call(p, eventAwait, &objectArgs{object: event}), p.destroy(eventDestroy, &event))
}

// text returns a copy of characters of the plugin.
func text(s *byte, n uintptr) string {
	return string(unsafe.Slice(s, int(n)))
}
