// Package loopsplit rewrites kernels with barriers for the simulator: into a function that runs a
// whole block, with a loop over the block's threads for every stretch of code between barriers.
// Where that could change what a kernel does it gives a reason instead, and the simulator gives
// every thread a stack.
//
// What does not live here: reading declarations (package cudac), and the macros and functions that
// the text relies on, which are in the simulator's headers.
package loopsplit
