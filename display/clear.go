package display

import "github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"

// Clear removes the cell's output so far: at once or, if wait is set, when the next output comes, which avoids flicker when something is
// drawn repeatedly. Outside a notebook it does nothing.
func Clear(wait bool) {
	if host := cell.CurrentHost(); host != nil {
		host.Clear(wait)
	}
}
