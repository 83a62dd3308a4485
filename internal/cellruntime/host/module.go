package host

import "github.com/gopherwarp/gopherwarp/internal/gorelease"

// A Module is the runtime's description of the program or of one plugin. Values for the same module are equal.
// Package gorelease/inside implements it; this package is also linked into programs that cannot link that one.
type Module interface {
	// TypeArea returns the address range of type descriptors and their names. Offsets in descriptors
	// are relative to its beginning.
	TypeArea() (from, to uintptr)
	// Types returns the descriptors that reflection searches by string.
	Types() []*gorelease.Type
	// SortTypes sorts the list that reflection searches.
	SortTypes(compare func(a, b *gorelease.Type) int)
	// List returns the memory that SortTypes writes to, if it is part of the mapped file.
	List() (from, to uintptr)
	// FuncNames returns the names of the module's functions, each followed by a NUL.
	FuncNames() []byte
}
