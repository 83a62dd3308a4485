// Package ld is the program that Go's linker calls to link a cell's plugin.
//
// Go's linker has the C compiler driver do the last step of linking a plugin, and runs it
// three times before that only to see which flags it knows. The driver in turn runs
// collect2, and that a linker. Half of the time of linking a small cell would go there, so
// this program knows the answers, and runs the linker at once with the arguments that the
// driver would have used. Whatever it doesn't know, it leaves to the driver.
//
// Before that it redirects functions that the session process has already: see package
// slim.
//
// The program is built by package session on the user's machine, with the settings of
// that machine's driver.
package ld
