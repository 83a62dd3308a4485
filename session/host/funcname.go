package host

import (
	"regexp"
	"strings"
)

var cellPackage = regexp.MustCompile(`\bmain/c\d+\.`)

// FuncName is a symbol as the user wrote it: the cell's package is main, and unexported
// names have no prefix.
func FuncName(symbol string) string {
	return strings.ReplaceAll(cellPackage.ReplaceAllString(symbol, "main."), prefix, "")
}
