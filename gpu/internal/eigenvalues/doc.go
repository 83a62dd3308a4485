// Package eigenvalues computes the eigenvalues and eigenvectors of square matrices of complex numbers, by the QR algorithm on the host. The simulator
// does so for cuSOLVER's routine, and arrays where the library of a GPU has none.
package eigenvalues
