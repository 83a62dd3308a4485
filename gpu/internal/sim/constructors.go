package sim

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// constructors are where a library has the addresses of the functions that construct its global objects.
type constructors struct {
	addr, size uint64 // in the library, in bytes
}

// withoutConstructors returns a library whose constructors the loader does not call, and where they are. The constructors of a program may call
// the CUDA runtime, which can answer only when the library has been loaded. Both processors have 64 bits and are little-endian.
func withoutConstructors(library []byte) ([]byte, constructors, error) {
	f, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return nil, constructors{}, err
	}
	dynamic := f.SectionByType(elf.SHT_DYNAMIC)
	if dynamic == nil {
		return nil, constructors{}, fmt.Errorf("the library has no dynamic section")
	}
	var c constructors
	library = bytes.Clone(library)
	const entry = 16 // bytes: a tag and its value
	for at := dynamic.Offset; at+entry <= dynamic.Offset+dynamic.Size; at += entry {
		value := library[at+entry/2 : at+entry]
		switch elf.DynTag(binary.LittleEndian.Uint64(library[at:])) {
		case elf.DT_INIT_ARRAY:
			c.addr = binary.LittleEndian.Uint64(value)
		case elf.DT_INIT_ARRAYSZ:
			c.size = binary.LittleEndian.Uint64(value)
			clear(value)
		}
	}
	return library, c, nil
}

// baseOf returns the address that a library was loaded at, from that of one of its functions.
func baseOf(library []byte, function string, addr uint64) (uint64, error) {
	f, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return 0, err
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return 0, err
	}
	for _, s := range symbols {
		if s.Name == function {
			return addr - s.Value, nil
		}
	}
	return 0, fmt.Errorf("the library has no function %s", function)
}
