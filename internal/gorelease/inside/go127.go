//go:build go1.27 && !go1.28

package inside

import (
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// moduledata begins as that of runtime/symtab.go.
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

// moduleTypelinks makes the list of types when it is first asked for a module, and keeps it
// (runtime/type.go). Nobody asks before the module's plugin is opened.
//
//go:linkname moduleTypelinks runtime.moduleTypelinks
func moduleTypelinks(m *moduledata) []*gorelease.Type

// Types returns the descriptions that reflection looks for by their text.
func (m Module) Types() []*gorelease.Type { return moduleTypelinks(m.data) }

// SortTypes puts the list that reflection searches into order.
func (m Module) SortTypes(compare func(a, b *gorelease.Type) int) {
	slices.SortFunc(moduleTypelinks(m.data), compare)
}

// List returns the memory that SortTypes writes to, if it is part of the mapped file: the list is
// in memory of the runtime.
func (m Module) List() (from, to uintptr) { return 0, 0 }
