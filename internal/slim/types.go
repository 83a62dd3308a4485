package slim

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// The descriptor of a loaded type is only needed by the linker, which reads from it where a
// variable of that type has pointers.
//
// Descriptors also refer to others by offsets within the plugin, where the dynamic linker cannot
// replace them by the loaded ones: to the types of methods, which have no names, and from a type to
// the pointer to it. So only named types and the pointers to those are emptied. Interfaces stay
// complete, since the linker reads their methods.
//
// A descriptor whose pointer mask is made on demand stays complete, too: for it the linker uses the fields instead.
//
// From a complete descriptor the linker also learns which methods an interface can call. So that it
// does not remove these methods, tables of such methods must refer to them, in all archives: see
// KeepMethods.

// The offsets of the parts of a type descriptor that the linker reads.
const (
	typeSize   = int(unsafe.Sizeof(gorelease.Type{}))
	typeFlags  = unsafe.Offsetof(gorelease.Type{}.TFlag)
	typeKind   = unsafe.Offsetof(gorelease.Type{}.Kind)
	typeGCData = unsafe.Offsetof(gorelease.Type{}.GCData)
	typeName   = unsafe.Offsetof(gorelease.Type{}.Str) // and of the type of the pointer to it
)

// isNamedType reports whether a symbol is the descriptor of a named type, or of the pointer to one. Other symbols of types, such as import paths and
// comparisons, have a dot after the colon.
func isNamedType(name string) bool {
	name, ok := strings.CutPrefix(name, "type:")
	name, args, _ := strings.Cut(name, "[") // of an instance of a generic type
	if args != "" && !strings.HasSuffix(args, "]") {
		return false
	}
	return ok && !strings.HasPrefix(name, ".") && !strings.ContainsAny(strings.TrimPrefix(name, "*"), "* []{}(),;\"") && strings.Contains(name, ".")
}

// emptyType reduces a type's descriptor to its size and its pointer mask.
func emptyType(sym []byte, s *symbol) {
	if len(s.data) < typeSize || s.data[typeFlags]&gorelease.TFlagGCMaskOnDemand != 0 || s.data[typeKind]&gorelease.KindMask == gorelease.KindInterface {
		return
	}
	data := make([]byte, typeSize)
	copy(data, s.data[:typeName])
	data[typeFlags] = 0
	data[typeKind] = gorelease.KindUnsafePointer // for other kinds the linker reads more
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

// keepMethods makes a table of methods refer to them.
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
