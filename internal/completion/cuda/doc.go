// Package cuda completes and describes names in CUDA C++ cells: those of CUDA, from a table (words.txt) that has the section
// of the CUDA C++ Programming Guide for each, and those that the cells declare. It reads tokens and does not parse C++:
// anything else is left to the compiler.
package cuda
