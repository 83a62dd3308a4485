package inside

import "unsafe"

// lastmoduledatap is declared without its type: otherwise debuggers would use the moduledata of this package for the runtime's,
// and not find the types in interfaces.
//
//go:linkname lastmoduledatap runtime.lastmoduledatap
var lastmoduledatap unsafe.Pointer

// A Module is the runtime's description of the program or of one plugin.
type Module struct{ data *moduledata }

// LastModule returns the module that was mapped last.
func LastModule() Module { return Module{(*moduledata)(lastmoduledatap)} }

// TypeArea returns the address range of type descriptors and their names. Offsets in descriptors are
// relative to its beginning.
func (m Module) TypeArea() (from, to uintptr) { return m.data.types, m.data.etypes }

// FuncNames returns the names of the module's functions, each followed by a NUL.
func (m Module) FuncNames() []byte { return m.data.funcnametab }
