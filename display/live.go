package display

import (
	"crypto/rand"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// An Area is a part of a notebook's output whose contents can be replaced, also by later cells: a progress bar, or a plot of the state of
// a simulation.
type Area struct{ id string }

// Live shows v at once, in a new Area, and returns that. Outside a notebook it prints v's text.
//
//	area := display.Live(display.Markdown("**0 %**"))
//	area.Update(display.Markdown("**50 %**"))
func Live(v Bundle) *Area {
	a := &Area{rand.Text()}
	a.show(v, false)
	return a
}

// Update replaces the contents of the area. Outside a notebook it prints v's text.
func (a *Area) Update(v Bundle) { a.show(v, true) }

func (a *Area) show(v Bundle, update bool) {
	mime := v.MIMEBundle()
	if host := cell.CurrentHost(); host != nil {
		host.Display(mime, nil, a.id, update)
		return
	}
	fmt.Println(mime["text/plain"])
}
