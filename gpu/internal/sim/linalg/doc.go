// Package linalg carries out the routines of package routine on the simulator, whose device
// memory is memory of this process. Products and real factorisations are gonum's. gonum has no
// complex ones, so those are here, in the plainest form that is stable: Householder for QR, Jacobi
// rotations for eigenvalues and singular values.
//
// Everything but products in float32 and complex64 is computed in double precision.
package linalg
