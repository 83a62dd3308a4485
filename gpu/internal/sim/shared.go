package sim

import (
	"bytes"
	"debug/elf"
	"fmt"
	"strconv"
	"strings"
)

// staticShared is the shared memory used by the variables of a module, in bytes.
type staticShared struct {
	// local are the sizes of variables inside functions, by the mangled name of the function and
	// the variable.
	local map[string]int
	// global is the size of all variables outside functions, which every kernel has.
	global int
}

// readStaticShared returns the sizes of the shared variables of an image, which are its thread-local variables.
func readStaticShared(image []byte) (staticShared, error) {
	s := staticShared{local: map[string]int{}}
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return s, fmt.Errorf("this is no compiled program: %w", err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return s, fmt.Errorf("this compiled program has no symbols: %w", err)
	}
	for _, sym := range symbols {
		switch {
		case elf.ST_TYPE(sym.Info) != elf.STT_TLS || sym.Section == elf.SHN_UNDEF || strings.Contains(sym.Name, "gwsim") || strings.Contains(sym.Name, "gwrt"):
		case strings.HasPrefix(sym.Name, "_ZGV") || sym.Name == "__tls_guard": // the compiler's, of variables with constructors
		case strings.HasPrefix(sym.Name, "_ZZ"):
			s.local[sym.Name] = int(sym.Size)
		default:
			s.global += int(sym.Size)
		}
	}
	return s, nil
}

// bytes returns the size of a kernel's static shared memory: its own variables, and those of device
// functions, which are counted for every kernel because their callers are not known.
func (s staticShared) bytes(kernel string, kernels []string) int {
	total := s.global
	for symbol, size := range s.local {
		owner := ""
		for _, k := range kernels {
			if strings.Contains(symbol, mangled(k)) {
				owner = k
			}
		}
		if owner == "" || owner == kernel || mangled(owner) == mangled(kernel) {
			total += size
		}
	}
	return total
}

// mangled returns the last part of a kernel's name as it is written in symbols.
func mangled(kernel string) string {
	name, _, _ := strings.Cut(kernel, "<")
	name = strings.TrimSpace(name[strings.LastIndex(name, ":")+1:])
	return strconv.Itoa(len(name)) + name
}
