// Package cellruntime has no code: the packages below it are what the session process links, which is the program that
// loads and runs cells. It is built on the user's machine, with a module path below this module's.
//
//   - cell is what the code of every cell calls, exit and registered what os.Exit and http.Handle become in cells
//   - host loads and runs cells; proto is how it talks to the kernel process
//   - extension is the type of what others add to host; funcname restores the names of functions that cells declare
//   - valuefmt writes values as text, children finds the processes that cells start
//   - gpuhost, prochost and testhost do there what magics ask for
//
// Besides, the program links gpu, display, verify and what they import. Packages here import nothing of Jupyter, and of the
// compiler of cells, package session, only facts about Go's releases.
package cellruntime
