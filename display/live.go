package display

import (
	"crypto/rand"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// An Area is a place in a notebook where something is shown that can be replaced, also by
// later cells: a progress bar, a plot of what a simulation is at.
type Area struct{ id string }

// Live shows v at once, in an Area of its own. Outside a notebook it prints v's text.
//
//	area := display.Live(display.Markdown("**0 %**"))
//	area.Update(display.Markdown("**50 %**"))
func Live(v Bundle) *Area {
	a := &Area{rand.Text()}
	a.show(v, false)
	return a
}

// Update replaces what the area shows. Outside a notebook it prints v's text.
func (a *Area) Update(v Bundle) { a.show(v, true) }

func (a *Area) show(v Bundle, update bool) {
	mime := v.MIMEBundle()
	if host := cell.CurrentHost(); host != nil {
		host.Display(mime, nil, a.id, update)
		return
	}
	fmt.Println(mime["text/plain"])
}
