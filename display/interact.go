package display

import "github.com/gopherwarp/gopherwarp/display/widget"

// Interact shows a control for each parameter of f, and the result of f below them, which is computed again whenever a control is moved:
//
//	display.Interact(func(n int, s float64) any { return picture(n, s) })
//
// It is widget.Interact, whose documentation has the controls and results.
func Interact(f any, args ...widget.Arg) *widget.Interaction { return widget.Interact(f, args...) }
