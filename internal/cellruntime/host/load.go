package host

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>

static char *gw_open(const char *path) {
	return dlopen(path, RTLD_NOW | RTLD_GLOBAL) ? NULL : dlerror();
}
*/
import "C"

import (
	"fmt"
	"plugin"
	"strings"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
)

// loadBundle loads a plugin without a cell, unless there is none or it is loaded.
func (h *host) loadBundle(path string) error {
	if path == h.bundle || path == "" {
		return nil
	}
	h.bundle = path
	return h.load(path)
}

// load loads the plugin at path and runs its init functions.
//
// It maps the file before package plugin does, because the names in the type metadata must be
// restored after mapping and before the runtime compares the plugin's types with those that are
// loaded: see restoreNames.
func (h *host) load(path string) error {
	before := h.lastModule()
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	if msg := C.gw_open(cpath); msg != nil {
		// The file is the session's, so its path is of no use.
		text := strings.TrimPrefix(C.GoString(msg), path+": ")
		name, undefined := strings.CutPrefix(text, "undefined symbol: ")
		switch {
		case undefined && strings.Contains(name, "."): // names of Go have one; linkers for arm64 leave undefined symbols to the loader
			return fmt.Errorf("link the cell: there is no function %s: write its body, or correct the name after //go:linkname", funcname.Written(name))
		case undefined:
			return fmt.Errorf("load the compiled cell: there is no C function or variable %s: define it, or name its library by #cgo LDFLAGS", name)
		}
		return fmt.Errorf("load the compiled cell: %s", text)
	}
	if m := h.lastModule(); m != before {
		if err := restoreNames(m); err != nil {
			return fmt.Errorf("restore names in the compiled cell: %w", err)
		}
	}
	if _, err := plugin.Open(path); err != nil {
		return fmt.Errorf("start the compiled cell: %w", err)
	}
	return nil
}
