package slim

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// The description of a type that has been loaded is only needed by the linker, which takes
// from it where a variable of that type holds pointers.
//
// Descriptions also refer to others by their distance within the plugin, where the dynamic
// linker cannot put the loaded one in their place: to the types of methods, which have no
// names, and from a type to the pointer to it. So only types with names and the pointers
// to those are emptied. Interfaces stay whole, for the linker looks for their methods.
//
// A description whose mask of pointers is made on demand stays whole, too: there the linker goes by the fields instead.
//
// From a whole description the linker also learns of the methods that an interface can call.
// So that it does not take them for unused, tables of such methods must hold on to them, in
// all archives: see KeepMethods.

// Where the parts of a type's description stand that the linker reads.
const (
	typeSize   = int(unsafe.Sizeof(gorelease.Type{}))
	typeFlags  = unsafe.Offsetof(gorelease.Type{}.TFlag)
	typeKind   = unsafe.Offsetof(gorelease.Type{}.Kind)
	typeGCData = unsafe.Offsetof(gorelease.Type{}.GCData)
	typeName   = unsafe.Offsetof(gorelease.Type{}.Str) // and the pointer to it
)

// isNamedType reports whether a symbol is that of a type with a name, or of the pointer to one.
func isNamedType(name string) bool {
	name, ok := strings.CutPrefix(name, "type:")
	return ok && !strings.ContainsAny(strings.TrimPrefix(name, "*"), "* []{}(),;\"") && strings.Contains(name, ".")
}

// emptyType leaves of a type's description its size and where it holds pointers.
func emptyType(sym []byte, s *symbol) {
	if len(s.data) < typeSize || s.data[typeFlags]&gorelease.TFlagGCMaskOnDemand != 0 || s.data[typeKind]&gorelease.KindMask == gorelease.KindInterface {
		return
	}
	data := make([]byte, typeSize)
	copy(data, s.data[:typeName])
	data[typeFlags] = 0
	data[typeKind] = gorelease.KindUnsafePointer // of other kinds the linker wants to know more
	s.data = data
	setSymbolSize(sym, typeSize)
	setSymbolFlags(sym, symbolFlags(sym)&^goobj.SymbolTypelink)

	var relocs []byte
	for i := 0; i < len(s.relocs); i += goobj.RelocSize {
		if r := s.relocs[i : i+goobj.RelocSize]; uintptr(order.Uint32(r)) == typeGCData {
			relocs = append(relocs, r...)
		}
	}
	s.relocs = relocs
}

// keepMethods makes a table of methods hold on to them.
func keepMethods(s *symbol) {
	for i := goobj.RelocWeakAt; i < len(s.relocs); i += goobj.RelocSize {
		s.relocs[i] &^= goobj.RelocWeak
	}
}

func keepAllMethods(object []byte) ([]byte, error) {
	o, err := parseObject(slices.Clone(object))
	if err != nil {
		return nil, err
	}
	for i := range o.count(goobj.BlockSymbols, goobj.BlockNonPackageRefs) {
		if isItab(o.symbol(i)) {
			keepMethods(&symbol{relocs: o.part(goobj.BlockRelocIndex, goobj.BlockRelocs, i, goobj.RelocSize)})
		}
	}
	return o.data, nil
}
