// Package debugger stops cells at breakpoints and displays their variables.
//
// It uses delve (delve.go finds or builds it) as a debug adapter: they exchange messages of the Debug Adapter Protocol,
// whose types are those of package dap (adapter.go). Delve is attached to the session process only while a cell runs and
// there are breakpoints (run.go), since a process with a debugger is slower, and is killed if the debugger is. A Debugger
// (debugger.go) handles the debug requests of a front end in terms of the notebook: sources are cells, identified by a hash
// of their text (source.go), and names are those in the user's text (names.go).
//
// Breakpoints in device code stop in recordings of its launches, which need no delve (replay.go).
//
// The package does not depend on Jupyter's messages and magics.
package debugger
