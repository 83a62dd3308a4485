// Package funcname converts the names under which functions of cells are compiled to those in their source.
package funcname

import (
	"bytes"
	"regexp"
	"strings"
)

const (
	// Prefix makes an unexported name of a cell visible to later cells.
	Prefix = "Ͼ"
	// CellPath begins the import path of each cell; a number follows.
	CellPath = "main/c"
)

var cellPackage = regexp.MustCompile(`\b` + CellPath + `\d+\.`)

// Written returns a symbol as in the cell's source: its package is main, and unexported names have no prefix.
func Written(symbol string) string {
	return strings.ReplaceAll(cellPackage.ReplaceAllString(symbol, "main."), Prefix, "")
}

// Changed reports whether Written(name) may differ from name.
func Changed(name []byte) bool {
	return bytes.Contains(name, []byte(CellPath)) || bytes.Contains(name, []byte(Prefix))
}

// Restore shortens the names in a table of NUL-terminated names to those that Written returns. A name keeps its
// offset, and is followed by more NULs.
func Restore(table []byte) {
	for at := 0; at < len(table); {
		n := bytes.IndexByte(table[at:], 0)
		if n < 0 {
			return
		}
		if name := table[at : at+n]; Changed(name) {
			short := copy(name, Written(string(name)))
			clear(name[short:])
		}
		at += n + 1
	}
}
