// Package cuda completes and describes what is written in CUDA C++ cells: the words of CUDA, from
// a table (words.txt) that names the section of the CUDA C++ Programming Guide for each, and what
// the cells declare. It reads text, not C++: what it can't make out it leaves to the compiler.
package cuda
