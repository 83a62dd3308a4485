// Package cxx is a lexer of C++ and of CUDA's dialect, the one of the whole project: for the
// declarations that package cudac reads, the includes that package include follows, the
// completion in CUDA cells, and the simulator, which rewrites kernels.
//
// Lex is for sources that a compiler will see: it fails where a string or a comment is never
// closed. All is for text that somebody is still writing: it always comes to the end. Groups of
// brackets are followed here, too.
//
// What does not live here: the preprocessor (package cudac), and any grammar above brackets.
package cxx
