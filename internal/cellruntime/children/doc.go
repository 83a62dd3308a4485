// Package children finds the processes that cells have started, directly or not.
//
// A process is known by a variable of its environment, which those that it starts inherit, whatever group or session they move to and
// whoever is their parent when theirs has ended.
package children
