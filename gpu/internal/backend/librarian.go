package backend

import "github.com/gopherwarp/gopherwarp/gpu/internal/routine"

// A Librarian is a Device that carries out routines of numerical libraries.
type Librarian interface {
	// Library makes a library ready for use, or says what is missing for that. Where it was not
	// called, Call does the same.
	Library(f routine.Family) error
	// Call submits a routine to a stream. It may return before the routine has run; an error of
	// the routine is then returned by a later method. It does not keep c.
	Call(c routine.Call, stream uint32) error
}
