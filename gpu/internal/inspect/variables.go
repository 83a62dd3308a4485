package inspect

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Variable is a variable of a compiled program at namespace scope, in memory that kernels can write.
type Variable struct {
	Symbol  string
	Initial []byte // its first bytes after loading; what follows is zero
}

// Variables returns the variables of a cubin, or of a program for the simulator, that kernels can write, and whether kernels allocate
// memory on the device's heap. Other images are refused unless they certainly have neither.
func Variables(image []byte) (list []Variable, heap bool, err error) {
	if !bytes.HasPrefix(image, []byte(elf.ELFMAG)) {
		if isText := bytes.IndexByte(bytes.TrimRight(image, "\x00"), 0) < 0; !isText || bytes.Contains(image, []byte(".global")) {
			return nil, false, errors.New("it is unknown which variables a program has that is no cubin")
		}
		return nil, bytes.Contains(image, []byte("malloc")), nil // PTX
	}
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, false, fmt.Errorf("reading a compiled program: %w", err)
	}
	symbols, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, false, fmt.Errorf("reading the symbols of a compiled program: %w", err)
	}
	for _, s := range symbols {
		name, _, _ := strings.Cut(s.Name, "@") // without a version
		heap = heap || s.Section == elf.SHN_UNDEF && slices.Contains(heapFunctions, name)
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || int(s.Section) >= len(f.Sections) || s.Size == 0 || isCompilers(s.Name) {
			continue
		}
		section := f.Sections[s.Section]
		if !canBeWritten(f, section) {
			continue
		}
		v := Variable{Symbol: s.Name}
		if section.Type != elf.SHT_NOBITS {
			v.Initial = make([]byte, s.Size)
			offset := s.Value
			if f.Type != elf.ET_REL {
				offset -= section.Addr
			}
			if _, err := section.ReadAt(v.Initial, int64(offset)); err != nil {
				return nil, false, fmt.Errorf("reading the initial value of %s: %w", s.Name, err)
			}
		}
		list = append(list, v)
	}
	return list, heap, nil
}

// heapFunctions are the symbols by which kernels, or those that run as host code, allocate memory.
var heapFunctions = []string{"malloc", "_Znwm", "_Znam"}

// isCompilers reports whether a symbol is of the compiler's own constants: formats of printf, and tables of mathematical functions.
func isCompilers(symbol string) bool {
	return strings.HasPrefix(symbol, "$") || strings.HasPrefix(symbol, "__cudart")
}

// canBeWritten reports whether kernels can write the variables of a section. On the simulator that excludes what is read-only after
// relocation.
func canBeWritten(f *elf.File, s *elf.Section) bool {
	if f.Machine == elf.EM_CUDA {
		return s.Name == ".nv.global" || s.Name == ".nv.global.init"
	}
	return s.Name == ".data" || s.Name == ".bss"
}
