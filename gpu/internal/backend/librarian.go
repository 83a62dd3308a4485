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

// A Lender is a Librarian and a Capturer whose graphs can have products of matrices.
type Lender interface {
	Librarian
	// Lend prepares a stream that is about to be captured for routines of those libraries, which use that memory as their workspace, as
	// launches of the graph do later. Return ends that.
	Lend(stream uint32, work, size uint64, families []routine.Family) error
	Return(stream uint32) error
}
