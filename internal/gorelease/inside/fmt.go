package inside

import (
	"sync"
	_ "unsafe" // for go:linkname
)

// printers is the pool of package fmt's printers. A text that is formatted inside another one needs one more.
//
//go:linkname printers fmt.ppFree
var printers sync.Pool

// BeforeText makes package fmt call f when it allocates a printer, because all others are in use. It is called once, before
// cells.
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
