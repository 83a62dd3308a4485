// Package testhost runs the tests and benchmarks of cells in the session process, by package
// testing. Only the session program can import it: it is apart from package prochost because it needs a variable of package testing
// that the Go linker gives only to programs built with -checklinkname=0, as the session
// program is.
package testhost
