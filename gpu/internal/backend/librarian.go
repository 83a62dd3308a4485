package backend

import "github.com/gopherwarp/gopherwarp/gpu/internal/library"

// A Librarian is a Device that carries out routines of numerical libraries.
type Librarian interface {
	// Library makes a library ready for use, or says what is missing for that. Where it was not
	// called, Call does the same.
	Library(f library.Family) error
	// Call gives a routine to a stream. It may return before the routine has run; an error of
	// the routine is then returned by a later method. It does not keep c.
	Call(c library.Call, stream uint32) error
}
