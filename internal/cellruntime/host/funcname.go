package host

import (
	"bytes"
	"regexp"
	"strings"
)

// cellPrefix begins the import path of each cell; a number follows.
const cellPrefix = "main/c"

var cellPackage = regexp.MustCompile(`\bmain/c\d+\.`)

// FuncName is a symbol as the user wrote it: the cell's package is main, and unexported
// names have no prefix.
func FuncName(symbol string) string {
	return strings.ReplaceAll(cellPackage.ReplaceAllString(symbol, "main."), prefix, "")
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
