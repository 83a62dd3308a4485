// Package ld is the program that Go's linker calls to link a cell's plugin.
//
// Go's linker runs the C compiler driver for the last step of linking a plugin, and runs
// it three times before that only to find out which flags it accepts. The driver in turn
// runs collect2, and that a linker. This takes half of the time of linking a small cell,
// so this program answers itself, and runs the linker at once with the arguments that the
// driver would use. If it meets unknown arguments, it runs the driver.
//
// Before that it redirects functions that the session process has already: see package
// slim.
//
// The program is built by package session on the user's machine, with the settings of
// that machine's driver.
package ld
