package cell

import "sync"

// A Variable identifies a variable of the session, in requests to the session process.
type Variable struct {
	Cell int    // number of the cell that has its storage
	Name string // its name in that cell
}

// variables holds pointers to the variables of cells. Like registry it is process-wide.
var variables sync.Map // Variable → any

// Declare registers p, a pointer to a variable of the cell, under its name. Each cell's package
// calls it from init.
func Declare(number int, name string, p any) { variables.Store(Variable{number, name}, p) }

// Pointer returns the declared pointer, or nil.
func (v Variable) Pointer() any {
	p, _ := variables.Load(v)
	return p
}

// Keep does nothing. Go's linker keeps the functions among its arguments because of the call.
//
//go:noinline
func Keep(...any) {}
