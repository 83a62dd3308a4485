// Package cell has the functions that compiled cells call: showing results, failing on errors,
// stopping on interrupt. Package session inserts the calls into a cell; users call only Must, as
// the predeclared must, and Display.
//
// It also holds the state of the session process that cells and package host share. It must stay
// small: every cell links it.
package cell
