// Package linalg implements the routines of package routine for the simulator, whose device memory
// is memory of this process. Products of real numbers are computed with vector instructions
// (package simd) if there are any; other and small ones, and real factorisations, are gonum's.
// gonum has no complex factorisations, so those are here, in the simplest form that is stable:
// Householder reflections for QR, Jacobi rotations for eigenvalues and singular values.
//
// Everything but products in float32 and complex64 is computed in double precision.
package linalg
