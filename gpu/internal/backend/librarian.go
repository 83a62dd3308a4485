package backend

import "github.com/gopherwarp/gopherwarp/gpu/internal/routine"

// A Librarian is a Device that executes routines of numerical libraries.
type Librarian interface {
	// Library loads a library, or returns an error that says what is missing for it. Call does the same if Library was not
	// called.
	Library(f routine.Family) error
	// Call submits a routine to a stream. It may return before the routine has run; an error of the routine is then returned by a
	// later method. It does not keep c.
	Call(c routine.Call, stream uint32) error
}
