// Package testhost runs the tests and benchmarks of cells in the session process, by package
// testing. Only the session program can import it: it is separate from package prochost because it
// needs a variable of package testing that the Go linker allows only in programs linked with
// -checklinkname=0, as the session program is.
package testhost
