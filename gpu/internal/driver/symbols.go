package driver

import (
	"bytes"
	"debug/elf"
	"regexp"
	"strconv"
	"strings"
)

// entryLine is the line of PTX with which a kernel begins.
var entryLine = regexp.MustCompile(`(?m)^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+([\w$]+)`)

// entries returns the symbols of an image's kernels, if it is PTX or a cubin. The contents of a fatbin are compressed, so it
// returns none.
func entries(image []byte) []string {
	if bytes.HasPrefix(image, []byte(elf.ELFMAG)) {
		return cubinEntries(image)
	}
	var list []string
	for _, m := range entryLine.FindAllSubmatch(image, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

// isPTX reports whether an image is PTX. Some binary formats contain PTX, too.
func isPTX(image []byte) bool {
	return bytes.Contains(image, []byte(".target sm_")) && bytes.IndexByte(bytes.TrimRight(image, "\x00"), 0) < 0
}

// mayPrint reports whether a kernel of the image may call printf. In PTX and cubins its name is readable; for other images it
// returns true.
func mayPrint(image []byte) bool {
	known := bytes.HasPrefix(image, []byte(elf.ELFMAG)) || bytes.Contains(image, []byte(".target sm_"))
	return !known || bytes.Contains(image, []byte("vprintf"))
}

// cubinEntries reads the symbols from the names of sections: each kernel has a section for its code.
func cubinEntries(image []byte) []string {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil // the driver returns an error for it
	}
	var list []string
	for _, s := range f.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".text."); ok {
			list = append(list, name)
		}
	}
	return list
}

// findEntry returns the symbol of the kernel with that source name: the name itself, as for extern "C" kernels, or the only
// mangled symbol that begins with it.
func findEntry(entries []string, name string) string {
	prefix := mangle(name)
	found := name
	for _, e := range entries {
		if e == name {
			return name
		}
		if strings.HasPrefix(e, prefix) {
			if found != name {
				return name // overloaded, so it is ambiguous
			}
			found = e
		}
	}
	return found
}

// mangle returns the beginning of the symbol of a function with that name.
func mangle(name string) string {
	parts := strings.Split(strings.TrimPrefix(name, "::"), "::")
	s := "_Z"
	if len(parts) > 1 {
		s += "N"
	}
	for _, p := range parts {
		s += strconv.Itoa(len(p)) + p
	}
	if len(parts) > 1 {
		s += "E"
	}
	return s
}

// variableSymbols returns the possible symbols of a variable with that source name.
func variableSymbols(name string) []string {
	name = strings.TrimPrefix(name, "::")
	if strings.Contains(name, "::") {
		return []string{mangle(name)}
	}
	return []string{name, "_ZL" + strconv.Itoa(len(name)) + name}
}
