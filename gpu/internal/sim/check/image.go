package check

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Image is what check mode needs of a compiled program.
type Image struct {
	lines *Lines
	size  uint64 // of the program in memory
	// shared are shared variables, by their offset in shared memory; globals are the module's.
	shared, globals []variable
	tlsAt           uint64 // the offset in shared memory of the address that gw_tls returns
	tlsSize         uint64
	tlsSymbol       uint64 // the address of the function, from the start of the module
	sites           []site // the counted instructions, and the offset of the counters
	counts          bool   // operations are counted
	countersAt      uint64
	meets           uint32     // 1 if there are operations of warps
	functions       []function // of a program whose lines are recorded
}

// collectiveSymbol is how the symbol of the runtime's function for operations of warps begins.
const collectiveSymbol = "_ZN5gwsim10collective"

type variable struct {
	name    string
	at      uint64
	size    uint64
	dynamic bool // the launch determines its size
	guard   bool // the compiler's own, for the initialisation of another variable
	shape   shape
}

// space returns the kind of memory of a shared variable.
func (v *variable) space() uint32 {
	if v.guard {
		return spaceIgnored
	}
	return spaceShared
}

// ReadImage reads a program of check mode. The first name is that of its source, the others are those of files of the user that
// it includes.
func ReadImage(image []byte, names ...string) (*Image, error) {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, fmt.Errorf("this is no compiled program: %w", err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("this compiled program has no symbols: %w", err)
	}
	m := &Image{}
	if slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return strings.HasPrefix(s.Name, collectiveSymbol) }) {
		m.meets = 1
	}
	for _, p := range f.Progs {
		switch p.Type {
		case elf.PT_LOAD:
			m.size = max(m.size, p.Vaddr+p.Memsz)
		case elf.PT_TLS:
			m.tlsSize = p.Memsz
		}
	}
	for _, s := range symbols {
		v := variable{name: plainName(s.Name), at: s.Value, size: s.Size}
		switch {
		case s.Section == elf.SHN_UNDEF:
		case s.Name == operationCounters:
			m.countersAt = s.Value
		case s.Name == SymbolTLS:
			m.tlsSymbol = s.Value
		case elf.ST_TYPE(s.Info) == elf.STT_TLS && strings.HasSuffix(s.Name, "touchedE"):
			m.tlsAt = s.Value
		case elf.ST_TYPE(s.Info) == elf.STT_TLS:
			// Dynamic shared memory is defined in assembly, without sizes.
			v.dynamic = s.Size == 0
			v.guard = strings.HasPrefix(s.Name, "_ZGV") || s.Name == "__tls_guard"
			if v.dynamic && slices.ContainsFunc(m.shared, func(o variable) bool { return o.dynamic && o.at == v.at }) {
				continue
			}
			m.shared = append(m.shared, v)
		case elf.ST_TYPE(s.Info) == elf.STT_OBJECT && s.Size > 0 && int(s.Section) < len(f.Sections) && f.Sections[s.Section].Flags&elf.SHF_WRITE != 0:
			if !strings.HasPrefix(s.Name, "gw_") && !strings.HasPrefix(s.Name, "_DYNAMIC") && !strings.HasPrefix(s.Name, "_GLOBAL_OFFSET") {
				m.globals = append(m.globals, v)
			}
		}
	}
	for _, list := range [][]variable{m.shared, m.globals} {
		slices.SortFunc(list, func(a, b variable) int { return cmp.Compare(a.at, b.at) })
	}
	d, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("read debug information: %w", err)
	}
	if m.lines, err = ReadLines(d, names); err != nil {
		return nil, err
	}
	m.functions, err = readFunctions(d, symbols)
	return m, errors.Join(err, m.readSites(f), m.readShapes(d))
}

// plainName returns the variable's own name in a symbol: for _ZZ1kPfiE4tile and _ZN3lib5tableE it
// returns tile and table.
func plainName(symbol string) string {
	rest, mangled := strings.CutPrefix(symbol, "_Z")
	if !mangled {
		return symbol
	}
	if strings.HasPrefix(rest, "Z") { // a variable of a function: its name follows the last E
		if i := strings.LastIndexByte(rest, 'E'); i >= 0 {
			if name, ok := sourceName(rest[i+1:]); ok {
				return name
			}
		}
	}
	rest = strings.TrimLeft(rest, "NLZK")
	last := symbol
	for {
		name, ok := sourceName(rest)
		if !ok {
			return last
		}
		last = name
		rest = strings.TrimPrefix(rest[strings.Index(rest, name)+len(name):], "L")
	}
}

// sourceName returns a name that is preceded by its length.
func sourceName(text string) (string, bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.Atoi(text[:digits])
	if err != nil || n <= 0 || digits+n > len(text) {
		return "", false
	}
	return text[digits : digits+n], true
}
