package inside

import (
	"sync"
	_ "unsafe" // for go:linkname
)

// printers is where package fmt takes from what it needs for one text. Texts inside each other need one each.
//
//go:linkname printers fmt.ppFree
var printers sync.Pool

// BeforeText has f called when package fmt makes what it needs for one more text at a time than before. It is called once,
// before cells.
func BeforeText(f func()) {
	make := printers.New
	if make == nil {
		return // this release has no such pool
	}
	printers.New = func() any {
		f()
		return make()
	}
}
