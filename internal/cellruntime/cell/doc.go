// Package cell is what the code of compiled cells calls: showing results, failing on
// errors, stopping on interrupt. The calls are put into a cell by package session; users
// only meet Must, as the predeclared must, and Display.
//
// It also holds the state of the session process that cells and package host share.
// It must stay small: every cell links it.
package cell
