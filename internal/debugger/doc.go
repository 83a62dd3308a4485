// Package debugger stops cells at breakpoints and shows what they hold there.
//
// Delve does the work (delve.go finds or builds it), as a debug adapter that is spoken to by
// messages of the Debug Adapter Protocol, whose types are those of package dap (adapter.go). It is attached to the session process
// only while a cell runs and there are breakpoints (run.go), since a process that has a
// debugger is slower, and is killed if that is. A Debugger (debugger.go) answers what the debugger of
// a front end asks, in the terms of the notebook: sources are cells, known by a hash of
// their text (source.go), and names are those that the user gave (names.go).
//
// Messages of Jupyter are not known here, nor are magics.
package debugger
