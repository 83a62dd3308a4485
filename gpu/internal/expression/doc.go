// Package expression describes the kernels of package nd: what one computes, besides the CUDA C++ that does. A device without a
// compiler for kernels at hand computes the description itself, which is what the simulator does (package sim/arrays).
//
// A description has what the kernel's code depends on. What differs between launches (addresses, lengths, strides, offsets and the
// values of constants) is in the arguments of the launch, in the order in which the CUDA C++ takes them.
package expression
