package sim

import (
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"strings"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
)

// faultLine returns the place in the source of the instruction at an offset of the module's library, as the end of a message, with how to
// learn more. Without line numbers, as in headers, it only says the latter.
func (m *module) faultLine(at uint64) string {
	if at == 0 {
		return ""
	}
	const remedy = " (%%cuda --check, or check.Run, shows the index and the buffer)"
	if name, line, ok := m.lineAt(at); ok {
		return fmt.Sprintf(", at %s:%d%s", name, line, remedy)
	}
	return remedy
}

// lineAt returns the file and line of an instruction of the module's library, from its debugging information.
func (m *module) lineAt(at uint64) (name string, line int, ok bool) {
	fd, err := unix.Dup(m.fd)
	if err != nil {
		return "", 0, false
	}
	file := os.NewFile(uintptr(fd), "kernels")
	defer file.Close()
	object, err := elf.NewFile(file)
	if err != nil {
		return "", 0, false
	}
	info, err := object.DWARF()
	if err != nil {
		return "", 0, false
	}
	if names, err := purego.Dlsym(m.handle, checkmode.SymbolFiles); err == nil {
		return includedLine(info, strings.Split(unix.BytePtrToString((*byte)(pointer(uint64(names)))), "\n"), at)
	}
	for units := info.Reader(); ; units.SkipChildren() {
		unit, err := units.Next()
		if err != nil || unit == nil {
			return "", 0, false
		}
		if name, line, ok := lineIn(info, unit, at); ok {
			return name, line, true
		}
	}
}

// includedLine returns the file and line of an instruction of a program with these files of the user, of which the first is the program itself.
func includedLine(info *dwarf.Data, names []string, at uint64) (name string, line int, ok bool) {
	lines, err := checkmode.ReadLines(info, names)
	if err != nil {
		return "", 0, false
	}
	place := lines.At(at + 1) // it takes the address behind an instruction, as a return address is
	if place.File == "" {
		place.File = names[0]
	}
	return place.File, place.Line, place.Line > 0
}

// lineIn returns the file and line of an instruction, if it belongs to that unit and not to a header.
func lineIn(info *dwarf.Data, unit *dwarf.Entry, at uint64) (name string, line int, ok bool) {
	lines, err := info.LineReader(unit)
	if err != nil || lines == nil {
		return "", 0, false
	}
	var entry dwarf.LineEntry
	if err := lines.SeekPC(at, &entry); err != nil || entry.File == nil || entry.Line == 0 {
		return "", 0, false
	}
	// The program's own name is relative to the directory in which it was compiled.
	dir, _ := unit.Val(dwarf.AttrCompDir).(string)
	name, ok = strings.CutPrefix(entry.File.Name, dir+"/")
	return name, entry.Line, ok
}
