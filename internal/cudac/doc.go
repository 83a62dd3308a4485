// Package cudac reads CUDA C++ just far enough to know which kernels a source defines
// and what each takes: a preprocessor for the directives that decide what is declared, and
// a parser of declarations. Function bodies it hands on as tokens.
//
// Its users are the simulator, which makes an entry point for every kernel and launches out of
// <<<…>>>; the driver backend, which names kernels and templates for NVRTC; the server's launch
// checks, which compare arguments with parameters at run time; and the %%cuda magic, which writes
// typed Go for every kernel. Whether the source is correct is the compiler's business: what cudac
// does not understand it skips, so that the user sees the compiler's message and not a second
// opinion.
//
// What does not live here: the lexer (package cxx), finding included files (package include),
// statements and expressions (the simulator's package loopsplit), anything that runs a compiler,
// and anything about Go syntax.
package cudac
