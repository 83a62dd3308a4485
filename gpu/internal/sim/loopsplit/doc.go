// Package loopsplit rewrites kernels with barriers for the simulator: to a function that runs a
// whole block, with a loop over the block's threads for each part of the code between barriers.
// Where that could change what a kernel does, it returns a reason instead, and the simulator gives
// every thread a stack.
//
// Declarations are parsed by package cudac. The macros and functions that the text uses are in the
// simulator's headers.
package loopsplit
