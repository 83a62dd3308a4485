// Package slim makes copies of compiled packages that are quick to link into a plugin.
//
// A plugin contains all the code that it can reach, including what the program that opens it has
// already: the dynamic linker then uses the program's copy and never the plugin's. So for a cell
// that prints a line, Go's linker lays out 3 MB of fmt, os and runtime for nothing. A slim archive
// has the same symbols, but its functions are only jumps to the loaded ones ([Rewrite],
// [Redirect]), and loaded data contains no references. Whatever only they needed is omitted.
//
// Descriptors of loaded named types are reduced to a minimum. The others are complete: the runtime
// reads them in each plugin, and they refer to each other by relative offsets. For the requirements
// on the other archives see [KeepMethods].
//
// The archive of a new cell loses what the compiler has added to it and the process has, such as the
// methods of instances of generic types ([RewriteNew]).
//
// A function that has not been loaded, since nothing called it, must not be missing: see
// [Symbols.Missing]. If one is, the package is linked unchanged.
//
// This package rewrites Go's object files. Package session decides which packages are slimmed, and
// when.
package slim
