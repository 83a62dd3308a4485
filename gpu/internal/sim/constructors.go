package sim

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
)

// constructors are where a library has the addresses of the functions that construct its global objects.
type constructors struct {
	offset uint64 // from a function of the library, modulo 2^64
	size   uint64 // in bytes
}

// withoutConstructors returns a library whose constructors the loader does not call, and where they are, seen from a function. The constructors of
// a program may call the CUDA runtime, which can answer only when the library has been loaded. Both processors have 64 bits and are little-endian.
func withoutConstructors(library []byte, function string) ([]byte, constructors, error) {
	f, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return nil, constructors{}, err
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil, constructors{}, err
	}
	at := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == function })
	dynamic := f.SectionByType(elf.SHT_DYNAMIC)
	if at < 0 || dynamic == nil {
		return nil, constructors{}, fmt.Errorf("the library has no function %s", function)
	}
	var c constructors
	library = bytes.Clone(library)
	const entry = 16 // bytes: a tag and its value
	for i := dynamic.Offset; i+entry <= dynamic.Offset+dynamic.Size; i += entry {
		value := library[i+entry/2 : i+entry]
		switch elf.DynTag(binary.LittleEndian.Uint64(library[i:])) {
		case elf.DT_INIT_ARRAY:
			c.offset = binary.LittleEndian.Uint64(value) - symbols[at].Value
		case elf.DT_INIT_ARRAYSZ:
			c.size = binary.LittleEndian.Uint64(value)
			clear(value)
		}
	}
	return library, c, nil
}
