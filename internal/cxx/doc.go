// Package cxx is a lexer of C++ and of CUDA's dialect. All packages of the project use it: for the
// declarations that package cudac parses, the includes that package include follows, the completion
// in CUDA cells, and the simulator, which rewrites kernels.
//
// Lex is for sources for a compiler: it fails if a string or a comment is not closed. All is for
// text that is being written: it always reads to the end. This package also matches brackets.
//
// The preprocessor is in package cudac; any grammar beyond brackets is elsewhere, too.
package cxx
