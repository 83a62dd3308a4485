package host

import "github.com/gopherwarp/gopherwarp/internal/gorelease"

// A Module is the runtime's description of the program or of one plugin. Values are equal if they are of the same one.
// Package gorelease/inside has it; this package is part of programs, too, that can't be linked with that.
type Module interface {
	// TypeArea returns where the descriptions of types and their names lie. Offsets in descriptions
	// count from its beginning.
	TypeArea() (from, to uintptr)
	// Types returns the descriptions that reflection looks for by their text.
	Types() []*gorelease.Type
	// SortTypes puts the list that reflection searches into order.
	SortTypes(compare func(a, b *gorelease.Type) int)
	// List returns the memory that SortTypes writes to, if it is part of the mapped file.
	List() (from, to uintptr)
	// FuncNames returns the names of the module's functions, each with a NUL after it.
	FuncNames() []byte
}
