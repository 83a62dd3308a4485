package cell

import "sync"

// A Variable says which variable of the session is meant, in requests to the session process.
type Variable struct {
	Cell int    // number of the cell that has its storage
	Name string // there
}

// variables holds pointers to the variables of cells. Like the registry it is process-wide.
var variables sync.Map // Variable → any

// Declare makes p, a pointer to a variable of the cell, known under a name. Each cell's
// package calls it from init.
func Declare(number int, name string, p any) { variables.Store(Variable{number, name}, p) }

// Pointer returns what was declared, or nil.
func (v Variable) Pointer() any {
	p, _ := variables.Load(v)
	return p
}

// Keep does nothing with funcs, which Go's linker keeps for it.
//
//go:noinline
func Keep(...any) {}
