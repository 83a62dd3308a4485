//go:build go1.26 && !go1.27

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

	text, etext           uintptr
	noptrdata, enoptrdata uintptr
	data, edata           uintptr
	bss, ebss             uintptr
	noptrbss, enoptrbss   uintptr
	covctrs, ecovctrs     uintptr
	end, gcdata, gcbss    uintptr
	types, etypes         uintptr
	rodata                uintptr
	gofunc                uintptr
	epclntab              uintptr

	textsectmap []struct{ vaddr, end, baseaddr uintptr }
	typelinks   []int32
}

// Types returns the descriptors that reflection searches by string.
func (m Module) Types() []*gorelease.Type {
	all := make([]*gorelease.Type, len(m.data.typelinks))
	for i, off := range m.data.typelinks {
		all[i] = m.at(off)
	}
	return all
}

// SortTypes sorts the list that reflection searches. The memory of the list must be made writable first: see
// [Module.List].
func (m Module) SortTypes(compare func(a, b *gorelease.Type) int) {
	slices.SortFunc(m.data.typelinks, func(a, b int32) int { return compare(m.at(a), m.at(b)) })
}

// List returns the memory that SortTypes writes to, if it is part of the mapped file.
func (m Module) List() (from, to uintptr) {
	from = uintptr(unsafe.Pointer(unsafe.SliceData(m.data.typelinks)))
	return from, from + uintptr(len(m.data.typelinks))*unsafe.Sizeof(int32(0))
}

// at returns the descriptor at an offset.
func (m Module) at(off int32) *gorelease.Type {
	return (*gorelease.Type)(unsafe.Add(unsafe.Pointer(nil), m.data.types+uintptr(off)))
}
