// Package arrays executes the kernels of package nd on the CPU, from their descriptions (package expression), without compiling anything.
//
// A kernel's index space is divided into blocks of elements that stay in the cache. For each block, each step of the expression is one
// loop over the elements, which a table of functions has for its operation and type. Operands that are adjacent in memory are read in
// place, others are gathered first. Goroutines, one per processor, take the blocks.
//
// Numbers are computed as the CUDA C++ of the kernels does: 16-bit floats as float32 that is rounded after each operation, integers wrap
// around, and no product is contracted with a sum.
package arrays
