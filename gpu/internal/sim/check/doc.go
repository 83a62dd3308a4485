// Package check is the simulator's check mode: it says what is wrong with a kernel, and why
// it is slow.
//
// A program of check mode is compiled with -fsanitize=thread, which makes the compiler put
// a call before every load and store, and is linked to a runtime (runtime/check.cpp) that
// has those functions: it looks up what memory is meant, whether it has a value, and who
// else has touched it since the last barrier. Lanes of a warp run one after the other;
// their n-th accesses by one instruction since the last barrier are taken for one request.
// Where lanes go round an inner loop a different number of times that can differ from what
// a GPU does.
//
// This package prepares launches for that runtime, keeps the books about buffers, and puts
// what was seen into words. Compiling is package sim's. What it cannot see: which buffer an
// address was meant for, if it lies in another one that the kernel may use; local arrays;
// and what goes on inside functions of the C library, such as expf. Of the instructions that touch no memory
// only floating-point operations are counted, by code that is put into the assembly.
package check
