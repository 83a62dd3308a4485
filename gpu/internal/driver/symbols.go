package driver

import (
	"bytes"
	"debug/elf"
	"regexp"
	"strconv"
	"strings"
)

// entryLine is how PTX begins a kernel.
var entryLine = regexp.MustCompile(`(?m)^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+([\w$]+)`)

// entries are the symbols of an image's kernels: of PTX and of a cubin. What a fatbin holds is
// compressed, so it has none here.
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

// isPTX tells the text of PTX from binary forms, some of which have such text in them.
func isPTX(image []byte) bool {
	return bytes.Contains(image, []byte(".target sm_")) && bytes.IndexByte(bytes.TrimRight(image, "\x00"), 0) < 0
}

// mayPrint reports whether a kernel of the image may call printf. In PTX and cubins its name stands
// as it is; of others one cannot know.
func mayPrint(image []byte) bool {
	known := bytes.HasPrefix(image, []byte(elf.ELFMAG)) || bytes.Contains(image, []byte(".target sm_"))
	return !known || bytes.Contains(image, []byte("vprintf"))
}

// cubinEntries reads them from the names of sections: each kernel's code has its own.
func cubinEntries(image []byte) []string {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil // the driver says what is wrong with it
	}
	var list []string
	for _, s := range f.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".text."); ok {
			list = append(list, name)
		}
	}
	return list
}

// findEntry finds the symbol of a kernel of that source name: the name itself, as for
// extern "C" kernels, or the one mangled symbol that begins with it.
func findEntry(entries []string, name string) string {
	prefix := mangle(name)
	found := name
	for _, e := range entries {
		if e == name {
			return name
		}
		if strings.HasPrefix(e, prefix) {
			if found != name {
				return name // overloaded: which one is meant is not known
			}
			found = e
		}
	}
	return found
}

// mangle is how the symbol of a function of that name begins.
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

// variableSymbols are the symbols that a variable of that source name may have.
func variableSymbols(name string) []string {
	name = strings.TrimPrefix(name, "::")
	if strings.Contains(name, "::") {
		return []string{mangle(name)}
	}
	return []string{name, "_ZL" + strconv.Itoa(len(name)) + name}
}
