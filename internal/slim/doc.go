// Package slim makes copies of compiled packages that are quick to link into a plugin.
//
// A plugin holds all the code that it can reach, also what the program that opens it has
// already: the dynamic linker then uses the program's copy and never the plugin's. So for
// a cell that prints a line, Go's linker lays out 3 MB of fmt, os and runtime for nothing.
// A slim archive has the same symbols, but its functions are no more than a jump to the
// loaded ones ([Rewrite], [Redirect]), and data that is loaded refers to nothing. What only
// they needed is left out.
//
// Of the descriptions of loaded types that have names little is left. The others are whole:
// the runtime reads them in each plugin, and they refer to each other by their distance. For
// what that asks of the archives beside slim ones see [KeepMethods].
//
// A function that has not been loaded, since nothing called it, must not be missing: see
// [Symbols.Missing]. Then the package is linked as it is.
//
// What lives here is the format of Go's object files and that rewriting. Which packages
// are slimmed, and when, is decided by package session.
package slim
