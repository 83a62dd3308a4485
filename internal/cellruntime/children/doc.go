// Package children finds the processes that cells have started, directly or not.
//
// A process is recognized by a variable of its environment, which the processes that it starts inherit, whatever process group or
// session they move to and whoever becomes their parent.
package children
