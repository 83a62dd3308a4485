// Package slim makes copies of compiled packages that are quick to link into a plugin.
//
// A plugin holds all the code that it can reach, also what the program that opens it has
// already: the dynamic linker then uses the program's copy and never the plugin's. So for
// a cell that prints a line, Go's linker lays out 3 MB of fmt, os and runtime for nothing.
// A slim archive has the same symbols, but its functions are no more than a jump to the
// loaded ones ([Rewrite], [Redirect]), and data that is loaded refers to nothing. What only
// they needed is left out.
//
// Types are kept whole: the runtime reads the descriptions of types of each plugin, which
// refer to each other by their distance.
//
// A function that has not been loaded, since nothing called it, must not be missing: see
// [Symbols.Missing]. Then the package is linked as it is.
//
// What lives here is the format of Go's object files and that rewriting. Which packages
// are slimmed, and when, is decided by package session.
package slim
