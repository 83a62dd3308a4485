// Package cellruntime has no code: the packages below it are linked into the session process, which is the program that
// loads and runs cells. It is built on the user's machine, with a module path below this module's.
//
//   - cell has the functions that the code of every cell calls; exit and registered replace os.Exit and http.Handle in cells
//   - host loads and runs cells; proto is its protocol with the kernel process
//   - extension is the type of additions to host; funcname restores the names of functions that cells declare
//   - valuefmt formats values, children finds the processes that cells start
//   - gpuhost, prochost and testhost handle requests of magics
//
// The program also links gpu, display, verify and their imports. Packages here import nothing of Jupyter, and of the
// compiler of cells, package session, only facts about Go's releases.
package cellruntime
