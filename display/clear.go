package display

import "github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"

// Clear takes away what the cell has shown so far: at once, or with wait when the next output
// comes, so that what is drawn again and again does not flicker. Outside a notebook it does
// nothing.
func Clear(wait bool) {
	if host := cell.CurrentHost(); host != nil {
		host.Clear(wait)
	}
}
