package host

import (
	"errors"
	"unsafe"
)

// A module is the runtime's description of the program or of one plugin
// (runtime.moduledata). Only where its types lie is of interest here.
type module struct{ p unsafe.Pointer }

//go:linkname lastmoduledatap runtime.lastmoduledatap
var lastmoduledatap unsafe.Pointer

// first is the program's own moduledata, in words, and what lies behind it. The runtime has a variable
// for it. If it were declared here, with another type, debuggers would take that for its
// type, and not know the types in interfaces. But before any plugin is loaded it is the last module.
var first = (*[128]uintptr)(lastmoduledatap)

//go:linkname reflectTypelinks reflect.typelinks
func reflectTypelinks() (sections []unsafe.Pointer, offsets [][]int32)

// lastModule is the module that was mapped last.
func lastModule() module { return module{lastmoduledatap} }

// layout is where a moduledata keeps the bounds of its types and the list of them, in
// words. It is found by looking for known values in the program's own moduledata, so that
// it need not be copied from each release of Go.
type layout struct{ types, etypes, typelinks int }

func findLayout() (layout, error) {
	sections, offsets := reflectTypelinks()
	types := uintptr(sections[0])
	links := uintptr(unsafe.Pointer(unsafe.SliceData(offsets[0])))
	l := layout{-1, -1, -1}
	for i := 0; i+2 < len(first); i++ {
		switch {
		case l.types < 0 && first[i] == types && first[i+1] > types:
			l.types, l.etypes = i, i+1
		case l.typelinks < 0 && first[i] == links && first[i+1] == uintptr(len(offsets[0])):
			l.typelinks = i
		}
	}
	if l.types < 0 || l.typelinks < 0 {
		return l, errors.New("this release of Go keeps its type list in an unknown place")
	}
	return l, nil
}

// word reads a word of the moduledata.
func (m module) word(i int) uintptr {
	return *(*uintptr)(unsafe.Add(m.p, i*int(unsafe.Sizeof(uintptr(0)))))
}
