//go:build go1.27 && !go1.28

package inside

import (
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// moduledata has the first fields of that of runtime/symtab.go.
type moduledata struct {
	pcHeader     unsafe.Pointer
	funcnametab  []byte
	cutab        []uint32
	filetab      []byte
	pctab        []byte
	pclntable    []byte
	ftab         []struct{ entryoff, funcoff uint32 }
	findfunctab  uintptr
	minpc, maxpc uintptr

	text, etext                uintptr
	noptrdata, enoptrdata      uintptr
	data, edata                uintptr
	bss, ebss                  uintptr
	noptrbss, enoptrbss        uintptr
	covctrs, ecovctrs          uintptr
	end, gcdata, gcbss         uintptr
	types, typedesclen, etypes uintptr
}

// moduleTypelinks makes the list of types at its first call for a module, and caches it
// (runtime/type.go). The runtime does not call it before the module's plugin is opened.
//
//go:linkname moduleTypelinks runtime.moduleTypelinks
func moduleTypelinks(m *moduledata) []*gorelease.Type

// Types returns the descriptors that reflection searches by string.
func (m Module) Types() []*gorelease.Type { return moduleTypelinks(m.data) }

// SortTypes sorts the list that reflection searches.
func (m Module) SortTypes(compare func(a, b *gorelease.Type) int) {
	slices.SortFunc(moduleTypelinks(m.data), compare)
}

// List returns an empty range: the list that SortTypes sorts is in memory of the runtime, not in the
// mapped file.
func (m Module) List() (from, to uintptr) { return 0, 0 }
