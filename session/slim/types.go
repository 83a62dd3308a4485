package slim

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
)

// The description of a type that has been loaded is only needed by the linker, which takes
// from it where a variable of that type holds pointers.
//
// Descriptions also refer to others by their distance within the plugin, where the dynamic
// linker cannot put the loaded one in their place: to the types of methods, which have no
// names, and from a type to the pointer to it. So only types with names and the pointers
// to those are emptied. Interfaces stay whole, for the linker looks for their methods.
//
// From a whole description the linker also learns of the methods that an interface can call.
// So that it does not take them for unused, tables of such methods must hold on to them, in
// all archives: see KeepMethods.

// The beginning of a type's description, as internal/abi declares it.
const (
	typeSize   = 48 // what all kinds have
	typeFlags  = 20
	typeKind   = 23
	typeGCData = 32 // points at a bit for each word that may hold a pointer
	typeName   = 40 // and the pointer to it

	gcDataOnDemand = 1 << 4 // of the flags: the linker goes by the fields instead

	kindMask          = 1<<5 - 1
	kindInterface     = 20
	kindUnsafePointer = 26
)

// isNamedType says whether a symbol is that of a type with a name, or of the pointer to one.
func isNamedType(name string) bool {
	name, ok := strings.CutPrefix(name, "type:")
	return ok && !strings.ContainsAny(strings.TrimPrefix(name, "*"), "* []{}(),;\"") && strings.Contains(name, ".")
}

// exportedType is the name by which the dynamic linker knows a type's description: the
// linker shortens it, by typeSymbolMangle in cmd/link/internal/ld.
func exportedType(name string) string {
	const shortest = 14
	if len(name) <= shortest && !strings.Contains(name, "@") || strings.HasPrefix(name, "type:runtime.") {
		return name
	}
	sum := sha256.Sum256([]byte(strings.TrimPrefix(name, "type:")))
	sum[0] ^= 0xff // as cmd/internal/hash does
	return "type:" + base64.StdEncoding.EncodeToString(sum[:6])
}

// emptyType leaves of a type's description its size and where it holds pointers.
func emptyType(sym []byte, s *symbol) {
	if len(s.data) < typeSize || s.data[typeFlags]&gcDataOnDemand != 0 || s.data[typeKind]&kindMask == kindInterface {
		return
	}
	data := make([]byte, typeSize)
	copy(data, s.data[:typeName])
	data[typeFlags] = 0
	data[typeKind] = kindUnsafePointer // of other kinds the linker wants to know more
	s.data = data
	setSymbolSize(sym, typeSize)
	setSymbolFlags(sym, symbolFlags(sym)&^flagTypelink)

	var relocs []byte
	for i := 0; i < len(s.relocs); i += relocSize {
		if r := s.relocs[i : i+relocSize]; order.Uint32(r) == typeGCData {
			relocs = append(relocs, r...)
		}
	}
	s.relocs = relocs
}

// keepMethods makes a table of methods hold on to them.
func keepMethods(s *symbol) {
	for i := relocWeakAt; i < len(s.relocs); i += relocSize {
		s.relocs[i] &^= relocWeak
	}
}

func keepAllMethods(object []byte) ([]byte, error) {
	o, err := parseObject(slices.Clone(object))
	if err != nil {
		return nil, err
	}
	for i := range o.count(blockSymbols, blockNonPackageRefs) {
		if isItab(o.symbol(i)) {
			keepMethods(&symbol{relocs: o.part(blockRelocIndex, blockRelocs, i, relocSize)})
		}
	}
	return o.data, nil
}
