package inside

import "unsafe"

// lastmoduledatap is declared without its type: otherwise debuggers would take moduledata here for the runtime's, and
// not know the types in interfaces.
//
//go:linkname lastmoduledatap runtime.lastmoduledatap
var lastmoduledatap unsafe.Pointer

// A Module is the runtime's description of the program or of one plugin.
type Module struct{ data *moduledata }

// LastModule returns the module that was mapped last.
func LastModule() Module { return Module{(*moduledata)(lastmoduledatap)} }

// TypeArea returns where the descriptions of types and their names lie. Offsets in descriptions count
// from its beginning.
func (m Module) TypeArea() (from, to uintptr) { return m.data.types, m.data.etypes }

// FuncNames returns the names of the module's functions, each with a NUL after it.
func (m Module) FuncNames() []byte { return m.data.funcnametab }
