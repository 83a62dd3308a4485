// Package check is the simulator's check mode: it finds errors in a kernel, and reasons why it is
// slow.
//
// A program of check mode is compiled with -fsanitize=thread, which makes the compiler insert a
// call before every load and store, and is linked to a runtime (runtime/check.cpp) that defines
// these functions: it looks up which memory is accessed, whether it is initialized, and which
// other threads have accessed it since the last barrier. Lanes of a warp run one after the other;
// their n-th accesses by one instruction since the last barrier count as one request. Where lanes
// run an inner loop a different number of times, that can differ from what a GPU does.
//
// This package prepares launches for that runtime, keeps the state of buffers, and writes the
// report. Compiling is package sim's. Check mode does not detect an index out of bounds that is in
// another buffer that the kernel may use, nor errors in local arrays and in functions of the C
// library, such as expf. Of the instructions that do not access memory only floating-point
// operations are counted, by code that is inserted in the assembly.
package check
