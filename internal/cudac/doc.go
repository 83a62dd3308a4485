// Package cudac parses CUDA C++ just far enough to find the kernels that a source defines and their
// parameters: it has a preprocessor for the directives that decide what is declared, and a parser of
// declarations. Function bodies are returned as tokens.
//
// Its users are the simulator, which makes an entry point for every kernel and rewrites <<<…>>> as
// calls; the driver backend, which names kernels and templates for NVRTC; the server's launch
// checks, which compare arguments with parameters at run time; and the %%cuda magic, which writes
// typed Go for every kernel. Errors in the source are the compiler's to report: cudac skips what it
// does not support, so that the user gets the compiler's message only.
//
// Other packages have the lexer (cxx), find included files (include), and parse statements and
// expressions (the simulator's loopsplit). This package runs no compiler and knows no Go syntax.
package cudac
