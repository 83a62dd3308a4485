// Package simd has loops over floats that use the vector instructions of the processor. Their assembly code, for AVX2 and FMA of amd64, is
// written by the program in asm; elsewhere Has is false, and what has no slower form must not be called. A few are for AVX-512: see Has512.
//
// Counts of elements are multiples of a vector, which has 8 float32s or 4 float64s. Out may be one of the operands, but must not overlap
// one otherwise.
//
//go:generate sh -c "cd asm && go run . -pkg simd -out ../kernels_amd64.s -stubs ../kernels_amd64.go"
package simd
