package host

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unsafe"
)

// cellPrefix begins the import path of each cell; a number follows.
const cellPrefix = "main/c"

var cellPackage = regexp.MustCompile(`\bmain/c\d+\.`)

// FuncName is a symbol as the user wrote it: the cell's package is main, and unexported
// names have no prefix.
func FuncName(symbol string) string {
	return strings.ReplaceAll(cellPackage.ReplaceAllString(symbol, "main."), prefix, "")
}

// funcTable is where a moduledata keeps the names of functions, in words, or 0 if that is
// not known. It is recognised by a name that each program has.
var funcTable = sync.OnceValue(func() int {
	const at = 1
	p, n := first[at], first[at+1]
	if n == 0 || n != first[at+2] {
		return 0
	}
	table := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), p)), n)
	if !bytes.Contains(table, []byte("\x00runtime.main\x00")) {
		return 0
	}
	return at
})

// funcNames are the names of the module's functions, each with a NUL after it.
func (m module) funcNames() []byte {
	at := funcTable()
	if at == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), m.word(at))), m.word(at+1))
}

// restoreFuncNames makes runtime.FuncForPC, debug.Stack and the runtime's own messages name
// functions of cells as FuncName does.
func restoreFuncNames(table []byte) {
	for at := 0; at < len(table); {
		n := bytes.IndexByte(table[at:], 0)
		if n < 0 {
			return
		}
		if name := table[at : at+n]; bytes.Contains(name, []byte(cellPrefix)) || bytes.Contains(name, []byte(prefix)) {
			short := copy(name, FuncName(string(name)))
			clear(name[short:])
		}
		at += n + 1
	}
}
