// Package cudac reads CUDA C++ just far enough to know which kernels a source defines
// and what each takes: a lexer and a recogniser of declarations, not a compiler.
//
// Three users share it: the simulator, which makes one entry point for every kernel; the
// launch checks, which compare arguments with parameters at run time; and the %%cuda
// magic, which writes typed Go for every kernel. Whether the source is correct is the
// compiler's business: what cudac does not understand it skips, so that the user sees
// the compiler's message and not a second opinion.
//
// What does not live here: anything that runs a compiler, and anything about Go syntax.
package cudac
